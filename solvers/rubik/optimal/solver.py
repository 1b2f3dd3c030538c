"""The shortest solution there is, with the proof that none is shorter.

Two-phase search finds a short solution first. Then all shorter lengths are searched, from the
shortest possible one up: what is found is the shortest, and if nothing is, the known solution is.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from solvers.foundation.progress import Job, Progress
from solvers.foundation.table_cache import in_huge_pages
from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.notation import Move, cancel, inverse_moves
from solvers.rubik.optimal import depth_search, large_search
from solvers.rubik.optimal.depth_search import DepthSearch
from solvers.rubik.optimal.large_search import LargeSearch
from solvers.rubik.optimal.large_table import LargeTable
from solvers.rubik.two_phase.search import advance, new_search
from solvers.rubik.two_phase.solver import LONGEST_SOLUTION, fewest_moves, solve
from solvers.rubik.two_phase.tables import SearchTables, search_tables

GROWTH: Final = 13.35
"""Positions of a length divided by those of the one before, in the long run (Korf, 1997)."""

FIRST_TRY_S: Final = 0.5
"""Seconds of two-phase search before the lengths, where there is so much time."""

LEAST_TRY_S: Final = 0.1
"""As much it has in any case; the first solution takes a millisecond."""

LONG: Final = 16
"""From this length on the table of `load_move_deltas` pays."""

HUGE_PAGES: Final = 17
"""From this length on a copy of the table of `load_move_deltas` in huge pages pays
(`in_huge_pages`); the large table is read there."""

LONGER: Final = 18
"""From this length on some seconds (`LONG_TRY_S`) are worth spending on a solution of the length,
which most positions have: it spares the search."""

LONG_TRY_S: Final = 10.0

LONG_TRY_WITH_LARGE_S: Final = 1.5
"""With the large table the search of the length finds a solution sooner: of ten random cubes three
had one after that time, and one more after three seconds."""

_NODES_AT_ONCE: Final = 20_000
_TRIAL: Final = 4  # lengths on which both directions are compared


@dataclass(frozen=True, slots=True)
class Better:
    """A shorter solution was found; `at_least` moves are needed, as far as that is proven."""

    moves: tuple[Move, ...]
    at_least: int


@dataclass(frozen=True, slots=True)
class Searching:
    """All solutions of `length` moves are searched for: `nodes` positions so far.

    `left_s` seconds are expected until it is proven, one way or the other, whether there is one.
    """

    length: int
    share: float
    nodes: int
    left_s: float


@dataclass(frozen=True, slots=True)
class OptimalSolution:
    """The shortest solution found, the number of moves that are needed at least, positions seen."""

    moves: tuple[Move, ...]
    at_least: int
    nodes: int

    @property
    def is_proven(self) -> bool:
        """Whether no solution can be shorter."""
        return len(self.moves) == self.at_least


def warm_up() -> Job[Progress, None]:
    """Compile the search; seconds once per machine. It needs the exact tables."""
    yield Progress("proofs", 0, 1)
    turned = SOLVED.apply([Move.R1])
    _easier_direction(turned, SOLVED, search_tables(), at_least=1)
    yield Progress("proofs", 1, 1)


def warm_up_large(large: LargeTable) -> Job[Progress, None]:
    """Compile the search with the large table."""
    yield Progress("proofs", 0, 1)
    tables = search_tables()
    turned = SOLVED.apply([Move.R1])
    search = large_search.new_large_search(tables.phase_1, large, turned, SOLVED)
    _start_length(tables, search, 1)
    _resume(tables, search, _NODES_AT_ONCE)
    yield Progress("proofs", 1, 1)


def solve_optimally(
    start: CubieCube,
    target: CubieCube = SOLVED,
    *,
    tables: SearchTables,
    clock: Callable[[], float],
    time_limit_s: float = math.inf,
    large: LargeTable | None = None,
) -> Job[Better | Searching | Progress, OptimalSolution]:
    """Return the shortest solution from `start` to `target`, unless the time is over before.

    `tables` have to be the exact ones (`build_exact_tables`). With the `large` table
    (`load_large_table`) the search is several times faster. When the job is closed, the last
    `Better` has the best known solution. Raises FaceletError if turning cannot lead there.
    """
    if not tables.is_exact:
        raise ValueError("only the exact tables prove how far a position is")
    ends_at = clock() + time_limit_s
    at_least = fewest_moves(start, target)
    first_try_s = min(FIRST_TRY_S, max(LEAST_TRY_S, time_limit_s))
    # With the large table, shorter lengths take no longer than a solution of them.
    enough = at_least if large is None else max(at_least, LONGER)
    best = _short(start, target, LONGEST_SOLUTION, enough, first_try_s, clock)
    assert best is not None, "the first solution takes a millisecond"
    yield Better(best, at_least)
    if start == target:
        return OptimalSolution((), 0, 0)
    # A length that is searched without success proves that one move more is needed.
    search: AnySearch
    backwards = False
    if large is None:
        search, backwards = _easier_direction(start, target, tables, at_least)
    else:  # it chooses the direction at each position
        search = large_search.new_large_search(tables.phase_1, large, start, target)
    started_s, nodes_before = clock(), int(search.control[depth_search.NODES])
    moved = False
    long_try_s = LONG_TRY_S if large is None else LONG_TRY_WITH_LARGE_S
    while at_least < len(best):
        if at_least >= LONGER:
            try_s = min(long_try_s, ends_at - clock())
            shorter = _short(start, target, len(best) - 1, at_least, try_s, clock)
            if shorter is not None:
                best = shorter
                yield Better(best, at_least)
                continue
        if isinstance(search, DepthSearch) and at_least >= LONG and search.deltas.size == 0:
            # The search is several times faster from now on, so its speed is measured afresh.
            search = search._replace(
                deltas=(yield from depth_search.load_move_deltas(tables.phase_1))
            )
            started_s, nodes_before = clock(), int(search.control[depth_search.NODES])
        if isinstance(search, DepthSearch) and at_least >= HUGE_PAGES and not moved:
            search, moved = _in_huge_pages(search), True
        before = int(search.control[depth_search.NODES])
        _start_length(tables, search, at_least)
        while not _resume(tables, search, _NODES_AT_ONCE):
            if search.control[depth_search.FOUND]:
                moves = _moves_found(search)
                best = cancel(inverse_moves(moves) if backwards else moves)
                yield Better(best, at_least)
                return OptimalSolution(best, at_least, int(search.control[depth_search.NODES]))
            if clock() > ends_at:
                return OptimalSolution(best, at_least, int(search.control[depth_search.NODES]))
            speed = (search.control[depth_search.NODES] - nodes_before) / max(
                clock() - started_s, 1e-6
            )
            yield _progress(search, at_least, before, float(speed))
        at_least += 1
        yield Better(best, at_least)
    return OptimalSolution(best, at_least, int(search.control[depth_search.NODES]))


def _short(
    start: CubieCube,
    target: CubieCube,
    max_moves: int,
    enough: int,
    time_s: float,
    clock: Callable[[], float],
) -> tuple[Move, ...] | None:
    """Return the best solution found in the time, or the first of at most `enough` moves."""
    best = None
    for solution in solve(start, target, max_moves=max_moves, time_limit_s=time_s, clock=clock):
        best = solution.moves
        if len(best) <= enough:
            break
    return best


AnySearch: TypeAlias = DepthSearch | LargeSearch


def _start_length(tables: SearchTables, search: AnySearch, length: int) -> None:
    if isinstance(search, LargeSearch):
        large_search.start_length(tables.phase_1, search, length)
    else:
        depth_search.start_length(tables.phase_1, search, length)


def _resume(tables: SearchTables, search: AnySearch, nodes: int) -> bool:
    if isinstance(search, LargeSearch):
        return large_search.resume(tables.phase_1, search, nodes)
    return depth_search.resume(tables.phase_1, search, nodes)


def _moves_found(search: AnySearch) -> tuple[Move, ...]:
    if isinstance(search, LargeSearch):
        return large_search.solution_of(search)
    return depth_search.moves_found(search.control, search.tried)


def _searched_share(search: AnySearch) -> float:
    if isinstance(search, LargeSearch):
        return large_search.searched_share(search)
    return depth_search.searched_share(search.control, search.tried)


def _in_huge_pages(search: DepthSearch) -> DepthSearch:
    """Return a search whose tables are in huge pages."""
    class_moves = in_huge_pages(search.class_moves)
    return search._replace(deltas=in_huge_pages(search.deltas), class_moves=class_moves)


def _easier_direction(
    start: CubieCube, target: CubieCube, tables: SearchTables, at_least: int
) -> tuple[DepthSearch, bool]:
    """Return the search forwards or backwards, whichever has fewer positions in short lengths."""
    # A position and its inverse need equally many moves, but bounds of one can be much better.
    searches: list[DepthSearch] = []
    for ends in ((start, target), (target, start)):
        started = new_search(*ends, -1, -1)
        advance(*tables, started, 0)
        search = depth_search.new_depth_search(tables.phase_1, started, *ends)
        for length in range(at_least, at_least + _TRIAL):
            _start_length(tables, search, length)
            _resume(tables, search, _NODES_AT_ONCE)
        searches.append(search)
    forwards, backwards = (int(search.control[depth_search.NODES]) for search in searches)
    return searches[backwards < forwards], backwards < forwards


def _progress(search: AnySearch, length: int, nodes_before: int, speed: float) -> Searching:
    nodes = int(search.control[depth_search.NODES])
    share = _searched_share(search)
    done = nodes - nodes_before
    # The share comes from the first two moves alone and is too coarse at the start.
    expected = done / share if share > 0.02 else max(nodes_before * GROWTH, done)
    return Searching(length, share, nodes, max(expected - done, 0.0) / speed)
