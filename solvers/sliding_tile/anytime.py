"""A solution at once and ever better ones, while the search for a proven shortest one runs.

Random boards of 5 x 5 and more are beyond any exact search, so the proof and the search for better
solutions share the processor, and the caller can stop the job at any time.
"""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from solvers.foundation.clock import cpu_seconds
from solvers.foundation.progress import Job, Progress, map_events, run_job
from solvers.sliding_tile.beam import beam_search
from solvers.sliding_tile.board import Placement
from solvers.sliding_tile.ida_star import Deepening, Heuristic, Path, ida_star
from solvers.sliding_tile.peeling import finish, part, peel

BEAM_WIDTHS: Final = (500, 1_000, 3_000, 10_000, 30_000, 100_000)
SMALLEST_BEAM: Final = 4
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
    """Yield the best solution so far after each small step, as long as better ones can come.

    Wide beams find short solutions, and the shorter the less was put in order before; but on a
    large board a narrow beam finds none. So the part that is left to the beam grows until it fails,
    and the next beam is wider.
    """
    largest = max(task.width, task.height)
    size = min(SMALLEST_BEAM, largest)
    for width in BEAM_WIDTHS:
        while True:
            before, rest_task, rest = run_job(peel(task, size))
            room = max(0, len(best) - len(before))
            found = yield from map_events(
                beam_search(part(rest_task, rest), width, room), partial(_same, best)
            )
            if found is not None:
                best = before + found
            if found is None or size == largest:
                break
            size += 1


def _same(best: str, _: Progress) -> str:
    return best
