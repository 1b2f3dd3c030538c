"""Marks of all rules in one puzzle: their counts against trying everything, and their files."""

import random
import re
from dataclasses import replace
from itertools import pairwise

import pytest

from solvers.polycube import library
from solvers.polycube.errors import PuzzleError, PuzzleFileError
from solvers.polycube.lattice import Cell
from solvers.polycube.lattices import CUBES
from solvers.polycube.marks import (
    BORES,
    COLOURS,
    FACES,
    ON_CELL,
    Mark,
    MarkKind,
    Rule,
    along_lines,
    beyond,
    line_through,
    shifted,
)
from solvers.polycube.puzzle import PackingPuzzle, Piece, Shape, Target
from solvers.polycube.puzzle_file import dumps, loads
from solvers.polycube.solving import solver
from tests.oracles.marked_packings import MarkedPuzzle

BOX = sorted((x, y, z) for x in range(2) for y in range(2) for z in range(2))
KINDS = (
    BORES,
    replace(COLOURS, pairs=frozenset({(1, 1), (2, 2)})),
    MarkKind("notches", Rule.MATCH, frozenset({(1, 2), (2, 0)})),
    MarkKind("picture", Rule.SHOW),
    MarkKind("rods", Rule.THROUGH),
)


def without(puzzle: PackingPuzzle, kind: str) -> PackingPuzzle:
    """Return a puzzle without marks of a kind."""

    def rest(marks: frozenset[Mark]) -> frozenset[Mark]:
        return frozenset(mark for mark in marks if mark.kind != kind)

    return replace(
        puzzle,
        target=replace(puzzle.target, marks=rest(puzzle.target.marks)),
        pieces=tuple(replace(each, marks=rest(each.marks)) for each in puzzle.pieces),
    )


def counts(puzzle: PackingPuzzle) -> tuple[int, int]:
    """Return the number of solutions up to rotations, and up to reflections, both checked."""
    wanted = MarkedPuzzle(dumps(puzzle))
    counted = [solver.count(replace(puzzle, reflections=with_them)) for with_them in (False, True)]
    assert {each.total for each in counted} == {len(wanted.solutions)}
    rotated, mirrored = (each.up_to_symmetry for each in counted)
    assert rotated == wanted.classes(reflections=False)
    assert mirrored == wanted.classes(reflections=True)
    return rotated, mirrored


def test_the_marked_box_needs_all_of_its_rules() -> None:
    puzzle = library.load("marked-box")
    assert [kind.rule for kind in puzzle.marks] == [Rule.THROUGH, Rule.FIT, Rule.MATCH]
    assert counts(puzzle) == (1, 1)
    # Fewer rules make trying everything slow, so that only the search counts without notches.
    assert counts(without(puzzle, "colours")) == (2, 2)
    for kind, number in (("bores", 12), ("notches", 32)):
        assert solver.count(without(puzzle, kind)).up_to_symmetry == number


def random_puzzle(draw: random.Random) -> PackingPuzzle:
    """Return a cut of a small box with marks that its pieces agree on, or nearly."""
    cut = draw.choice([(0, 2, 5, 8), (0, 3, 6, 8), (0, 1, 4, 8), (0, 4, 8)])
    order = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 1, 1), (0, 0, 1), (1, 0, 1), (1, 1, 1)]
    pieces = [order[a:b] for a, b in pairwise(cut)]
    lines = {
        kind: {line_through(draw.choice(BOX), draw.randrange(3)) for _ in range(draw.randrange(3))}
        for kind in ("bores", "rods")
    }
    fields = {cell: 1 + sum(cell) % 2 for cell in BOX}
    shown = {(cell, way): 1 + draw.randrange(2) for cell in BOX[:3] for way in FACES[:2]}
    shown = {at: n for at, n in shown.items() if beyond(*at) not in BOX and draw.random() < 0.7}
    joints: dict[tuple[Cell, Cell], int] = {}
    for one in pieces:
        for cell in one:
            for way in FACES[::2]:
                other = beyond(cell, way)
                if other in BOX and other not in one and draw.random() < 0.3:
                    back = (-way[0], -way[1], -way[2])
                    joints |= {(cell, way): 1, (other, back): 2}
    made = []
    for number, cells in enumerate(pieces):
        marks = {Mark("notches", *at, value) for at, value in joints.items() if at[0] in cells}
        marks |= {Mark("picture", *at, value) for at, value in shown.items() if at[0] in cells}
        marks |= {Mark("colours", at, ON_CELL, fields[at]) for at in cells if draw.random() < 0.3}
        for kind, wanted in lines.items():
            through = {line_through(at, axis) for at in cells for axis in range(3)}
            marks |= along_lines(wanted & through, cells, kind)
        x, y, z = CUBES.low(cells)
        own = shifted(marks, (-x, -y, -z))
        made.append(Piece(str(number), Shape(frozenset(cells)), marks=own))
    board = {Mark("colours", at, ON_CELL, fields[at]) for at in BOX if draw.random() < 0.7}
    board |= {Mark("picture", *at, value) for at, value in shown.items()}
    target = Target(frozenset(BOX), marks=frozenset(board))
    return PackingPuzzle("r", "R", target, tuple(made), kinds=KINDS)


def test_all_kinds_at_once_are_counted_as_by_trying_everything() -> None:
    found = []
    for seed in range(16):
        draw = random.Random(seed)
        puzzle = random_puzzle(draw)
        for kind in draw.sample(["bores", "rods", "colours", "notches", "picture"], seed % 4):
            puzzle = without(puzzle, kind)
        found.append(counts(puzzle))
    assert all(number for number, _ in found)  # each is made from a solution
    assert len(set(found)) > 3
    assert any(mirrored < rotated for rotated, mirrored in found)


@pytest.mark.parametrize("name", ["marked-box", "random"])
def test_marks_survive_their_file(name: str) -> None:
    puzzle = random_puzzle(random.Random(3)) if name == "random" else library.load(name)
    again = loads(dumps(puzzle))
    assert set(again.kinds) == set(puzzle.kinds)
    assert (again.pieces, again.target) == (puzzle.pieces, puzzle.target)


GOOD = """\
name = "two"
[marks.notches]
rule = "match"
pairs = ["ts"]
[target]
box = [2, 1]
[[piece]]
name = "a"
layers = "#"
marks.notches.right = "t"
[[piece]]
name = "b"
layers = "#"
[piece.marks.notches]
left = "s"
"""


def test_the_smallest_puzzle_with_a_tab_and_a_slot() -> None:
    # Each piece turns freely about the line through tab and slot, which marks nothing else.
    assert solver.count(loads(GOOD)).up_to_symmetry == 1


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('"match"', '"glue"', 3, "rule must be one of fit, match, show, through, not 'glue'"),
        ('"ts"', '"tsx"', 4, "'tsx' is no pair of marks; a pair is two characters"),
        ('pairs = ["ts"]\n', "", 2, "rule match needs pairs"),
        ('"match"', '"show"', 4, "rule show has no pairs; leave them out"),
        ("[marks.notches]", "[marks.bores]", 2, "every puzzle knows bores; leave their rule out"),
        ('right = "t"', 'right = ".t"', 10, "'t' at column 2 of layer 1, where the piece has no"),
        ('left = "s"', 'left = ["s"]', 15, "left must be a text or nothing"),
        ('left = "s"', 'over = "s"', 15, "unknown key 'over'"),
        ("marks.notches.right", "marks.nothces.right", 10, "marks nothces have no rule; give them"),
        ("marks.notches.right", "marks.notches", 10, "notches are drawn on faces: right, left,"),
        ('right = "t"', "x = [[0, 0]]", 10, "notches are drawn on faces: right, left,"),
        ('"match"\npairs = ["ts"]', '"through"', 9, "notches are lines: x, y or z"),
        ('"match"\npairs = ["ts"]', '"fit"', 9, "notches are one drawing of the cells"),
        ("marks.notches.right", "colours.right", 10, "colours must be a text or nothing"),
        ("marks.notches.right", "marks.colours", 10, "write colours instead of marks.colours"),
        ("[target]", "[[target]]\nbox = [9, 1]\n[[target]]", 5, "needs a name of its own"),
    ],
)  # fmt: skip
def test_mistakes_in_marks_are_named_with_their_line(
    old: str, new: str, line: int, words: str
) -> None:
    assert old in GOOD
    with pytest.raises(PuzzleFileError) as raised:
        loads(GOOD.replace(old, new), "my.toml")
    assert str(raised.value).startswith(f"my.toml, line {line}: ")
    assert words in str(raised.value)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"t"', '"q"', "'q' is in no pair of marks notches"),
        ('layers = "#"\nmarks', 'layers = "##"\nmarks', "which is inside; mark outer faces only"),
    ],
)
def test_marks_that_no_rule_allows_are_refused(old: str, new: str, words: str) -> None:
    with pytest.raises(PuzzleFileError, match=re.escape(words)):
        loads(GOOD.replace(old, new), "my.toml")


def test_kinds_have_a_name_each_and_include_bores_and_colours() -> None:
    puzzle = loads(GOOD)
    with pytest.raises(PuzzleError, match="Two kinds of marks have the same name"):
        replace(puzzle, kinds=(*puzzle.kinds, MarkKind("bores", Rule.SHOW)))
    with pytest.raises(PuzzleError, match="lack colours, which every puzzle knows"):
        replace(puzzle, kinds=tuple(each for each in puzzle.kinds if each.name != "colours"))


TWO_TARGETS = """\
name = "bars"
[[target]]
name = "row"
box = [4, 1]
[[target]]
name = "square"
title = "in a square"
box = [2, 2]
[[piece]]
name = "I"
layers = "##"
copies = 2
"""


def test_one_file_can_have_several_targets() -> None:
    row, square = loads(TWO_TARGETS), loads(TWO_TARGETS, target="square")
    assert (row.target_name, row.title, len(row.target.cells)) == ("row", "bars", 4)
    assert (square.title, solver.count(square).total) == ("bars: in a square", 2)
    assert row.target_names == square.target_names == ("row", "square")
    solved = TWO_TARGETS + '[[solution]]\npieces = ["I", "I"]\nlayers = "AABB"\n'
    assert len(loads(solved).saved) == 1
    assert loads(solved, target="square").saved == ()  # it is of the first target
    again = loads(dumps(square))
    assert (again, again.target_name) == (square, "square")
    with pytest.raises(PuzzleFileError, match="line 2: there is no target 'ring'; the targets are"):
        loads(TWO_TARGETS, "my.toml", "ring")
    with pytest.raises(PuzzleFileError, match="no target 'ring'; its target has no name"):
        loads(GOOD, "my.toml", "ring")
    with pytest.raises(PuzzleFileError, match="line 6: each of several targets needs a name"):
        loads(TWO_TARGETS.replace('"square"', '"row"'), "my.toml")
