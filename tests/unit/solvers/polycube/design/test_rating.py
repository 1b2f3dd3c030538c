"""Ratings: clashes before numbers, numbers as the solver counts, levels as they come apart."""

import random
from itertools import product
from typing import Any

import pytest

from solvers.foundation.progress import run_job
from solvers.polycube.design import rating
from solvers.polycube.design.cutting import Cut, cut
from solvers.polycube.design.rating import Judge, count_exits
from solvers.polycube.design.task import Goal, Task
from solvers.polycube.puzzle import Target
from solvers.polycube.solving import solver
from solvers.polycube.taking_apart.apart import Disassembler

BOX = Target.box(3, 3, 3)
SIZES = (4, 4, 4, 5, 5, 5)
BAR = frozenset({(0, 0, 0), (1, 0, 0), (2, 0, 0)})


def cuts(number: int, task: Task) -> list[Cut]:
    """Return cuts by chance that are rated for their goal."""
    rng, judge = random.Random(7), Judge(task)
    found: list[Cut] = []
    while len(found) < number:
        pieces = cut(task.target.required, task.sizes, rng)
        assert pieces is not None
        rated = judge.rate(pieces)
        assert rated is not None
        if rated.is_counted:
            found.append(pieces)
    return found


def moved(cells: frozenset[tuple[int, int, int]], y: int) -> frozenset[tuple[int, int, int]]:
    return frozenset((a, b + y, c) for a, b, c in cells)


def test_solutions_and_nodes_are_those_of_a_count() -> None:
    task = Task(BOX, SIZES, Goal.HARD)
    for pieces in cuts(3, task):
        rated = Judge(task).rate(pieces)
        counted = solver.count(task.puzzle(pieces))
        assert rated is not None
        assert (rated.solutions, rated.nodes) == (counted.up_to_symmetry, counted.nodes)
        assert rated.score == (0, 1, counted.nodes // counted.up_to_symmetry)


def test_solutions_are_counted_up_to_turns_and_mirror_images(plain: Any) -> None:
    task = Task(Target.box(2, 2, 3), (3, 4, 5), Goal.UNIQUE)
    for pieces in cuts(3, task):
        rated = Judge(task).rate(pieces)
        assert rated is not None
        every = {frozenset(each) for each in plain.packings(task.target.required, list(pieces))}
        closed = {plain.turns(p) for p in pieces} == {
            plain.turns(frozenset((-x, y, z) for x, y, z in p)) for p in pieces
        }
        seen, classes = set(), 0
        for solution in every:
            if solution not in seen:
                classes += 1
                seen |= images(solution, mirrored=closed)
        assert rated.solutions == classes == -rated.score[2]


def images(solution: frozenset[Any], *, mirrored: bool) -> set[frozenset[Any]]:
    """Return the images of a solution in 2 x 2 x 3: by an even number of reflections, or any."""
    found = set()
    for flips in product((0, 1), repeat=4):  # three reflections, and the exchange of x and y
        if mirrored or sum(flips) % 2 == 0:
            fx, fy, fz, swap = flips
            found.add(
                frozenset(
                    frozenset(
                        (*((y, x) if swap else (x, y)), z)
                        for a, b, c in piece
                        for x, y, z in [
                            (1 - a if fx else a, 1 - b if fy else b, 2 - c if fz else c)
                        ]
                    )
                    for piece in solution
                )
            )
    return found


def test_a_set_is_given_up_as_soon_as_it_is_worse() -> None:
    task = Task(BOX, SIZES, Goal.UNIQUE)
    pieces = cuts(1, task)[0]
    rated = Judge(task).rate(pieces)
    assert rated is not None
    assert rated.solutions > 1
    assert Judge(task).rate(pieces, (0, 1, -rated.solutions)) == rated
    assert Judge(task).rate(pieces, (0, 1, 1 - rated.solutions)) is None


def test_too_many_solutions_lead_towards_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    task = Task(BOX, SIZES, Goal.UNIQUE)
    pieces = cuts(1, task)[0]
    monkeypatch.setattr(rating, "MOST_SOLUTIONS", 1)
    rated = Judge(task).rate(pieces)
    assert rated is not None
    assert not rated.is_counted
    assert (0, 0) < rated.score < (0, 1)
    monkeypatch.setattr(rating, "MOST_SOLUTIONS", 300)
    monkeypatch.setattr(rating, "MOST_NODES", 1)
    rated = Judge(task).rate(pieces)
    assert rated is not None
    assert not rated.is_counted


def test_clashes_come_before_all_else() -> None:
    target = Target.box(3, 2)
    bars = (BAR, moved(BAR, 1))
    clashing = Judge(Task(target, (3, 3), Goal.UNIQUE)).rate(bars)
    allowed = Judge(Task(target, (3, 3), Goal.UNIQUE, distinct=False)).rate(bars)
    assert clashing is not None
    assert allowed is not None
    assert (clashing.score, clashing.clashes) == ((-1,), 1)
    assert clashing.score < (0, 0) < allowed.score


def test_mirror_images_clash_on_request() -> None:
    left = frozenset({(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)})
    twist = {(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)}
    right = frozenset((9 - x, y, z) for x, y, z in twist)
    for mirrored, clashes in ((True, 0), (False, 1)):
        cells = frozenset(product(range(4), range(3)))
        target = Target(frozenset((x, y, 0) for x, y in cells))
        judge = Judge(Task(target, (4, 4, 4), Goal.UNIQUE, mirrored=mirrored))
        assert judge._clashes((left, frozenset(twist), right)) == clashes


def test_the_level_is_that_of_the_solution_that_comes_apart_soonest() -> None:
    task = Task(BOX, SIZES, Goal.LEVEL)
    taking = Disassembler()
    differ = 0
    for pieces in cuts(2, task):
        rated = Judge(task).rate(pieces)
        assert rated is not None
        worth = set()
        for solution in solver.solutions(task.puzzle(pieces)):
            first, *rest = run_job(taking.take_apart(solution)).rank
            begin = count_exits(tuple(placement.cells for placement in solution.placements))
            worth.add((0, 1, first, -begin, *rest))
        assert rated.score == min(worth)
        assert rated.level == "1"
        differ += len(worth) > 1
    assert differ > 0


def test_a_bolt_that_is_held_makes_a_level_of_two() -> None:
    frame = Target.box(5, 3, 3).required - {(1, 1, 1), (2, 1, 1), (3, 1, 1), (2, 2, 1)}
    stone = frozenset({(1, 1, 1)})
    judge = Judge(Task(Target(frame | stone), (41, 1), Goal.LEVEL))
    rated = judge.rate((frame, stone))
    assert rated is not None
    assert (rated.level, rated.score, rated.solutions) == ("2", (0, 1, 2, 0), 1)
    closed = frame | {(2, 2, 1)}
    locked = Judge(Task(Target(closed | stone), (42, 1), Goal.LEVEL)).rate((closed, stone))
    assert locked is not None
    assert (locked.level, locked.score) == (None, (0, 1))


def test_exits_are_ways_out() -> None:
    assert count_exits((BAR, moved(BAR, 1))) == 10  # either one, in all ways but against the other
    ring = frozenset(product(range(3), range(3), range(1))) - {(1, 1, 0)}
    core = frozenset({(1, 1, 0)})
    assert count_exits((ring, core)) == 4  # the core up or down, or the ring


def test_what_is_far_away_hinders_too_and_pushes_what_is_behind_it() -> None:
    stone = frozenset({(0, 0, 0)})
    assert count_exits((stone, frozenset({(0, 1, 0), (1, 1, 0), (2, 1, 0), (2, 0, 0)}))) == 8
    middle, last = frozenset({(1, 0, 0), (1, 1, 0)}), frozenset({(2, 1, 0)})
    assert count_exits((stone, middle, last)) == 16  # of 18: the outer ones push all others inwards
