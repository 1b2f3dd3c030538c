"""Taking apart on all lattices, against a slow search that follows all shortest ways."""

import random

import pytest

from solvers.foundation.progress import run_job
from solvers.polycube.lattice import Cell, Lattice, with_opposites
from solvers.polycube.lattices import (
    CUBES,
    LATTICES,
    RHOMBIC_TETRAHEDRA,
    SPHERES,
    TETRAHEDRA,
    TRIANGLES,
)
from solvers.polycube.puzzle import PackingSolution, Placement
from solvers.polycube.taking_apart.apart import Disassembler
from solvers.polycube.taking_apart.disassembly import Disassembly, way_words
from solvers.polycube.taking_apart.sliding import SlidingShapes, Sweeps
from tests.oracles.ways_apart import Cells, Space, all_shortest, play, shifted

SPACES = {lattice.name: Space(lattice) for lattice in LATTICES.values()}
# How large a block is, and seeds of holes dug into it from which nothing comes out at once.
DUG = {
    CUBES: ((5, 5, 5), (380, 837, 205, 582, 100)),
    TRIANGLES: ((8, 4, 3), (1111, 3088, 65, 123, 44)),
    SPHERES: ((6, 5, 5), (919, 459, 512, 49, 63)),
    RHOMBIC_TETRAHEDRA: ((10, 10, 10), (7, 8, 49)),
    TETRAHEDRA: ((9, 9, 9), (124, 192, 57)),
}
EVERY = pytest.mark.parametrize("lattice", LATTICES.values(), ids=lambda each: each.name)


def taken_apart(pieces: list[Cells], lattice: Lattice) -> Disassembly:
    placements = [Placement(chr(65 + number), 0, cells) for number, cells in enumerate(pieces)]
    return run_job(Disassembler(lattice=lattice).take_apart(PackingSolution(tuple(placements))))


def block(lattice: Lattice, sides: tuple[int, int, int]) -> list[Cell]:
    places = [(x, y, z) for x in range(sides[0]) for y in range(sides[1]) for z in range(sides[2])]
    return sorted(lattice.cell_at(place) for place in places if lattice.is_cell(place))


def relative(cell: Cell, low: Cell) -> Cell:
    return cell[0] - low[0], cell[1] - low[1], cell[2] - low[2]


def kinds(lattice: Lattice) -> list[Cell]:
    """Return a cell of each kind, no two of which a move leads to each other."""
    found = {relative(cell, lattice.low([cell])): cell for cell in block(lattice, (6, 6, 6))}
    return sorted(found.values())


@EVERY
def test_what_is_in_the_way_is_what_points_of_a_cell_come_through(lattice: Lattice) -> None:
    sweeps, space = Sweeps(lattice), SPACES[lattice.name]
    pairs = [(cell, way) for cell in kinds(lattice) for way in lattice.ways]
    for cell, way in random.Random(1).sample(pairs, min(len(pairs), 60)):
        assert set(sweeps.obstacles(cell, way)) == set(space.passed(cell, way)), (cell, way)


@EVERY
def test_ways_are_moves_and_nothing_is_passed_farther_off_than_the_margin(lattice: Lattice) -> None:
    slides = SlidingShapes(lattice)
    assert len(set(with_opposites(lattice.ways))) == 2 * len(lattice.ways)
    assert all(map(lattice.is_translation, lattice.ways))
    for cell in kinds(lattice):
        slid = slides.prepare(frozenset([cell]))
        assert abs(slid.passed[:, :3] - slid.cells[:, :3]).max(initial=0) <= slides.margin
        # Between the layers, and between cubes, there is nothing to be passed.
        through = {way for *_, way in slid.passed.tolist()}
        assert len(through) == (0 if lattice is CUBES else len(lattice.ways) - lattice.layered)


def dug(space: Space, sides: tuple[int, int, int], chance: random.Random) -> list[Cells]:
    """Return a block with one or two stones of two cells inside, and the ways that each is moved.

    What a stone passes is hollow; four moves by chance need not lead out.
    """
    frame, stones = set(block(space.lattice, sides)), []
    for _ in range(chance.choice((1, 2))):
        start = chance.choice(sorted(frame))
        beside = [face.beyond for face in space.lattice.faces(start) if face.beyond in frame]
        stone = frozenset([start, chance.choice(beside)])
        stones.append(stone)
        frame -= stone
        for _ in range(4):
            way = chance.choice(space.ways)
            frame -= {passed for cell in stone for passed in space.passed(cell, way)}
            stone = shifted(stone, way, 1)
    return [frozenset(frame), *stones]


@pytest.mark.parametrize(
    ("lattice", "seed"),
    [(lattice, seed) for lattice, (_, seeds) in DUG.items() for seed in seeds],
    ids=str,
)
def test_stones_come_out_of_a_block_in_the_fewest_moves(lattice: Lattice, seed: int) -> None:
    space, (sides, _) = SPACES[lattice.name], DUG[lattice]
    pieces = dug(space, sides, random.Random(seed))
    found = taken_apart(pieces, lattice)
    assert max(found.rank) > 1
    assert found.rank in all_shortest(dict(enumerate(pieces)), space)
    assert found.separation is not None
    play(found.separation, dict(enumerate(pieces)), space)


@EVERY
@pytest.mark.parametrize("seed", range(3))
def test_loose_cells_stay_together_where_no_move_of_any_set_parts_them(
    lattice: Lattice, seed: int
) -> None:
    chance, space = random.Random(seed), SPACES[lattice.name]
    sides = (5, 5, 5) if lattice is RHOMBIC_TETRAHEDRA else (3, 3, 3)
    cells = block(lattice, sides)
    chosen = chance.sample(cells, round(len(cells) * 0.9))
    pieces = [frozenset(chosen[number::3]) for number in range(3)]
    found = taken_apart(pieces, lattice)
    assert (found.rank or None) in all_shortest(dict(enumerate(pieces)), space)


@pytest.mark.parametrize(
    ("lattice", "way", "words"),
    [
        (CUBES, (0, -1, 0), "to the back"),
        (TRIANGLES, (3, 0, 0), "to the right"),
        (TRIANGLES, (-3, 3, 0), "to the front left"),
        (SPHERES, (1, 1, 0), "to the front right"),
        (SPHERES, (0, 0, -2), "down"),
        (TETRAHEDRA, (-6, 6, 6), "up and to the front left"),
    ],
)
def test_ways_are_told_as_they_are_seen_in_the_text_picture(
    lattice: Lattice, way: Cell, words: str
) -> None:
    assert way_words(way, lattice) == words
    told = [way_words(each, lattice) for each in with_opposites(lattice.ways)]
    assert len(set(told)) == len(told)
