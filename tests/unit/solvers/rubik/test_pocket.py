"""2x2x2 cubes are read however they are held, and solved in the fewest moves."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.foundation.arrays import UInt8Array
from solvers.foundation.progress import run_job
from solvers.rubik.cubies import SOLVED
from solvers.rubik.errors import (
    ColourCountError,
    FaceletError,
    ImpossiblePieceError,
    TwistedCornerError,
    UnknownColourError,
    WrongLengthError,
)
from solvers.rubik.notation import Move, parse_moves, read_moves
from solvers.rubik.pocket import (
    HOME,
    MOVES,
    POSITIONS,
    PocketCube,
    load_distances,
    pocket_after,
    pocket_solutions,
    read_pocket,
)
from solvers.rubik.rotations import all_orientations, rotation_name

# Positions at each number of moves, half turns counting as one, as published for this puzzle.
COUNTS = [1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644]
SOLVED_COLOURS = "".join(4 * colour for colour in "WRGYOB")


@pytest.fixture(scope="module")
def distances() -> UInt8Array:
    return run_job(load_distances())


def test_counts_of_all_positions(distances: UInt8Array) -> None:
    assert np.bincount(distances).tolist() == COUNTS
    assert sum(COUNTS) == POSITIONS


def is_uniform(cube: PocketCube) -> bool:
    return all(len(set(cube.stickers[i : i + 4])) == 1 for i in range(0, 24, 4))


@given(st.lists(st.sampled_from(Move), max_size=15), st.sampled_from(["", "x", "y'", "z2 x"]))
def test_every_scramble_is_solved_as_the_cube_is_held(moves: list[Move], rotation: str) -> None:
    scramble = " ".join(map(str, moves)) + f" {rotation}"
    cube = pocket_after(read_moves(scramble))
    assert cube.position.corner_permutation[HOME] == HOME
    solution = next(pocket_solutions(cube.position))
    assert len(solution) <= min(len(moves), 11)
    text = f"{scramble} {' '.join(map(str, solution))}"
    assert is_uniform(pocket_after(read_moves(text)))
    assert read_pocket(cube.stickers) == cube


def everyway(text: str) -> set[str]:
    names = map(rotation_name, all_orientations())
    return {pocket_after(read_moves(f"{text} {name}")).stickers for name in names}


@given(
    st.lists(st.sampled_from(Move), max_size=8),
    st.lists(st.sampled_from(Move), max_size=8),
    st.sampled_from(["", "x", "y' z2"]),
)
@settings(max_examples=10)
def test_a_target_is_reached_however_it_is_held(
    moves: list[Move], wanted: list[Move], rotation: str
) -> None:
    scramble = " ".join(map(str, moves))
    start = pocket_after(read_moves(scramble))
    target = pocket_after(read_moves(" ".join(map(str, wanted)) + f" {rotation}"))
    goal = target.held_like(start)
    way = next(pocket_solutions(goal.position.inverse().compose(start.position)))
    assert target.stickers in everyway(f"{scramble} {' '.join(map(str, way))}")


def test_a_target_in_other_letters_is_accepted_and_one_of_another_cube_refused() -> None:
    start = read_pocket("WGWG, RRRR / GYGY | YBYB OOOO; WBWB")
    assert pocket_after(read_moves("R")).held_like(start) == start
    with pytest.raises(ImpossiblePieceError, match="WRGYOB"):
        read_pocket("RRRR WWWW GGGG OOOO YYYY BBBB").held_like(start)


def test_all_solutions_are_different_and_equally_long() -> None:
    cube = pocket_after(read_moves("R U2 F' R2 U F2 R' U"))
    solutions = list(pocket_solutions(cube.position))
    assert len({len(solution) for solution in solutions}) == 1
    assert len(set(solutions)) == len(solutions) >= 1
    for solution in solutions:
        assert set(solution) <= set(MOVES)
        assert cube.position.apply(solution).corner_permutation == SOLVED.corner_permutation


def test_colours_and_hold_are_described() -> None:
    cube = read_pocket("\n".join(SOLVED_COLOURS[i : i + 2].lower() for i in range(0, 24, 2)))
    assert cube.faces == "WRGYOB"
    assert cube.how == "W up, G in front"
    assert cube.position == SOLVED
    turned = pocket_after(read_moves("L"))  # R and a rotation, as DBL stays where it is
    assert turned.position.corner_permutation == SOLVED.apply(parse_moves("R")).corner_permutation
    assert turned.faces == "BRUFLD"


def changed(changes: dict[int, str]) -> str:
    return "".join(changes.get(index, letter) for index, letter in enumerate(SOLVED_COLOURS))


@pytest.mark.parametrize(
    ("stickers", "kind", "part"),
    [
        (SOLVED_COLOURS[1:], WrongLengthError, "not 23"),
        (changed({0: "?"}), UnknownColourError, "Sticker 1 is '?'"),
        (changed({0: "R"}), ColourCountError, "R 5 times"),
        (changed({3: "R", 4: "W"}), ImpossiblePieceError, "corner at URF has the stickers U4=R"),
        (changed({3: "R", 4: "G", 9: "W"}), TwistedCornerError, "at URF, clockwise"),
        (changed({3: "Y", 13: "W"}), FaceletError, "Check"),
    ],
)
def test_impossible_cubes_are_named(stickers: str, kind: type[FaceletError], part: str) -> None:
    with pytest.raises(kind) as caught:
        read_pocket(stickers)
    assert part in str(caught.value)
