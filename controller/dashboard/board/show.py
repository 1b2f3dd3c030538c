"""Turns what happens to a board into what the Board page shows."""

import threading
from typing import Any, Final

import msgspec

from controller.dashboard.board.console import Console
from controller.dashboard.board.flash_show import FlashShow
from controller.dashboard.board.simulated_board import BoardState
from controller.dashboard.board.view import (
    BoardView,
    OnBoard,
    Phase,
    ProgramView,
    PuzzleView,
    Solution,
)
from controller.dashboard.board.work import Answered, Found
from controller.dashboard.hub import Hub
from firmware_tools.flashing.events import Phase as Flashing
from firmware_tools.flashing.flasher import BoardInfo, FlashReport
from solvers.foundation.clock import Clock
from solvers.foundation.progress import Progress

BOARD: Final = "board"
STATE: Final = "board-state"
PROGRAM: Final = "board-program"
PUZZLE: Final = "board-puzzle"
BUSY: Final = (Phase.CONNECTING, Phase.RUNNING)


class BoardShow:
    """What a board's page shows: told by the job's thread, and by those that steer it."""

    def __init__(self, hub: Hub, console: Console, clock: Clock) -> None:
        self._hub = hub
        self._console = console
        self._lock = threading.RLock()
        self._state: BoardState | None = None
        self.flash = FlashShow(hub, console, clock)
        self.view = BoardView()
        self.puzzle = PuzzleView()
        self.change()
        self.show_state(None)
        self.show_program(ProgramView())
        self.change_puzzle()

    def change(self, **fields: Any) -> None:
        """Replace fields of the view, and tell."""
        with self._lock:
            self.view = msgspec.structs.replace(self.view, **fields)
            self._hub.tell(BOARD, self.view)

    def change_puzzle(self, **fields: Any) -> None:
        """Replace fields of the puzzle, and tell."""
        with self._lock:
            self.puzzle = msgspec.structs.replace(self.puzzle, **fields)
            self._hub.tell(PUZZLE, self.puzzle)

    def show_program(self, view: ProgramView) -> None:
        """Show the chosen program."""
        self._hub.tell(PROGRAM, view)

    def show_state(self, state: BoardState | None) -> None:
        """Show a simulated board, and mark its restarts; None: there is none to be seen."""
        before, self._state = self._state, state
        if state is not None and before is not None:
            if state.resets != before.resets:
                mode = "load" if state.mode == "red" else "run"
                self._console.mark(f"reset, mode {mode}")
            elif state.running and not before.running:
                self._console.mark("the program starts")
        self._hub.tell(STATE, state)

    def begin(self, work: str) -> None:
        """Begin a job on the board."""
        self.change(phase=Phase.RUNNING, sentence="", work=work)

    def stop(self) -> None:
        """Show that what runs was told to end."""
        with self._lock:
            if self.view.phase in BUSY:
                self.change(phase=Phase.STOPPING)

    def end(self, phase: Phase, sentence: str = "", **fields: Any) -> None:
        """Show how a job has ended."""
        if phase is Phase.FAULT:
            self._console.warn(sentence)
        self.flash.cut_off()
        self.change_puzzle(asking="")
        self.change(phase=phase, sentence=sentence, work="", **fields)

    def see(self, event: Progress) -> None:
        """Show an event."""
        match event:
            case Found():
                self.flash.find(event.info)
                self.found(event.info)
            case Answered():
                self._answer(event.solution)
            case _:
                self.flash.see(event)
                if event.task == Flashing.ERASE and event.share == 0:
                    self._begin_flashing()
                elif event.task == Flashing.VERIFY and event.share == 1:
                    self._end_flashing()
                waited = f" {event.done:.0f} {event.unit}" if event.unit == "s" else ""
                self.change(sentence=f"{event.task}{waited}")

    def found(self, info: BoardInfo | None) -> None:
        """Show what the boot loader says of its flash."""
        if info is None:
            self.change(on_board=msgspec.structs.replace(self.view.on_board, image=""))
            return
        flash = info.flash
        self.change(
            on_board=msgspec.structs.replace(
                self.view.on_board,
                chip=_hexadecimal(info.chip_id),
                image=flash.image.name.lower(),
                bytes=flash.length,
                crc32=f"{flash.crc32:08X}" if flash.length else "",
            )
        )

    def flashed(self, report: FlashReport) -> None:
        """Show that an image was brought onto the board and verified."""
        self.flash.finish(report)
        on_board = msgspec.structs.replace(self.view.on_board, chip=_hexadecimal(report.chip_id))
        self.end(Phase.FINISHED, on_board=on_board)

    def pose(self, start: str, goal: str, asking: str) -> None:
        """Show what is asked of the board; answers to the same puzzle stay."""
        is_same = (start, goal) == (self.puzzle.start, self.puzzle.goal)
        kept = self.puzzle.solutions if is_same else ()
        self.change_puzzle(start=start, goal=goal, asking=asking, solutions=kept)

    def _begin_flashing(self) -> None:
        """From here on nobody can run what was in flash before."""
        old = self.view.on_board
        self.change(
            on_board=OnBoard(
                chip=old.chip,
                protocol=old.protocol,
                name=self.flash.view.name,
                before=self._now_on_board(),
            )
        )

    def _end_flashing(self) -> None:
        flashed = self.flash.view
        on_board = msgspec.structs.replace(
            self.view.on_board, image="valid", bytes=flashed.total, crc32=flashed.crc32
        )
        self.change(on_board=on_board)

    def _answer(self, solution: Solution) -> None:
        others = (each for each in self.puzzle.solutions if each.algorithm != solution.algorithm)
        self._console.mark(
            solution.error
            or f"{solution.algorithm}: {len(solution.moves)} moves, {solution.cycles} cycles"
        )
        self.change_puzzle(solutions=(*others, solution))

    def _now_on_board(self) -> str:
        old = self.view.on_board
        size = f"{old.bytes:,} bytes" if old.bytes else old.image
        return ", ".join(part for part in (old.name, size) if part)


def _hexadecimal(data: bytes) -> str:
    return data.hex(" ").upper()
