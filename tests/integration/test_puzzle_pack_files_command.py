"""`puzzle pack convert`, and the pictures and assembly of `puzzle pack solve`."""

import gzip
import json
import re
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from solvers.cli.main import main
from solvers.polycube.pictures import drawings
from solvers.polycube.puzzle import PackingPuzzle, Piece, Shape, Target
from solvers.polycube.puzzle_file import dumps

BOMB = '<!DOCTYPE p [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><puzzle>&b;</puzzle>'


class Command:
    """Calls `puzzle pack` in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        self._monkeypatch.setattr(sys, "argv", ["puzzle", "pack", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = self._capsys.readouterr()
        return int(ended.value.code or 0), out, " ".join(err.split())

    def json(self, *arguments: str) -> Any:
        code, out, err = self(*arguments, "--json")
        assert code == 0, err
        return json.loads(out)


@pytest.fixture
def pack(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


def test_soma_goes_to_burrtools_and_back_and_keeps_its_240_solutions(
    pack: Command, tmp_path: Path
) -> None:
    burrtools, again = tmp_path / "soma.xmpuzzle", tmp_path / "again.toml"
    assert pack.json("convert", "soma", str(burrtools))["left_out"] == []
    assert len(ElementTree.parse(burrtools).findall("shapes/voxel")) == 8
    burrtools.write_bytes(gzip.compress(burrtools.read_bytes()))
    code, out, _ = pack("convert", str(burrtools), str(again))
    assert code == 0
    assert "Wrote soma with 7 different pieces" in out
    for file in (burrtools, again):
        result = pack.json("solve", str(file), "--count")
        assert (result["count_up_to_symmetry"], result["count_total"]) == (240, 11_520)


@pytest.mark.parametrize(
    ("name", "content", "out", "sentence"),
    [
        ("bomb.xmpuzzle", BOMB, "x.toml", "is refused"),
        ("noise.xmpuzzle", "\x00\x01 noise", "x.toml", "this is not XML"),
        ("missing.xmpuzzle", None, "x.toml", "No such file or directory"),
        ("missing.toml", None, "x.xmpuzzle", "No such file or directory"),
        ("some.txt", "", "x.toml", "does not say which format"),
        ("some.toml", "", "x.txt", "does not say which format"),
        ("drilled-cube", None, "x.xmpuzzle", "cannot represent bores through pieces"),
    ],
)
def test_what_cannot_be_converted_ends_in_a_sentence(
    name: str,
    content: str | None,
    out: str,
    sentence: str,
    pack: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    if content is not None:
        Path(name).write_text(content)
    code, _, err = pack("convert", name, out)
    assert code == 2
    assert sentence in err
    assert not Path(out).exists()


def test_a_target_is_chosen_by_its_name(pack: Command, tmp_path: Path) -> None:
    every, one = tmp_path / "all.toml", tmp_path / "one.toml"
    bar = '[[piece]]\nname = "I"\nlayers = "##"\ncopies = 2\n'
    row, square = (
        f'[[target]]\nname = "{name}"\nbox = {box}\n'
        for name, box in (("row", [4, 1]), ("square", [2, 2]))
    )
    every.write_text(f'name = "bars"\n{row}{square}{bar}')
    assert pack.json("solve", str(every), "--count")["count_total"] == 1
    result = pack.json("solve", str(every), "--target", "square", "--count")
    assert (result["target"], result["count_total"]) == ("square", 2)
    assert pack.json("convert", str(every), str(one), "--target", "square")["left_out"] == [
        "further targets, row: choose one with --target"
    ]
    assert pack.json("solve", str(one), "--count")["count_total"] == 2
    code, _, err = pack("solve", str(every), "--target", "ring")
    assert code == 2
    assert "there is no target 'ring'; the targets are row, square." in err
    assert pack("convert", str(one), str(tmp_path / "one.xmpuzzle"))[0] == 0
    code, _, err = pack("solve", str(tmp_path / "one.xmpuzzle"), "--target", "square")
    assert code == 2
    assert "the problems of a BurrTools file are numbered; give --problem" in err
    listed = {each["name"]: each["targets"] for each in pack.json("list")["puzzles"]}
    assert listed["soma"] == []
    assert listed["ct-puzzle"][:2] == ["box", "flat"]


def test_holes_are_shown_beside_the_layers(pack: Command) -> None:
    _, out, _ = pack("solve", "drilled-cube")
    heads, *rows = out.splitlines()
    assert heads.split() == ["bores:", "top", "front", "right"]
    assert [[len(block) for block in row.split()] for row in rows] == [[3] * 6] * 3


def test_pictures_and_assembly_of_a_solution(pack: Command, tmp_path: Path) -> None:
    svg, html = tmp_path / "soma.svg", tmp_path / "soma.html"
    pictures = ("--svg", str(svg), "--html", str(html))
    result = pack.json("solve", "soma", "--assembly", *pictures)
    (assembly,) = result["assembly"]
    assert assembly["possible"]
    assert assembly["stuck"] == []
    assert sorted(step["piece"] for step in assembly["steps"]) == list("ABLPTVZ")
    drawn = svg.read_text()
    for number, step in enumerate(assembly["steps"], start=1):
        assert f"{number}. piece {step['piece']} {step['direction']}" in drawn
    assert html.read_text().startswith("<!doctype html>")
    _, out, _ = pack("solve", "soma", "--assembly")
    assert "Put together by hand:" in out


def test_many_steps_fill_several_drawings(
    pack: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawings, "MOST_PICTURES", 3)
    code, _, err = pack("solve", "soma", "--svg", str(tmp_path / "soma.v2.svg"))
    assert code == 0
    files = [tmp_path / f"soma.v2-{number}.svg" for number in (1, 2, 3)]
    assert sorted(tmp_path.iterdir()) == files
    numbers = [re.findall(r">(\d)\. piece", file.read_text(encoding="utf-8")) for file in files]
    assert numbers == [["1", "2", "3"], ["4", "5", "6"], ["7"]]
    assert f"The 8 pictures are in {files[0]} to {files[-1]}." in err


def test_pieces_that_interlock_are_named(pack: Command, tmp_path: Path) -> None:
    flat = {(x, y, 1) for x in range(3) for y in range(3)} - {(1, 1, 1)}
    upright = {(x, 1, z) for x in (1, 2, 3) for z in range(3)} - {(2, 1, 1)}
    rings = PackingPuzzle(
        "rings",
        "Two links of a chain",
        Target(frozenset(flat | upright)),
        (Piece("flat", Shape.of(flat)), Piece("upright", Shape.of(upright))),
    )
    file = tmp_path / "rings.toml"
    file.write_text(dumps(rings))
    (assembly,) = pack.json("solve", str(file), "--assembly")["assembly"]
    assert assembly == {
        "possible": False,
        "gravity": False,
        "steps": [],
        "stuck": ["flat", "upright"],
    }
    _, out, _ = pack("solve", str(file), "--assembly")
    assert "Single pieces in straight moves cannot make this: flat, upright interlock." in out


def test_a_file_that_is_written_takes_the_place_of_the_old_one(
    pack: Command, tmp_path: Path
) -> None:
    for name, arguments in (
        ("soma.toml", ("convert", "soma", str(tmp_path / "soma.toml"))),
        ("soma.svg", ("solve", "soma", "--svg", str(tmp_path / "soma.svg"))),
    ):
        file = tmp_path / name
        file.write_text("what was there before", encoding="utf-8")
        with file.open(encoding="utf-8") as reader:  # somebody who has just opened it
            assert pack(*arguments)[0] == 0
            assert reader.read() == "what was there before"
        assert file.read_text(encoding="utf-8") != "what was there before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["soma.svg", "soma.toml"]


def test_a_count_that_burrtools_takes_another_way_survives(pack: Command, tmp_path: Path) -> None:
    burrtools = tmp_path / "plain.xmpuzzle"
    converted = pack.json("convert", "drilled-cube-plain", str(burrtools))
    assert "counts a solution and its mirror image as one" in converted["changed"][0]
    assert pack.json("convert", "soma", str(tmp_path / "soma.xmpuzzle"))["changed"] == []
    code, out, err = pack("convert", "drilled-cube-plain", str(burrtools))
    assert code == 0
    assert "with 1 different piece to" in out
    assert converted["changed"][0] in err
    assert pack.json("solve", str(burrtools), "--count")["count"] == 222


def test_a_puzzle_without_a_solution_ends_with_1(pack: Command, tmp_path: Path) -> None:
    file = tmp_path / "none.toml"
    file.write_text(
        'name = "none"\n[target]\nlayers = "####"\n[[piece]]\nname = "a"\nlayers = "##\\n##"\n'
    )
    for wanted in ("--first", "--all", "--count"):
        code, out, _ = pack("solve", str(file), wanted)
        assert (code, out) == (1, "none has no solution.\n")


def test_a_name_in_any_letters(pack: Command, tmp_path: Path) -> None:
    file = tmp_path / "one piece.toml"
    file.write_text(
        'name = "one"\n[target]\nlayers = "##"\n[[piece]]\nname = "über"\nlayers = "##"\n'
    )
    code, out, _ = pack("solve", str(file), "--count")
    assert (code, out.startswith("one: 1 solution, 1 with all turned images; ")) == (0, True)
    assert "A = über" in pack("solve", str(file))[1]


@pytest.mark.parametrize("name", ["hexiamonds", "tetrahedra-pyramid"])
def test_other_cells_are_drawn_and_taken_apart(name: str, pack: Command, tmp_path: Path) -> None:
    drawn, page = tmp_path / "drawn.svg", tmp_path / "page.html"
    pack.json("solve", name, "--svg", str(drawn), "--html", str(page))
    assert drawn.read_text(encoding="utf-8").count("<polygon") >= 72
    assert '"kinds"' in page.read_text(encoding="utf-8")
    code, _, err = pack("solve", name, "--assembly")
    assert code == 2
    assert "; --assembly knows cubes alone. --apart takes" in err
    found = pack.json("solve", name, "--apart", "--svg", str(drawn), "--html", str(page))
    (apart,) = found["apart"]
    assert (found["come_apart"], apart["level"]) == (1, "1")
    for written in (drawn, page):
        text = written.read_text(encoding="utf-8")
        assert "level 1" in text
        for separation in apart["separations"]:
            assert f": out {separation['moves'][-1]['direction']}" in text


TWO_PROBLEMS = """<?xml version="1.0"?>
<puzzle version="2"><gridType type="0"/><colors/>
  <shapes>
    <voxel x="2" y="1" z="1" name="Länge" weight="3">##</voxel>
    <voxel x="2" y="2" z="1" name="square">####</voxel>
    <voxel x="4" y="1" z="1" name="row">####</voxel>
  </shapes>
  <problems>
    <problem name="square" state="2" time="1"><shapes><shape id="0" count="2"/></shapes>
      <result id="1"/><bitmap/><solutions><solution asmNum="0"><assembly/></solution></solutions>
    </problem>
    <problem name="row" state="0"><shapes><shape id="0" count="2"/></shapes><result id="2"/>
    <bitmap/></problem>
  </problems>
  <comment popup="">kept</comment>
</puzzle>
"""


def test_one_of_several_problems_is_solved(pack: Command, tmp_path: Path) -> None:
    file = tmp_path / "two.xmpuzzle"
    file.write_bytes(TWO_PROBLEMS.encode("latin-1"))
    counts = [
        pack.json("solve", str(file), "--problem", str(n), "--count")["count_total"] for n in (1, 2)
    ]
    assert counts == [2, 1]
    assert pack.json("solve", str(file), "--problem", "2")["puzzle"] == "row"
    code, _, err = pack("solve", str(file), "--problem", "3")
    assert (code, "there is no problem 3" in err) == (2, True)


def test_a_burrtools_file_is_written_back_as_it_is(pack: Command, tmp_path: Path) -> None:
    file, again = tmp_path / "two.xmpuzzle", tmp_path / "again.xmpuzzle"
    file.write_bytes(gzip.compress(TWO_PROBLEMS.encode("latin-1")))
    answer = pack.json("convert", str(file), str(again))
    assert answer["left_out"] == []
    assert again.read_text(encoding="utf-8") == TWO_PROBLEMS
    toml = tmp_path / "row.toml"
    answer = pack.json("convert", str(file), str(toml), "--problem", "2")
    assert answer["left_out"] == ["1 other problem"]
    assert "weight = 3" in toml.read_text(encoding="utf-8")
