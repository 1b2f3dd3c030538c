"""Solutions from any position to any position, in ever fewer moves.

Kociemba's two-phase algorithm: phase 1 leads into the group that U, D, R2, F2, L2, B2 generate,
phase 2 solves the cube there. The first solution takes about a millisecond; the search then looks
for shorter ones, also after longer first phases. It never claims a solution to be the shortest.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from solvers.foundation.arrays import Int32Array
from solvers.foundation.progress import Job, Progress
from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.facelets import check_solvable
from solvers.rubik.notation import Move
from solvers.rubik.two_phase import search
from solvers.rubik.two_phase.tables import (
    SearchTables,
    build_exact_tables,
    load_search_tables,
    search_tables,
)

LONGEST_SOLUTION = 30
"""The default limit: 12 moves of phase 1 and 18 of phase 2 solve everything."""

EASY_LENGTH = 21
"""Moves within which every position is solved in milliseconds."""

USUAL_LENGTH = 20
"""Moves within which every position can be solved, and all but few are in milliseconds."""

_WORK_PER_LOOK_AT_THE_CLOCK = 20_000  # neighbours, about a millisecond


@dataclass(frozen=True)
class Solution:
    """Moves from start to target, and the CPU seconds of search after which they were found."""

    moves: tuple[Move, ...]
    seconds: float

    def __len__(self) -> int:
        return len(self.moves)


def warm_up() -> Job[Progress, None]:
    """Load or build the small tables and compile the search, so that the next solve starts at once.

    It takes about ten seconds once per machine, and a few hundredths of a second from then on.
    """
    yield from load_search_tables()
    next(solve(SOLVED))


def prepare() -> Job[Progress, None]:
    """Build the exact table of phase 1, unless it is in the cache, for all later solves.

    It takes a few seconds once per machine and makes the search several times faster.
    """
    yield from build_exact_tables()


def is_prepared() -> bool:
    """Return whether solves in this process use the exact table."""
    return search_tables().is_exact


def solve(
    start: CubieCube,
    target: CubieCube = SOLVED,
    *,
    max_moves: int | None = None,
    time_limit_s: float = math.inf,
    extra_moves: int = 0,
    clock: Callable[[], float] | None = None,
    tables: SearchTables | None = None,
) -> Iterator[Solution]:
    """Yield solutions from `start` to `target`, each checked by replaying it.

    With `extra_moves` 0 each one is shorter than the one before. With n > 0, every different
    solution that is found and has at most n moves more than the best so far is yielded.

    `max_moves` leaves out longer ones. The search ends after `time_limit_s` seconds by `clock`, not
    counting what the caller does between two solutions, or when there is nothing left to search,
    perhaps without a solution. Without a clock there is no limit, and `seconds` of all solutions
    are 0. Tables come from `search_tables` unless given.

    Raises FaceletError if turning cannot lead from `start` to `target`.
    """
    if clock is None:
        if time_limit_s < math.inf:
            raise ValueError("a time limit needs a clock")
        clock = _no_time
    tables = search_tables() if tables is None else tables
    stopwatch = _Stopwatch(clock)
    seen: set[tuple[Move, ...]] = set()
    wanted = LONGEST_SOLUTION
    for moves in _search((start, target), tables, max_moves, extra_moves, stopwatch, time_limit_s):
        # Where two phases meet, moves can merge, to fewer than the search counted.
        if moves in seen or len(moves) > wanted:
            continue
        seen.add(moves)
        wanted = min(wanted, len(moves) + (extra_moves or -1))
        # What the caller does with a solution does not count as search.
        stopwatch.pause()
        yield Solution(moves, stopwatch.seconds)
        stopwatch.resume()


def best_solution(
    start: CubieCube,
    target: CubieCube = SOLVED,
    *,
    max_moves: int | None = None,
    time_limit_s: float = math.inf,
    clock: Callable[[], float] | None = None,
    on_better: Callable[[Solution], object] = lambda _: None,
) -> Solution | None:
    """Return the first solution of at most `max_moves`, or without them the shortest in the time.

    Returns None if there is none, or none was found in the time. `on_better` is called with each
    solution on the way. Raises FaceletError if turning cannot lead from `start` to `target`.
    """
    best = None
    for solution in solve(
        start, target, max_moves=max_moves, time_limit_s=time_limit_s, clock=clock
    ):
        best = solution
        if max_moves is not None:
            break
        on_better(solution)
    return best


def solve_each(
    cubes: Iterable[CubieCube],
    target: CubieCube = SOLVED,
    *,
    max_moves: int | None = USUAL_LENGTH,
    time_limit_s: float = math.inf,
    clock: Callable[[], float] | None = None,
) -> Iterator[Solution | None]:
    """Yield what `best_solution` finds for each cube, as soon as it is found.

    Tables and compiled code are loaded once, so that a cube costs what its search costs.
    """
    for cube in cubes:
        yield best_solution(
            cube, target, max_moves=max_moves, time_limit_s=time_limit_s, clock=clock
        )


def fewest_moves(start: CubieCube, target: CubieCube = SOLVED) -> int:
    """Return a number of moves that every solution needs, without searching.

    It is the most that phase 1 needs, seen along three axes and backwards: 9 to 12 for most cubes.
    Raises FaceletError if turning cannot lead from `start` to `target`.
    """
    # With a limit of -1 the kernel sets up its directions, whose distances are wanted, and stops.
    with search.borrowed_search(start, target, -1, -1) as state:
        search.advance(*search_tables(), state, 0)
        _check_solvable(state, start, target)
        distances = state.directions[: search.DIRECTIONS, search.DISTANCE]
        return max(int(distances[distances < search.NEVER].max()), int(start != target))


def moves_to(cube: CubieCube) -> tuple[Move, ...]:
    """Return at most 21 moves from solved to `cube`, for one cube always the same."""
    solution = next(solve(SOLVED, cube, max_moves=EASY_LENGTH))
    return solution.moves


def _no_time() -> float:
    return 0.0


class _Stopwatch:
    """Adds up the time between `resume` and `pause`; it starts running."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._started = clock()
        self.seconds = 0.0

    def pause(self) -> None:
        self.seconds += self._clock() - self._started

    def resume(self) -> None:
        self._started = self._clock()

    def running_seconds(self) -> float:
        return self.seconds + self._clock() - self._started


def _search(
    ends: tuple[CubieCube, CubieCube],
    tables: SearchTables,
    max_moves: int | None,
    extra_moves: int,
    stopwatch: _Stopwatch,
    time_limit_s: float,
) -> Iterator[tuple[Move, ...]]:
    """Yield what the kernel finds, in the normal form, until time or search space are over."""
    limit = LONGEST_SOLUTION if max_moves is None else min(max_moves, LONGEST_SOLUTION)
    with search.borrowed_search(*ends, limit, extra_moves if extra_moves > 0 else -1) as state:
        finished = False
        while not finished:
            finished = search.advance(*tables, state, _WORK_PER_LOOK_AT_THE_CLOCK)
            _check_solvable(state, *ends)
            for row in state.found[: state.control[search.FOUND]]:
                yield _moves_of(row)
            finished = finished or stopwatch.running_seconds() > time_limit_s


def _check_solvable(state: search.SearchState, start: CubieCube, target: CubieCube) -> None:
    # The kernel only says that there is no solution; the sentence takes Python's checks.
    if state.control[search.STAGE] == search.UNSOLVABLE:
        check_solvable(target.inverse().compose(start))
        raise ValueError("start or target is no cube: a piece is there twice or not at all")


_MOVES: Final = tuple(Move)  # an index is faster than Move(number)


def _moves_of(row: Int32Array) -> tuple[Move, ...]:
    """Return the moves of a solution that the kernel has replayed."""
    # No solution leaves here that the kernel has not replayed from start to target.
    if not row[search.FOUND_VERIFIED]:
        raise AssertionError("the search gave a wrong solution; this is a bug")
    numbers = row[search.FOUND_MOVES : search.FOUND_MOVES + row[search.FOUND_LENGTH]].tolist()
    return tuple([_MOVES[number] for number in numbers])
