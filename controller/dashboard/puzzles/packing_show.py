"""The search of a packing puzzle part by part, as the page shows it; what is done is kept."""

from typing import Any, Final

from platformdirs import user_state_path

from controller.dashboard.beside.child import Child
from controller.dashboard.puzzles.beside.part_search import (
    MOST_KEPT,
    Begun,
    Known,
    PartDone,
    searching,
)
from controller.dashboard.puzzles.requests import Pack
from controller.dashboard.puzzles.search import Outcome, Search
from controller.dashboard.puzzles.shelf import Shelf, Shelved
from controller.dashboard.puzzles.view import SearchView, solutions_word
from solvers.foundation.progress import Job
from solvers.foundation.wording import counted
from solvers.polycube.solving.finished_parts import FinishedParts
from solvers.polycube.solving.problem import Count, PartCount

LEAST_SHARE: Final = 0.02
"""Less of a search says too little about how long the rest takes."""


class PartSearch:
    """One search; a count keeps its parts on disk, a search for all its solutions in memory."""

    def __init__(self, shelf: Shelf, search: Search, shelved: Shelved, request: Pack) -> None:
        self._shelf = shelf
        self._search = search
        self._shelved = shelved
        self._workers = request.workers
        self._keeps_solutions = request.wanted == "all"
        self._counts: dict[int, PartCount] = {}
        self._parts = 0
        self._first_share = 0.0
        folder = user_state_path("puzzlerig") / "packing"
        self._finished = FinishedParts(folder, shelved.puzzle, resume=True)

    def start(self, view: SearchView) -> None:
        """Begin. Raises DeviceBusyError while another search runs."""
        self._search.start(
            view, self._job, on_event=self._see, on_report=self._report, on_stop=self._stopped
        )

    def _job(self, child: Child) -> Job[Begun | PartDone, Count]:
        return child.run(
            searching,
            self._shelved.puzzle,
            self._workers,
            self._known(),
            keep_solutions=self._keeps_solutions,
        )

    def _known(self) -> Known:
        if not self._keeps_solutions:
            return Known(finished=self._finished)
        shelved = self._shelved
        if len(shelved.solutions) >= MOST_KEPT:
            return Known(dict(shelved.counts), shelved.ordered, len(shelved.solutions))
        # Parts beyond a gap have solutions that were not told yet.
        counts = {n: count for n, count in shelved.counts.items() if n < shelved.ordered}
        return Known(counts, shelved.ordered, len(shelved.solutions))

    def _see(self, event: Begun | PartDone) -> None:
        match event:
            case Begun():
                self._search.begin_to_measure()
                self._parts, self._counts = event.parts, dict(event.counts)
                self._first_share = len(self._counts) / event.parts if event.parts else 1.0
                if not self._keeps_solutions:
                    self._finished.load(event.parts)
                self._tell(event.so_far, self._first_share)
            case PartDone():
                self._counts[event.number] = event.count
                if self._keeps_solutions:
                    self._shelved.counts[event.number] = event.count
                    self._shelved.solutions += event.solutions
                    self._shelved.ordered = event.ordered
                else:
                    self._finished.add(event.number, event.count)
                self._tell(event.so_far, event.share)

    def _tell(self, so_far: Count, share: float) -> None:
        self._search.change(
            share=share,
            parts=_drawn(self._counts, self._parts, self._workers),
            found=so_far.up_to_symmetry,
            found_words=f"{solutions_word(so_far.up_to_symmetry)} so far, up to symmetry",
            nodes=so_far.nodes,
            left_s=self._left(share),
            solutions=len(self._shelved.shown),
        )

    def _left(self, share: float) -> float | None:
        done = share - self._first_share
        if done < LEAST_SHARE:
            return None
        return self._search.view.seconds * (1.0 - share) / done

    def _report(self, count: Count) -> Outcome:
        self._finished.remove()
        shelved = self._shelved
        shelved.count, shelved.has_none = count.up_to_symmetry, not count.total
        shelved.pictures += shelved.is_own
        self._shelf.tell()
        changes: dict[str, Any] = {
            "share": 1.0,
            "parts": "d" * self._parts,
            "found": count.up_to_symmetry,
            "found_words": f"{solutions_word(count.up_to_symmetry)}, up to symmetry",
            "total": count.total,
            "nodes": count.nodes,
            "left_s": None,
            "solutions": len(shelved.shown),
            "sentence": self._about_kept(),
        }
        return Outcome(f"{count.up_to_symmetry:,}", changes=changes)

    def _about_kept(self) -> str:
        kept = len(self._shelved.solutions)
        if not self._keeps_solutions or kept < MOST_KEPT:
            return ""
        return f"The first {kept:,} can be looked at; the others are counted."

    def _stopped(self) -> dict[str, Any]:
        done = f"{len(self._counts)} of {counted(self._parts, 'part')}"
        if not self._counts:
            return {"sentence": "Nothing is finished yet."}
        kept = f"{done} are kept as long as the dashboard runs; it goes on from there."
        if not self._keeps_solutions:
            kept = (
                f"{done} are kept on disk; the count goes on from there, with any number of "
                "workers, here or by `puzzle pack solve --count --resume`."
            )
            if not self._finished.save():
                kept = f"{done} are counted, but cannot be saved in {self._finished.path.parent}."
        return {"sentence": kept, "can_go_on": True, "left_s": None}


def _drawn(counts: dict[int, PartCount], parts: int, workers: int) -> str:
    """Return a letter for each part; workers take them in their order."""
    waiting = [number for number in range(parts) if number not in counts]
    now = set(waiting[:workers])
    return "".join(
        "d" if number in counts else "n" if number in now else "w" for number in range(parts)
    )
