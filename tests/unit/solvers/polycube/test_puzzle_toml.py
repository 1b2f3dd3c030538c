"""Puzzle files: what is written is read again, and what is wrong is named with its line."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.foundation.typed_files import LARGEST_TOML_BYTES
from solvers.polycube import library
from solvers.polycube.errors import PuzzleError, PuzzleFileError
from solvers.polycube.marks import along_lines
from solvers.polycube.puzzle import PackingPuzzle, Piece, Shape, Target
from solvers.polycube.puzzle_file import (
    dumps,
    load,
    loads,
    loads_pieces,
)
from solvers.polycube.solving import solver
from solvers.polycube.solving.parts import puzzle_hash
from solvers.polycube.text_drawing import draw
from tests.oracles.packing_rules import check_solution

GOOD = """\
name = "small"
title = "A small puzzle"
reflections = true

[target]
layers = '''
##+ #..
##. ...
'''

[[piece]]
name = "L"
layers = '''
##
#.
'''

[[piece]]
name = "I"
copies = [0, 2]
layers = "#"
"""

small = st.integers(0, 2)
cells = st.sets(st.tuples(small, small, small), min_size=1, max_size=6).map(frozenset)
texts = st.text(min_size=1, max_size=12).filter(lambda text: text.strip())


@st.composite
def puzzles(draw: st.DrawFn) -> PackingPuzzle:
    required = draw(cells)
    optional = draw(cells) - required
    names = draw(st.lists(texts, min_size=1, max_size=3, unique=True))
    pieces = []
    for name in names:
        least = draw(small)
        most = max(1, least + draw(small))
        pieces.append(Piece(name, Shape(draw(cells)), least, most))
    return PackingPuzzle(
        draw(texts),
        draw(texts),
        Target(required, optional),
        tuple(pieces),
        reflections=draw(st.booleans()),
        mirror_pieces=draw(st.booleans()),
        source=draw(st.text(max_size=5)),
    )


def at_the_origin(target: Target) -> tuple[frozenset[tuple[int, int, int]], ...]:
    low, _high = target.bounding_box
    return tuple(
        frozenset((x - low[0], y - low[1], z - low[2]) for x, y, z in part)
        for part in (target.required, target.optional)
    )


@settings(deadline=None)
@given(puzzles())
def test_a_puzzle_survives_its_file(puzzle: PackingPuzzle) -> None:
    again = loads(dumps(puzzle))
    assert (again.name, again.title, again.source) == (puzzle.name, puzzle.title, puzzle.source)
    assert again.pieces == puzzle.pieces
    assert (again.reflections, again.mirror_pieces) == (puzzle.reflections, puzzle.mirror_pieces)
    assert (again.target.required, again.target.optional) == at_the_origin(puzzle.target)
    assert dumps(again) == dumps(puzzle)


def test_bores_and_fixed_pieces_survive_too(tmp_path: Path) -> None:
    tromino = Shape.from_layers([["##", "#."]])
    puzzle = PackingPuzzle(
        "drilled",
        "Drilled",
        Target.box(2, 2),
        (
            Piece("a", tromino, marks=along_lines({(0, 0, 0), (2, 1, 0)}, tromino.cells)),
            Piece("b", Shape.of([(0, 0, 0)]), fixed_at=frozenset({(1, 1, 0)})),
        ),
    )
    path = tmp_path / "drilled.toml"
    path.write_text(dumps(puzzle), encoding="utf-8")
    assert load(path) == puzzle


def test_the_examples_of_the_docs_are_puzzles_with_a_solution() -> None:
    guide = Path(__file__).resolve().parents[4] / "docs" / "packing.md"
    blocks = guide.read_text(encoding="utf-8").split("```toml\n")[1:]
    puzzles = [loads(block.split("```")[0]) for block in blocks]
    for puzzle in puzzles:
        found = solver.first(puzzle)
        assert found is not None
        check_solution(puzzle, found)
    assert [[kind.name for kind in puzzle.marks] for puzzle in puzzles] == [
        ["bores"],
        ["colours"],
        ["bores", "colours", "notches", "picture"],
        [],
    ]


def test_reads_drawings() -> None:
    puzzle = loads(GOOD)
    assert puzzle.target.required == {(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0), (0, 0, 1)}
    assert puzzle.target.optional == {(2, 0, 0)}
    assert puzzle.piece("L").shape == Shape.from_layers([["##", "#."]])
    assert (puzzle.piece("I").copies_min, puzzle.piece("I").copies_max) == (0, 2)
    assert puzzle.reflections


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('name = "small"', "name = 3", 1, "name must be a text"),
        ('title = "A small puzzle"', 'titel = "A"', 2, "unknown key 'titel'"),
        ("reflections = true", 'reflections = "yes"', 3, "true or false"),
        ("##+ #..", "##? #..", 7, "'?'"),
        ("##. ...", "##. ..", 8, "equally wide"),
        ("##. ...", "##.", 8, "same number"),
        ("##+ #..\n##. ...\n", "... ...\n", 5, "empty"),
        ("layers = '''\n##+ #..\n##. ...\n'''", "", 5, "either a box or layers"),
        ("layers = '''\n##+ #..\n##. ...\n'''", "box = [2, 2, 0]", 5, "holds no cell"),
        ("layers = '''\n##+ #..\n##. ...\n'''", "box = 7", 6, "must be a list"),
        ("layers = '''\n##+ #..\n##. ...\n'''", "box = [99999, 99999]", 5, "is the most"),
        ("##+ #..\n", "#" * 100_001, 7, "more than 100000 cells"),
        ('name = "L"\n', "", 11, "'name' is missing"),
        ("##\n#.\n", "..\n", 13, "shows no '#'"),
        ("##\n#.\n", "#x\n", 14, "'x'"),
        ("copies = [0, 2]", "copies = [2, 0]", 18, "are impossible"),
        ("copies = [0, 2]", "copies = 0.5", 20, "copies must be a whole number or a list"),
        ("copies = [0, 2]", "bores = { x = [[0, 7]] }", 20, "none of its cubes"),
        (
            "copies = [0, 2]",
            "bores = { w = [[0, 0]] }",
            20,
            "'w'. The keys are x, y, z",
        ),
        ("copies = [0, 2]", "bores = { x = [3] }", 20, "must be a list"),
        ("copies = [0, 2]", "fixed_at = '''\n##\n'''", 18, "not have the shape"),
    ],
)
def test_mistakes_are_named_with_their_line(old: str, new: str, line: int, words: str) -> None:
    assert old in GOOD
    with pytest.raises(PuzzleFileError) as raised:
        loads(GOOD.replace(old, new), "my.toml")
    assert str(raised.value).startswith(f"my.toml, line {line}: ")
    assert words in str(raised.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name = ",
        "[[[[",
        "piece = 3",
        'name = "x"\ntarget = 3',
        'name = "x"\n[target]\nbox = [1, 1]\n',
        "a = " + "[" * 5000,
        GOOD.replace('name = "I"', 'name = "L"'),
    ],
)
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(PuzzleFileError):
        loads(text)


@settings(deadline=None)
@given(st.text(max_size=200))
def test_no_text_makes_it_stumble(text: str) -> None:
    with pytest.raises(PuzzleFileError):
        loads(text)


def test_files_that_are_no_puzzle_are_refused(tmp_path: Path) -> None:
    noise = tmp_path / "noise.toml"
    noise.write_bytes(b"\x9f" * (LARGEST_TOML_BYTES + 1))
    with pytest.raises(PuzzleFileError, match="more than 512 KB"):
        load(noise)
    noise.write_bytes(b"name = 1\n\xff\xfe")
    with pytest.raises(PuzzleFileError, match="line 2, is not TOML: it is not UTF-8"):
        load(noise)
    with pytest.raises(PuzzleFileError, match="cannot be read"):
        load(tmp_path / "missing.toml")


def test_pieces_alone() -> None:
    text = '[[piece]]\nname = "1"\nlayers = "##"\n'
    assert loads_pieces(text) == (Piece("1", Shape.from_layers([["##"]])),)
    with pytest.raises(PuzzleFileError, match="no \\[\\[piece\\]\\]"):
        loads_pieces("")


def test_nothing_is_drawn_as_nothing() -> None:
    assert draw((), {}) == ""
    assert draw({(0, 0, 0), (1, 1, 1)}, lambda cell: str(sum(cell))) == "0. ..\n.. .3"


def test_volume_is_checked() -> None:
    piece = Piece("L", Shape.from_layers([["##", "#."]]))
    small = PackingPuzzle("p", "p", Target.box(2, 2), (piece,))
    with pytest.raises(PuzzleError, match="have 3 cubes, but its target needs 4"):
        small.check_volume()
    crowded = PackingPuzzle("p", "p", Target.box(1, 2), (piece,))
    with pytest.raises(PuzzleError, match="room for 2 only"):
        crowded.check_volume()


def test_a_drawing_is_written_right_below_its_quotes() -> None:
    text = dumps(library.load("soma"))
    assert "[target]\nlayers = '''\n### ### ###\n" in text
    assert "'''\n\n#" not in text


WITH_SOLUTION = (
    """\
name = "two"
[target]
box = [2, 2]
[[piece]]
name = "I"
layers = "##"
copies = 2
weight = 3
[[solution]]
pieces = ["I", "I"]
layers = """
    + '"""'
    + """
AB
AB
"""
    + '"""'
    + """
"""
)


def test_known_solutions_are_read_and_written() -> None:
    puzzle = loads(WITH_SOLUTION)
    (saved,) = puzzle.saved
    assert [sorted(each.cells) for each in saved.placements] == [
        [(0, 0, 0), (0, 1, 0)],
        [(1, 0, 0), (1, 1, 0)],
    ]
    assert puzzle.pieces[0].weight == 3
    again = loads(dumps(puzzle))
    assert (again, again.saved) == (puzzle, puzzle.saved)


@pytest.mark.parametrize(
    ("what", "instead", "sentence"),
    [
        ("AB\nAB", "AA\nAB", "line 11: A is not I, placed in the target"),
        ('"I", "I"', '"I", "J"', "line 10: Puzzle two has no piece J"),
        ('"I", "I"', '"I"', "line 12: 'B' is not one of the marks A ."),
        ("AB\nAB", "ABAB", "A is not I, placed in the target"),
    ],
)
def test_wrong_known_solutions_are_refused(what: str, instead: str, sentence: str) -> None:
    with pytest.raises(PuzzleFileError, match=re.escape(sentence)):
        loads(WITH_SOLUTION.replace(what, instead))


def test_known_solutions_do_not_change_what_a_count_is_resumed_by() -> None:
    puzzle = loads(WITH_SOLUTION)
    assert puzzle_hash(puzzle) == puzzle_hash(replace(puzzle, saved=()))
