"""BurrTools files in and out, and files that mean harm."""

import gzip
import random
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.polycube import library
from solvers.polycube.burrtools import reader as burrtools
from solvers.polycube.burrtools import xml
from solvers.polycube.burrtools.assemblies import turned
from solvers.polycube.burrtools.writer import changed_in_export, to_xml
from solvers.polycube.burrtools.xml import MAX_XML_BYTES, read_plain, text_of
from solvers.polycube.errors import PuzzleError, PuzzleFileError
from solvers.polycube.marks import on_cells
from solvers.polycube.puzzle import PackingPuzzle, Piece, Shape, Target
from solvers.polycube.puzzle_file import dumps, loads
from solvers.polycube.solving import solver
from tests.oracles.packing_rules import check_solution

# A bent tromino and a straight pair in a 2 x 2 x 2 box that may keep holes.
SMALL = """<?xml version="1.0"?>
<puzzle version="2">
  <gridType type="0"/>
  <colors><color red="1" green="2" blue="3"/></colors>
  <shapes>
    <voxel x="2" y="2" z="1" type="0" name="bent" weight="2">#1###1</voxel>
    <voxel x="2" y="1" z="1" type="0">##</voxel>
    <voxel x="2" y="2" z="2" type="0" name="box">#####+++</voxel>
  </shapes>
  <problems>
    <problem name="small" state="2">
      <shapes><shape id="0" count="1"/><shape id="1" min="0" max="2" group="1"/></shapes>
      <result id="2"/>
      <bitmap/>
      <solutions><solution><assembly>0 0 0 0</assembly></solution></solutions>
    </problem>
    <problem><shapes/><result id="2"/></problem>
  </problems>
  <comment>by hand</comment>
</puzzle>
"""


def read(text: str | bytes, tmp_path: Path, problem: int = 1) -> burrtools.Imported:
    file = tmp_path / "test.xmpuzzle"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return burrtools.load(file, problem)


def test_reads_shapes_counts_and_variable_cells(tmp_path: Path) -> None:
    imported = read(SMALL.replace("#1###1", "#1#_#1"), tmp_path)
    puzzle = imported.puzzle
    assert puzzle.name == "small"
    assert puzzle.source == "by hand"
    assert puzzle.reflections
    ends = on_cells([((0, 0, 0), 1), ((1, 1, 0), 1)])
    assert puzzle.pieces == (
        Piece("bent", Shape.of([(0, 0, 0), (1, 0, 0), (1, 1, 0)]), marks=ends, weight=2),
        Piece("S2", Shape.of([(0, 0, 0), (1, 0, 0)]), 0, 2, groups=((1, 2),)),
    )
    assert len(puzzle.target.required) == 5
    assert puzzle.target.optional == frozenset({(1, 0, 1), (0, 1, 1), (1, 1, 1)})
    assert imported.left_out == ("1 other problem", "1 saved solution")


def test_gzip_makes_no_difference(tmp_path: Path) -> None:
    plain = read(SMALL, tmp_path)
    zipped = gzip.compress(SMALL.encode())
    assert read(zipped, tmp_path) == burrtools.loads(zipped, "test.xmpuzzle") == plain


@pytest.mark.parametrize("name", ["soma", "bedlam", "ct-puzzle", "drilled-cube-plain"])
def test_shipped_puzzles_survive_the_way_out_and_back(name: str, tmp_path: Path) -> None:
    puzzle = library.load(name)
    again = read(to_xml(puzzle), tmp_path)
    assert again.puzzle == puzzle
    assert again.puzzle.source == puzzle.source
    assert again.left_out == ()


def test_what_burrtools_counts_another_way_is_told() -> None:
    (sentence,) = changed_in_export(library.load("bedlam"))
    assert "a solution and its mirror image as one" in sentence
    assert changed_in_export(library.load("soma")) == []


def test_somebody_elses_comment_is_the_source(tmp_path: Path) -> None:
    puzzle = read(SMALL.replace("by hand", "by hand,\n  in 2024"), tmp_path).puzzle
    assert (puzzle.title, puzzle.source) == ("small", "by hand, in 2024")
    assert puzzle.reflections


cells = st.frozensets(st.tuples(*[st.integers(0, 3)] * 3), min_size=1, max_size=9)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.tuples(cells, st.integers(0, 3), st.integers(1, 3)), min_size=1, max_size=5),
    cells,
    cells,
)
def test_any_plain_puzzle_survives(tmp_path_factory, pieces, required, optional) -> None:  # type: ignore[no-untyped-def]
    low = [min(cell[axis] for cell in required | optional) for axis in range(3)]
    needed, allowed = (
        frozenset((x - low[0], y - low[1], z - low[2]) for x, y, z in part)
        for part in (required, optional - required)
    )
    puzzle = PackingPuzzle(
        "any",
        "Any <title> & more",
        Target(needed, allowed),
        tuple(
            Piece(f'piece <{number}> & "more"', Shape(shape), least, least + more)
            for number, (shape, least, more) in enumerate(pieces)
        ),
        reflections=len(pieces) % 2 == 0,
        source="one line\nand another",
    )
    again = read(to_xml(puzzle), tmp_path_factory.mktemp("any")).puzzle
    assert (again, again.source) == (puzzle, puzzle.source)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("<puzzle", "<poem"), "not XML"),
        (("puzzle", "poem"), "outermost element is <poem>"),
        (('type="0"/>', 'type="2"/>'), "has a voxel at .*, where no sphere is"),
        (('type="0"/>', 'type="9"/>'), r"there is no grid 9; known are 0 \(cubes\), 1"),
        (("#####+++", "#####++"), "shape box has 7 voxels, not 8"),
        (("#####+++", "#####++?"), "other marks"),
        (("#####+++", "________"), "target is empty"),
        (('z="2"', 'z="9999999999999"'), "z of <voxel> must be a number"),
        (('z="2"', 'z="99999"'), "more than 250000 voxels"),
        (("#####+++", "#1" * 20), "shape box has more marks than 8 voxels have"),
        (('z="2"', ""), "lacks the attribute z"),
        (('<result id="2"/>\n', '<result id="7"/>\n'), "uses shape 7, but there are 3"),
        (('<result id="2"/>\n', ""), "must hold one <result>, not 0"),
        (('id="1" min="0" max="2"', 'id="2"'), "piece box has variable voxels"),
        (('min="0" max="2"', 'min="3" max="2"'), "max of <shape> must be a number from 3"),
        (('state="2"', 'maxHoles="-1"'), "maxHoles of <problem> must be a number from 0"),
        (("#####+++", "#99####+++"), "The target: colours are numbers from 1 to 61"),
        (('max="2" group="1"', 'max="2" group="x"'), "group of <shape> must be a number from 0"),
        (('<gridType type="0"/>', '<gridType type="0"/>' * 2), "must hold one <gridType>, not 2"),
    ],
)
def test_what_cannot_be_read_or_represented_is_named(
    change: tuple[str, str], message: str, tmp_path: Path
) -> None:
    text = SMALL.replace(*change)
    assert text != SMALL
    with pytest.raises(PuzzleFileError, match=message):
        read(text, tmp_path)


def test_files_from_before_there_were_grids_are_made_of_cubes(tmp_path: Path) -> None:
    text = SMALL.replace('<gridType type="0"/>', "")
    assert read(text, tmp_path) == read(SMALL, tmp_path)


def test_shapes_that_the_problem_does_not_use_may_be_anything(tmp_path: Path) -> None:
    unused = '<voxel x="0" y="0" z="0" type="0"/><voxel x="9000" y="9" z="9" type="0">?</voxel>'
    text = SMALL.replace("</shapes>", unused + "</shapes>", 1)
    assert read(text, tmp_path) == read(SMALL, tmp_path)


def test_a_problem_without_a_name_has_that_of_its_file(tmp_path: Path) -> None:
    file = tmp_path / "Cube No. 2.5.xmpuzzle"
    file.write_text(SMALL.replace(' name="small"', ""), encoding="utf-8")
    assert burrtools.load(file).puzzle.name == "Cube No. 2.5"


def test_names_that_are_blank_or_taken_are_made_new(tmp_path: Path) -> None:
    names = ("A", "A", "A (2)", "A", " ", "")
    shapes = "".join(f'<voxel x="1" y="1" z="1" type="0" name="{name}">#</voxel>' for name in names)
    uses = "".join(f'<shape id="{number}" count="1"/>' for number in range(len(names)))
    text = SMALL.replace("<shapes>", f"<shapes>{shapes}", 1).replace(
        '<result id="2"', '<result id="8"'
    )
    text = text.replace('<shapes><shape id="0" count="1"/>', f"<shapes>{uses}").replace(
        '<shape id="1" min="0" max="2" group="1"/>', ""
    )
    pieces = read(text, tmp_path).puzzle.pieces
    assert [piece.name for piece in pieces] == ["A", "A (2)", "A (2) (2)", "A (3)", "S5", "S6"]


def test_group_0_leaves_it_to_the_list_of_groups(tmp_path: Path) -> None:
    listed = 'group="0"><group group="3" count="2"/></shape>'
    text = SMALL.replace('max="2" group="1"/>', f'max="2" {listed}')
    assert read(text, tmp_path).puzzle.pieces[1].groups == ((3, 2),)


def test_without_a_list_of_colours_none_counts(tmp_path: Path) -> None:
    text = SMALL.replace("#####+++", "#2####+++")
    text = text.replace('<color red="1" green="2" blue="3"/>', "")
    imported = read(text, tmp_path)
    assert "colours of voxels, none of which the file lists" in imported.left_out
    assert imported.puzzle.marks == ()


# Piece 0 has colours 1 and 2, which only fit on themselves; the box has both.
COLOURED = """<puzzle version="2"><gridType type="0"/>
  <colors><color red="1" green="2" blue="3"/><color red="9" green="9" blue="9"/></colors>
  <shapes>
    <voxel x="2" y="1" z="1" name="key">#1#2</voxel>
    <voxel x="1" y="1" z="1" name="stone">#</voxel>
    <voxel x="2" y="2" z="1" name="box">#1+2##</voxel>
  </shapes>
  <problems><problem maxHoles="0">
    <shapes>
      <shape id="0" count="1"/>
      <shape id="1" min="0" max="4"><group group="2" count="3"/><group group="1" count="1"/></shape>
    </shapes>
    <result id="2"/>
    <bitmap><pair piece="0" result="0"/><pair piece="1" result="1"/></bitmap>
  </problem></problems>
</puzzle>"""


def test_colour_rules_holes_and_groups_are_read_and_written(tmp_path: Path) -> None:
    imported = read(COLOURED, tmp_path)
    puzzle = imported.puzzle
    assert imported.left_out == ()
    assert puzzle.kind("colours").pairs == {(1, 1), (2, 2)}
    assert puzzle.target.marks == on_cells([((0, 0, 0), 1), ((1, 0, 0), 2)])
    key, stone = puzzle.pieces
    assert key.marks == on_cells([((0, 0, 0), 1), ((1, 0, 0), 2)])
    assert (stone.marks, stone.groups) == (frozenset(), ((2, 3), (1, 1)))
    assert puzzle.max_holes == 0
    # The key lies on its colours, or on a neutral row or on neutral and coloured cells.
    assert solver.count(puzzle).total == solver.count(loads(dumps(puzzle))).total == 5
    again = read(to_xml(puzzle), tmp_path).puzzle
    assert (again, again.name) == (replace(puzzle, reflections=again.reflections), puzzle.name)


def test_colours_that_forbid_nothing_are_kept(tmp_path: Path) -> None:
    free = COLOURED.replace(
        "<bitmap>", '<bitmap><pair piece="0" result="1"/><pair piece="1" result="0"/>'
    )
    puzzle = read(free, tmp_path).puzzle
    assert puzzle.kind("colours").pairs == {(1, 1), (1, 2), (2, 1), (2, 2)}
    assert puzzle.target.marks == on_cells([((0, 0, 0), 1), ((1, 0, 0), 2)])
    # The key lies in both directions on each of four pairs of neighbours.
    assert solver.count(puzzle).total == 8


ASSEMBLY = "<assembly>0 0 0 0</assembly>"
# The square below; above it one pair in front, or both side by side.
SOLVED = "0 0 0 0 0 0 1 0 x", "0 0 0 0 0 0 1 16 1 1 1 22"


def test_saved_solutions_and_weights_survive_the_way_out_and_back(tmp_path: Path) -> None:
    listed = "</solution><solution>".join(f"<assembly>{text}</assembly>" for text in SOLVED)
    imported = read(SMALL.replace(ASSEMBLY, listed), tmp_path)
    assert imported.left_out == ("1 other problem",)
    one, two = imported.puzzle.saved
    square = frozenset(product((0, 1), (0, 1), (0,)))
    front = frozenset({(0, 0, 1), (1, 0, 1)})
    assert [(each.piece, each.cells) for each in one.placements] == [
        ("bent", square),
        ("S2", front),
    ]
    sides = [frozenset({(x, 0, 1), (x, 1, 1)}) for x in (0, 1)]
    assert [each.cells for each in two.placements] == [square, *sides]
    for saved in (one, two):
        check_solution(imported.puzzle, saved)
    kept = loads(dumps(imported.puzzle))
    assert (kept, kept.saved) == (imported.puzzle, imported.puzzle.saved)
    written = to_xml(kept)
    assert 'weight="2"' in written
    # Of the transformations that turn a piece the same way the first is written.
    assert re.findall("<assembly>(.*)</assembly>", written) == [
        SOLVED[0],
        "0 0 0 0 0 0 1 16 1 0 1 16",
    ]
    assert read(written, tmp_path).puzzle.saved == imported.puzzle.saved


@pytest.mark.parametrize(
    "wrong",
    [
        "0 0 0 0 0 0 1 0",  # a copy is missing
        "0 0 0 0 0 0 1 0 x x",
        "0 0 0 0 x x",  # a cell is not filled
        "0 0 0 0 0 0 0 0 0 0 1 0",  # two pieces in one place
        "0 0 0 0 1 0 1 0 0 0 1 16",  # out of the target
        "0 0 0 24 0 0 1 0 x",
        "0 0 0 a 0 0 1 0 x",
    ],
)
def test_saved_solutions_that_are_none_are_left_out(wrong: str, tmp_path: Path) -> None:
    listed = f"<assembly>{SOLVED[0]}</assembly></solution><solution><assembly>{wrong}</assembly>"
    imported = read(SMALL.replace(ASSEMBLY, listed), tmp_path)
    assert len(imported.puzzle.saved) == 1
    assert imported.left_out == ("1 other problem", "1 saved solution")


def test_transformations_are_numbered_as_burrtools_does() -> None:
    """Facts: where x, y and z go under some of BurrTools' rotations of cubes."""
    axes = (1, 0, 0), (0, 1, 0), (0, 0, 1)
    for number, images in {
        1: ((1, 0, 0), (0, 0, 1), (0, -1, 0)),
        4: ((0, 0, 1), (0, 1, 0), (-1, 0, 0)),
        7: ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
        16: ((0, 1, 0), (-1, 0, 0), (0, 0, 1)),
        20: ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
        23: ((0, -1, 0), (0, 0, -1), (1, 0, 0)),
    }.items():
        assert tuple(turned(axis, number) for axis in axes) == images
    assert len({tuple(turned(axis, n) for axis in axes) for n in range(24)}) == 24


def test_only_some_saved_solutions_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = "</solution><solution>".join([f"<assembly>{SOLVED[0]}</assembly>"] * 5)
    text = SMALL.replace(ASSEMBLY, f"{listed}<separation/>")
    with monkeypatch.context() as patched:
        patched.setattr(xml, "MAX_ASSEMBLIES", 3)
        imported = read(text, tmp_path)
        assert len(imported.puzzle.saved) == 3
        apart = "how saved solutions come apart"
        assert imported.left_out[1:] == ("further saved solutions", apart)
    # A drawing has 8 cells, and the two names have 6 letters.
    monkeypatch.setattr(burrtools, "MAX_SAVED_SIGNS", 2 * (8 + 6))
    imported = read(text, tmp_path)
    assert len(imported.puzzle.saved) == 2
    assert imported.left_out[1] == "3 saved solutions"


def nested(depth: int) -> str:
    inner = "<state><dx>0</dx></state>"
    for _ in range(depth):
        inner = f"<separation><pieces count='2'>0 1</pieces>{inner}</separation>"
    return f"<solutions><solution>{inner}</solution></solutions>"


def test_saved_ways_apart_may_be_nested_as_deep_as_pieces_leave(tmp_path: Path) -> None:
    text = SMALL.replace(
        "<solutions><solution><assembly>0 0 0 0</assembly></solution></solutions>", ""
    )
    deep = text.replace("<bitmap/>", f"<bitmap/>{nested(60)}", 1)
    assert "saved solutions" in read(deep, tmp_path).left_out
    for place in ("<bitmap/>", "<comment>"):
        with pytest.raises(PuzzleFileError, match="nested too deeply"):
            read(text.replace(place, place + "<x>" * 30 + "</x>" * 30, 1), tmp_path)
    with pytest.raises(PuzzleFileError, match="nested too deeply"):
        read(text.replace("<bitmap/>", f"<bitmap/>{nested(2000)}", 1), tmp_path)
    # What follows the saved solutions is bounded as before.
    after = deep.replace("<comment>", "<comment>" + "<x>" * 30 + "</x>" * 30)
    with pytest.raises(PuzzleFileError, match="nested too deeply"):
        read(after, tmp_path)


def test_latin_1_that_is_not_declared_is_read(tmp_path: Path) -> None:
    text = SMALL.replace("by hand", "von Jürgen").replace("bent", "größer")
    for encoded in (text.encode("latin-1"), gzip.compress(text.encode("latin-1")), text.encode()):
        puzzle = read(encoded, tmp_path).puzzle
        assert (puzzle.source, puzzle.pieces[0].name) == ("von Jürgen", "größer")
    declared = text.replace('"1.0"', '"1.0" encoding="ISO-8859-1"').encode("latin-1")
    assert read(declared, tmp_path).puzzle.source == "von Jürgen"
    path = tmp_path / "test.xmpuzzle"
    plain = text_of(read_plain(path), path)
    assert "encoding" not in plain
    assert "von Jürgen" in plain


@pytest.mark.parametrize("declared", ["", ' encoding="UTF-16"'])
def test_utf_16_is_read(declared: str, tmp_path: Path) -> None:
    text = SMALL.replace("by hand", "von Jürgen").replace('"1.0"', f'"1.0"{declared}')
    assert read(text.encode("utf-16"), tmp_path).puzzle.source == "von Jürgen"
    path = tmp_path / "test.xmpuzzle"
    assert text_of(read_plain(path), path) == text.replace(declared, "")


def test_a_whole_file_may_be_checked_whatever_its_problems_are(tmp_path: Path) -> None:
    path = tmp_path / "test.xmpuzzle"
    unusual = SMALL.replace('<problem><shapes/><result id="2"/></problem>', "<problem/><problem/>")
    unusual = unusual.replace('id="1" min="0"', 'id="2" min="0"').replace(
        "</shapes>", '<voxel x="0" y="3" z="3" type="0"/></shapes>', 1
    )
    path.write_text(unusual, encoding="utf-8")
    assert burrtools.check(path) == burrtools.Contents("small", 4, 3)
    path.write_text('<puzzle version="2"><shapes/><problems/></puzzle>', encoding="utf-8")
    assert burrtools.check(path) == burrtools.Contents("test", 0, 0)
    for change in (("#####+++", "#####++"), ('id="1"', 'id="3"'), ('max="2"', 'max="-2"')):
        path.write_text(SMALL.replace(*change), encoding="utf-8")
        with pytest.raises(PuzzleFileError, match=r"test\.xmpuzzle: .*\.$"):
            burrtools.check(path)


def test_other_problems_can_be_chosen(tmp_path: Path) -> None:
    with pytest.raises(PuzzleFileError, match="no pieces"):
        read(SMALL, tmp_path, problem=2)
    with pytest.raises(PuzzleFileError, match="there is no problem 3; the file has 2"):
        read(SMALL, tmp_path, problem=3)


def billion_laughs() -> bytes:
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    return f'<!DOCTYPE p [<!ENTITY l0 "ha">{entities}]><puzzle>&l9;</puzzle>'.encode()


def quadratic_blowup() -> bytes:
    return f'<!DOCTYPE p [<!ENTITY a "{"a" * 50_000}">]><puzzle>{"&a;" * 50_000}</puzzle>'.encode()


BOMBS: dict[str, Callable[[], bytes]] = {
    "billion laughs": billion_laughs,
    "quadratic blow-up": quadratic_blowup,
    "external entity": lambda: (
        b'<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/passwd">]><puzzle>&x;</puzzle>'
    ),
    "unknown encoding": lambda: b'<?xml version="1.0" encoding="klingon"?><puzzle/>',
    "zip bomb": lambda: gzip.compress(b" " * (MAX_XML_BYTES + 1_000_000)),
    "deep nesting": lambda: b"<puzzle>" * 100_000,
    "many elements": lambda: b"<puzzle>" + b"<pair/>" * 30_000 + b"</puzzle>",
    "10 MB of noise": lambda: random.Random(1).randbytes(10_000_000),
    "noise in gzip": lambda: gzip.compress(random.Random(2).randbytes(1_000_000)),
    "damaged gzip": lambda: b"\x1f\x8b" + random.Random(3).randbytes(1000),
    "broken off gzip": lambda: gzip.compress(SMALL.encode())[:-12],
    "empty": lambda: b"",
    "binary zeros": lambda: bytes(1000),
    "too many bytes": lambda: b"<puzzle>" + b" " * MAX_XML_BYTES + b"</puzzle>",
}


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS.keys())
def test_bombs_and_noise_end_in_a_sentence(bomb: Callable[[], bytes], tmp_path: Path) -> None:
    with pytest.raises(PuzzleFileError, match=r"test\.xmpuzzle.*\.$"):
        read(bomb(), tmp_path)


def test_many_unknown_elements_are_dropped_while_reading(tmp_path: Path) -> None:
    many = "<solutions>" + "<solution><a/></solution>" * 50_000 + "</solutions>"
    text = SMALL.replace("</problem>", many + "</problem>", 1).replace("#1###1", "#1#_#1")
    assert read(text, tmp_path).puzzle.name == "small"


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(PuzzleFileError, match="cannot be read: No such file"):
        burrtools.load(tmp_path / "missing.xmpuzzle")


@pytest.mark.parametrize(
    ("name", "lost"), [("drilled-cube", "bores through pieces"), ("ct-puzzle-logo", "fixed")]
)
def test_export_names_what_it_cannot_represent(name: str, lost: str) -> None:
    with pytest.raises(PuzzleError, match=lost):
        to_xml(library.load(name))
