"""A solution at once and ever better ones, while the search for a proven shortest one runs.

Random boards of 5 x 5 and more are beyond any exact search, so the proof and the search for better
solutions share the processor, and the caller can stop the job at any time.
"""

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from solvers.foundation.clock import cpu_seconds
from solvers.foundation.progress import Job, Progress, map_events, run_job
from solvers.sliding_tile.beam import beam_search, widest_beam
from solvers.sliding_tile.board import Placement
from solvers.sliding_tile.ida_star import Deepening, Heuristic, Path, ida_star
from solvers.sliding_tile.peeling import finish, moved, part, peel

BEAM_WIDTHS: Final = (500, 2_000, 6_000, 20_000, 60_000, 200_000, 500_000)
"""The last but one takes ten CPU seconds for a random board of 5 x 5."""

SMALLEST_BEAM: Final = 4
WINDOW: Final = 60
"""Moves of a solution that are searched again at a time."""

LARGE_SIDE: Final = 5
"""From this side on a proof takes so long that better solutions are searched for meanwhile."""


@dataclass(frozen=True, slots=True)
class Known(Progress):
    """The best known solution, and the proven bound: every solution has at least `least` moves."""

    moves: str = ""
    least: int = 0


def solve_anytime(task: Placement, heuristic: Heuristic) -> Job[Progress, Path]:
    """Find a shortest solution, with the best one `Known` until then as events.

    The search for the proof and that for better solutions get the same share of the processor.
    """
    # A solution that always exists and takes milliseconds: from here on the job can be stopped.
    moves, rest_task, rest = yield from peel(task)
    known = Known("looking for a solution", 0, None, "positions", moves + finish(rest_task, rest))
    yield known
    proof = ida_star(task, heuristic)
    is_large = max(task.width, task.height) >= LARGE_SIDE
    shorter = _shorter(task, known.moves) if is_large else iter(())
    proving_s = shortening_s = 0.0
    with closing(proof):
        while len(known.moves) > known.least or not known.least:
            # Whichever has had less of the processor is next.
            started_s = cpu_seconds()
            better = next(shorter, None) if shortening_s < proving_s else None
            if better is not None:
                known = replace(known, moves=better)
                shortening_s += cpu_seconds() - started_s
            else:
                try:
                    known = _updated(known, next(proof))
                except StopIteration as end:
                    path: Path = end.value
                    return path
                proving_s += cpu_seconds() - started_s
            yield known
    return Path(known.moves, int(known.done))


def _updated(known: Known, event: Progress) -> Known:
    if not isinstance(event, Deepening):
        return replace(known, task=event.task)
    task = f"at least {event.bound} moves, {len(known.moves)} known"
    return replace(known, task=task, done=event.done, least=max(known.least, event.bound))


def _shorter(task: Placement, best: str) -> Iterator[str]:
    """Yield the best solution so far after each small step, as long as better ones can come."""
    size = min(SMALLEST_BEAM, max(task.width, task.height))
    for width in BEAM_WIDTHS:
        best, size = yield from _by_whole_beams(task, best, width, size)
        best = yield from _by_windows(task, best, width)


def _by_whole_beams(
    task: Placement, best: str, width: int, size: int
) -> Generator[str, None, tuple[str, int]]:
    """Search for a shorter solution from the start; return the best and the size that was reached.

    Wide beams find short solutions, and the shorter the less was put in order before; but on a
    large board a narrow beam finds none. So the part that is left to the beam grows from `size` on
    until it fails.
    """
    while True:
        before, rest_task, rest = run_job(peel(task, size))
        room = max(0, len(best) - len(before))
        found = yield from _search_by_beam(part(rest_task, rest), width, room, best)
        if found is not None:
            best = before + found
        if found is None or size >= max(task.width, task.height):
            return best, size
        size += 1


def _by_windows(task: Placement, best: str, width: int) -> Generator[str, None, str]:
    """Replace parts of a solution by shorter ones, until no part can be; return the solution."""
    at = unchanged = 0
    while unchanged < len(best):
        end = min(at + WINDOW, len(best))
        between = _between(task, best[:at], best[at:end])
        found = yield from _search_by_beam(between, width, end - at, best)
        if found is not None:
            best, unchanged = best[:at] + found + best[end:], 0
        else:
            unchanged += WINDOW // 2
            at = at + WINDOW // 2 if end < len(best) else 0
    return best


def _search_by_beam(
    task: Placement, width: int, most: int, best: str
) -> Generator[str, None, str | None]:
    beam = beam_search(task, min(width, widest_beam(most)), most)
    return (yield from map_events(beam, partial(_same, best)))


def _between(task: Placement, before: str, moves: str) -> Placement:
    """Return the task of getting from where `before` leads to where `moves` then lead."""
    start = moved(task, before)
    end = moved(start, moves)
    home = {tile: cell for cell, tile in enumerate(end.tiles)}
    tiles = tuple(home[tile] for tile in start.tiles)
    return replace(task, goal_blank=home[task.goal_blank], tiles=tiles)


def _same(best: str, _: Progress) -> str:
    return best
