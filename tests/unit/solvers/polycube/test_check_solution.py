"""The independent check refuses every kind of wrong solution."""

from dataclasses import replace

import pytest

from solvers.polycube import library
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution, Piece, Placement, Shape, Target
from solvers.polycube.solving import solver
from tests.oracles.packing_rules import WrongSolutionError, check_solution

DOMINO = Shape.from_layers([["##"]])
PUZZLE = PackingPuzzle("two", "Two", Target.box(2, 2), (Piece("a", DOMINO), Piece("b", DOMINO)))
LOW = frozenset({(0, 0, 0), (1, 0, 0)})
HIGH = frozenset({(0, 1, 0), (1, 1, 0)})


def solution(**cells: frozenset[tuple[int, int, int]]) -> PackingSolution:
    return PackingSolution(tuple(Placement(name, 0, where) for name, where in cells.items()))


def test_a_right_one_passes() -> None:
    check_solution(PUZZLE, solution(a=LOW, b=HIGH))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (solution(a=LOW, b=LOW), "taken twice"),
        (solution(a=LOW), "left empty"),
        (solution(a=LOW, b=HIGH | {(2, 0, 0)}), "outside"),
        (solution(a=LOW | HIGH), "used 0 times"),
        (
            solution(a=frozenset({(0, 0, 0), (1, 1, 0)}), b=frozenset({(1, 0, 0), (0, 1, 0)})),
            "cannot be turned",
        ),
    ],
)
def test_wrong_ones_are_refused(wrong: PackingSolution, words: str) -> None:
    with pytest.raises(WrongSolutionError, match=words):
        check_solution(PUZZLE, wrong)


def test_a_piece_away_from_its_fixed_place_is_refused() -> None:
    pieces = (Piece("a", DOMINO, fixed_at=HIGH), Piece("b", DOMINO))
    with pytest.raises(WrongSolutionError, match="not where it is fixed"):
        check_solution(replace(PUZZLE, pieces=pieces), solution(a=LOW, b=HIGH))


def test_a_mirrored_piece_is_refused_unless_allowed() -> None:
    screw = Shape.from_layers([["##", "#."], ["..", "#."]])
    mirrored = Shape.from_layers([["##", ".#"], ["..", ".#"]])
    puzzle = PackingPuzzle("p", "p", Target(mirrored.cells), (Piece("s", screw),))
    with pytest.raises(WrongSolutionError, match="cannot be turned"):
        check_solution(puzzle, solution(s=mirrored.cells))
    check_solution(replace(puzzle, mirror_pieces=True), solution(s=mirrored.cells))


def test_bores_that_end_inside_are_refused() -> None:
    puzzle = library.load("drilled-cube")
    plain = library.load("drilled-cube-plain")
    right = solver.first(puzzle)
    assert right is not None
    check_solution(puzzle, right)
    names = [piece.name for piece in puzzle.pieces]
    refused = 0
    for packing in solver.solutions(plain):
        renamed = PackingSolution(
            tuple(
                replace(placement, piece=name)
                for placement, name in zip(packing.placements, names, strict=True)
            )
        )
        try:
            check_solution(puzzle, renamed)
        except WrongSolutionError:
            refused += 1
    assert refused > 200
