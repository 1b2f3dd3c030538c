"""`puzzle pack solve --apart` from the command line to what it prints."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from solvers.cli.main import main
from solvers.foundation.progress import Job, Progress
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution, Piece, Shape, Target
from solvers.polycube.puzzle_file import dumps
from solvers.polycube.taking_apart import collection
from solvers.polycube.taking_apart.apart import Disassembler
from solvers.polycube.taking_apart.disassembly import Disassembly, Grouping

Run = Callable[..., tuple[int, str, str]]

# A frame with a slot, a bolt that has to go to the side before the bar can come out, and the same
# three pieces with the bolt held fast.
FRAME = ["#####", "#####", "#####"], ["#####", "#...#", "##.##"], ["#####", "#####", "#####"]


@pytest.fixture
def pack(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["puzzle", "pack", "solve", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, " ".join(err.split())

    return call


def caught(tmp_path: Path, loose: list[tuple[int, int, int]], *, lid: bool) -> str:
    """Write a puzzle: a frame, a piece inside it, and the mouth open or closed by the frame."""
    frame = {
        (x, y, z)
        for z, rows in enumerate(FRAME)
        for y, row in enumerate(rows)
        for x, mark in enumerate(row)
        if mark == "#"
    } | ({(2, 2, 1)} if lid else set())
    cells = frozenset(frame | set(loose))
    puzzle = PackingPuzzle(
        "caught",
        "Caught",
        Target(cells),
        (
            Piece("frame", Shape(frozenset(frame)), fixed_at=frozenset(frame)),
            Piece("stone", Shape(frozenset(loose)), fixed_at=frozenset(loose)),
        ),
    )
    file = tmp_path / "caught.toml"
    file.write_text(dumps(puzzle), encoding="utf-8")
    return str(file)


def test_a_stone_goes_to_the_side_and_out(pack: Run, tmp_path: Path) -> None:
    file = caught(tmp_path, [(1, 1, 1)], lid=False)
    page, picture = tmp_path / "caught.html", tmp_path / "caught.svg"
    code, out, _ = pack(file, "--apart", "--html", str(page), "--svg", str(picture))
    assert code == 0
    assert "Level 2. Taken apart:\n  1. B: 1 to the right\n  2. B: out to the front\n" in out
    assert out.endswith("Caught: 1 of 1 come apart; levels, hardest first: 2 (1).\n")
    for written in (page, picture):
        assert "stone: out to the front" in written.read_text(encoding="utf-8")
    code, out, _ = pack(file, "--sort", "level", "--json")
    told = json.loads(out)
    assert (code, told["come_apart"], told["locked"], told["levels"]) == (0, 1, 0, {"2": 1})
    assert told["count_total"] == 1
    (apart,) = told["apart"]
    assert apart["level"] == "2"
    assert apart["separations"] == [
        {
            "pieces": [0, 1],
            "moves": [
                {"pieces": [1], "direction": "to the right", "steps": 1},
                {"pieces": [1], "direction": "to the front", "steps": None},
            ],
        }
    ]


def test_a_stone_that_is_walled_in_stays(pack: Run, tmp_path: Path) -> None:
    file = caught(tmp_path, [(1, 1, 1)], lid=True)
    code, out, _ = pack(file, "--apart")
    assert code == 1
    assert "It does not come apart: A, B stay together in all 3 positions" in out
    assert out.endswith("Caught: 0 of 1 come apart.\n")
    code, out, _ = pack(file, "--assembly", "--svg", str(tmp_path / "still.svg"))
    assert code == 0
    assert "frame, stone interlock.\nIt does not come apart" in out
    assert "frame, stone interlock" in (tmp_path / "still.svg").read_text(encoding="utf-8")
    code, out, _ = pack(file, "--apart", "--count", "--json")
    told = json.loads(out)
    assert (code, told["locked"], told["solutions"], told["count_total"]) == (1, 1, [], 1)


def test_what_interlocks_is_shown_as_it_comes_apart(pack: Run, tmp_path: Path) -> None:
    file = caught(tmp_path, [(1, 1, 1)], lid=False)
    picture = tmp_path / "picture.svg"
    code, out, _ = pack(file, "--assembly", "--svg", str(picture))
    assert code == 0
    assert "interlock.\nLevel 2. Taken apart:" in out
    assert "1. stone: 1 to the right" in picture.read_text(encoding="utf-8")


@pytest.mark.parametrize(("whole", "shown"), [(10, 3), (0, 0)])
def test_ctrl_c_keeps_what_was_found(
    pack: Run, monkeypatch: pytest.MonkeyPatch, whole: int, shown: int
) -> None:
    class Interrupted(Disassembler):
        """Ctrl-C comes after a number of solutions."""

        done = 0

        def take_apart(
            self, solution: PackingSolution, grouping: Grouping | None = None
        ) -> Job[Progress, Disassembly]:
            self.done += 1
            if self.done > whole:
                raise KeyboardInterrupt
            return (yield from super().take_apart(solution, grouping))

    monkeypatch.setattr(collection, "Disassembler", Interrupted)
    code, out, err = pack("soma", "--sort", "level", "--keep", "3")
    assert code == 1
    assert out.count("Level ") == shown
    assert ("Soma cube: 10 of 10 come apart" in out) == (whole > 0)
    assert "no solution" not in out
    assert "Stopped before all solutions were found" in err


def test_a_rod_turns_and_goes_out(pack: Run, tmp_path: Path) -> None:
    # It lies in a box and fits through the door upright.
    file = str(Path(__file__).parents[1] / "data" / "puzzles" / "caught-rod.toml")
    page, picture = tmp_path / "rod.html", tmp_path / "rod.svg"
    code, out, _ = pack(file, "--apart", "--rotations", "--html", str(page), "--svg", str(picture))
    assert code == 0
    words = "turn 90 degrees about y at x = 1, z = 2, counterclockwise seen from the front"
    assert f"Level 2. Taken apart:\n  1. B: {words}\n  2. B: out up\n" in out
    for written in (page, picture):
        assert f"rod: {words}" in written.read_text(encoding="utf-8")
    code, out, _ = pack(file, "--sort", "level", "--rotations", "--json")
    printed = json.loads(out)
    assert (code, printed["come_apart"], printed["levels"]) == (0, 1, {"2": 1})
    (apart,) = printed["apart"]
    assert apart["separations"][0]["moves"] == [
        {
            "pieces": [1],
            "direction": "counterclockwise seen from the front",
            "axis": "y",
            "at": {"x": 1.0, "z": 2.0},
            "degrees": 90,
        },
        {"pieces": [1], "direction": "up", "steps": None},
    ]
    code, out, _ = pack(file, "--apart")
    assert code == 1
    assert "It does not come apart: A, B stay together in all" in out


def test_rotations_are_refused_without_apart_and_for_other_cells(pack: Run) -> None:
    code, _, err = pack("soma", "--rotations")
    assert (code, "--rotations is for --apart." in err) == (2, True)
    code, _, err = pack("hexiamonds", "--apart", "--rotations")
    assert code == 2
    assert "--rotations turns cubes alone" in err


@pytest.mark.parametrize("other", [("--workers", "2"), ("--assembly",), ("--count", "--resume")])
def test_wishes_that_do_not_go_with_taking_apart_are_refused(
    pack: Run, other: tuple[str, ...]
) -> None:
    code, _, err = pack("soma", "--apart", *other)
    assert code == 2
    assert "leave out" in err
