"""Counts of BurrTools files against the rules of BurrTools, read and searched in another way.

The files are made by hand or at random. `tests/oracles/burrtools_counts.py` has the rules.
"""

import random
from collections.abc import Mapping
from itertools import product

import pytest

from solvers.polycube.burrtools import reader
from solvers.polycube.errors import PuzzleError
from solvers.polycube.solving import solver
from tests.oracles.burrtools_counts import BurrToolsCount

Voxels = dict[tuple[int, int, int], str]

SEED = 3

TWISTED = "##_#___#"  # of 2 x 2 x 2: a tetracube that has no mirror image among its turns
WAYS = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))


def counted(text: str) -> tuple[int, int]:
    """Return how many solutions are counted and how many are listed."""
    try:
        puzzle = reader.loads(text.encode(), "made").puzzle
        return solver.count(puzzle).up_to_symmetry, sum(1 for _ in solver.solutions(puzzle))
    except PuzzleError:
        return 0, 0  # volumes that cannot match


def voxel(size: str, marks: str) -> str:
    x, y, z = size.split("x")
    return f'<voxel x="{x}" y="{y}" z="{z}" type="0">{marks}</voxel>'


def file(
    shapes: list[str], uses: list[str], *, pairs: str = "", colours: int = 0, more: str = ""
) -> str:
    """Return a file whose last shape is the result; a use is `1` or `0-3`."""
    listed = ""
    for number, use in enumerate(uses):
        least, _, most = use.partition("-")
        listed += f'<shape id="{number}" min="{least}" max="{most or least}"/>'
    bitmap = "".join(f'<pair piece="{pair[0]}" result="{pair[1]}"/>' for pair in pairs.split())
    listed_colours = '<color red="1" green="2" blue="3"/>' * colours
    return (
        f'<puzzle version="2"><gridType type="0"/><colors>{listed_colours}</colors>'
        f"<shapes>{''.join(shapes)}</shapes><problems><problem {more}><shapes>{listed}</shapes>"
        f'<result id="{len(uses)}"/><bitmap>{bitmap}</bitmap></problem></problems></puzzle>'
    )


ROD, STONE, CORNER = voxel("2x1x1", "##"), voxel("1x1x1", "#"), voxel("2x2x1", "###_")
BY_HAND = {
    # A rod of two colours lies on the same cells in two ways.
    "colours that forbid nothing": (
        file([voxel("2x1x1", "#1#2"), STONE, voxel("3x1x1", "###")], ["1", "1"], colours=2),
        2,
    ),
    # The colour at one end of the result leaves it no turn.
    "a colour of the result that forbids nothing": (
        file([ROD, STONE, voxel("3x1x1", "#1##")], ["1", "1"], colours=1),
        2,
    ),
    "without it": (file([ROD, STONE, voxel("3x1x1", "###")], ["1", "1"], colours=1), 1),
    # Colour 1 may lie on 2; the other pair has no business here.
    "a pair": (
        file([voxel("1x1x1", "#1"), voxel("1x1x1", "#2"), voxel("2x1x1", "#2#")],
             ["1", "1"], pairs="01", colours=2),
        1,
    ),
    "a pair the other way round": (
        file([voxel("1x1x1", "#1"), voxel("1x1x1", "#2"), voxel("2x1x1", "#2#")],
             ["1", "1"], pairs="10", colours=2),
        0,
    ),
    "equal shapes of different colours": (
        file([voxel("1x1x1", "#1"), voxel("1x1x1", "#2"), voxel("3x1x1", "#+#")],
             ["1", "1"], colours=2),
        1,
    ),
    # The volumes leave one hole, whatever maxHoles says; where a number is open it is asked for.
    "maxHoles of known numbers": (
        file([ROD, voxel("3x1x1", "#++")], ["1"], more='maxHoles="0"'), 1),
    "maxHoles of open numbers": (
        file([ROD, STONE, voxel("3x1x1", "#++")], ["0-1", "0-1"], more='maxHoles="0"'), 2),
    # No hole is left, but variable voxels are no fixed ones: the result has no turn.
    "variable voxels break a symmetry": (
        file([ROD, STONE, voxel("3x1x1", "##+")], ["0-1", "0-3"], more='maxHoles="0"'), 3),
    # Two corners and two holes: half of these are the mirror images of the others, which the
    # twisted piece has not.
    "a mirror image for some": (
        file([voxel("2x2x2", TWISTED), CORNER, voxel("2x2x2", "######++")], ["0-1", "0-4"]),
        5,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), BY_HAND.values(), ids=BY_HAND)
def test_files_made_by_hand(text: str, expected: int) -> None:
    assert BurrToolsCount(text).assemblies() == expected
    assert counted(text) == (expected, expected)


def test_random_files() -> None:
    """Colours, pairs, open numbers, variable voxels, holes, and pieces with a mirror image."""
    choice = random.Random(SEED)
    with_solutions = 0
    for _ in range(50):
        text = random_file(choice)
        by_rules = BurrToolsCount(text).assemblies()
        assert counted(text) == (by_rules, by_rules), text
        with_solutions += by_rules > 0
    assert with_solutions > 10


def random_file(choice: random.Random) -> str:
    colours = choice.choice((0, 0, 1, 2))
    shapes = [random_shape(choice, colours) for _ in range(choice.randint(2, 3))]
    if choice.random() < 0.4:
        shapes.append({(-x, y, z): mark for (x, y, z), mark in shapes[0].items()})
    sizes = choice.choice(((2, 2, 2), (3, 2, 1), (3, 2, 2), (4, 2, 1), (2, 2, 3)))
    result = {
        (x, y, z): choice.choice("####+") + coloured(choice, colours * (choice.random() < 0.3))
        for x, y, z in product(*map(range, sizes))
        if choice.random() < 0.95
    }
    uses = [choice.choice(("1", "1", "0-1", "0-2", "1-3")) for _ in shapes]
    allowed = product(range(colours), repeat=2)
    return file(
        [drawn(shape) for shape in (*shapes, result)],
        uses,
        pairs=" ".join(f"{a}{b}" for a, b in allowed if choice.random() < 0.5),
        colours=colours,
        more=choice.choice(("", "", 'maxHoles="0"', 'maxHoles="1"')),
    )


def random_shape(choice: random.Random, colours: int) -> Voxels:
    cells = {(0, 0, 0)}
    size = choice.randint(1, 5)
    while len(cells) < size:
        (x, y, z), (a, b, c) = choice.choice(sorted(cells)), choice.choice(WAYS)
        cells.add((x + a, y + b, z + c))
    return {cell: "#" + coloured(choice, colours) for cell in sorted(cells)}


def coloured(choice: random.Random, colours: int) -> str:
    return str(choice.randint(0, colours) or "")


def drawn(marks: Mapping[tuple[int, int, int], str]) -> str:
    low, high = ([end(cell[axis] for cell in marks) for axis in range(3)] for end in (min, max))
    x, y, z = (range(a, b + 1) for a, b in zip(low, high, strict=True))
    text = "".join(marks.get((i, j, k), "_") for k, j, i in product(z, y, x))
    return voxel(f"{len(x)}x{len(y)}x{len(z)}", text)
