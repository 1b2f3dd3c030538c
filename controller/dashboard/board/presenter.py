"""Presenter of the Board page: turns the events of a board into views."""

from typing import Any, Final

import msgspec

from controller.dashboard.board import view as views
from controller.dashboard.board.devices import BoardState, Console
from controller.dashboard.board.work import Answered, Found
from controller.dashboard.hub import Hub, Topic
from firmware_tools.bootloader.loader import ImageStatus
from firmware_tools.flashing import BoardInfo, FlashReport, Planned, Programmed
from firmware_tools.flashing import Phase as Flashing
from solvers.foundation.clock import Clock
from solvers.foundation.progress import Progress

BOARD: Final = "board"
STATE: Final = "board-state"
PROGRAM: Final = "board-program"
PUZZLE: Final = "board-puzzle"
BUSY: Final = (views.Phase.CONNECTING, views.Phase.RUNNING)


class BoardPresenter:
    """The views of a board's page; the job's thread and the controller call it."""

    def __init__(self, hub: Hub, console: Console, clock: Clock) -> None:
        self._hub = hub
        self._console = console
        self._topic = Topic(hub, BOARD, views.BoardView())
        self._puzzle = Topic(hub, PUZZLE, views.PuzzleView())
        self.change = self._topic.change
        self._state: BoardState | None = None
        self.flash = FlashPresenter(hub, console, clock)
        self.show_state(None)
        self.show_program(views.ProgramView())

    @property
    def view(self) -> views.BoardView:
        """What is shown of the board."""
        return self._topic.view

    @property
    def puzzle(self) -> views.PuzzleView:
        """What is shown of the puzzle."""
        return self._puzzle.view

    def show_program(self, view: views.ProgramView) -> None:
        """Show the chosen program."""
        self._hub.publish(PROGRAM, view)

    def show_state(self, state: BoardState | None) -> None:
        """Show a simulated board, and mark its restarts; None: there is none to be seen."""
        before, self._state = self._state, state
        if state is not None and before is not None:
            if state.resets != before.resets:
                mode = "load" if state.mode == "red" else "run"
                self._console.mark(f"reset, mode {mode}")
            elif state.running and not before.running:
                self._console.mark("the program starts")
        self._hub.publish(STATE, state)

    def start(self, work: str) -> None:
        """Show that a job on the board starts."""
        self.change(phase=views.Phase.RUNNING, sentence="", work=work)

    def stop(self) -> None:
        """Show that the job was asked to stop."""
        with self._topic.lock:
            if self.view.phase in BUSY:
                self.change(phase=views.Phase.STOPPING)

    def end(self, phase: views.Phase, sentence: str = "", **fields: Any) -> None:
        """Show how a job has ended."""
        if phase is views.Phase.FAULT:
            self._console.warn(sentence)
        self.flash.cut_off()
        self._puzzle.change(asking="")
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
                    self._start_flashing()
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
        self.end(views.Phase.FINISHED, on_board=on_board)

    def pose(self, start: str, goal: str, asking: str) -> None:
        """Show what is asked of the board; answers to the same puzzle stay."""
        is_same = (start, goal) == (self.puzzle.start, self.puzzle.goal)
        solutions = self.puzzle.solutions if is_same else ()
        self._puzzle.change(start=start, goal=goal, asking=asking, solutions=solutions)

    def _start_flashing(self) -> None:
        """From here on the program that was in flash cannot run."""
        old = self.view.on_board
        self.change(
            on_board=views.OnBoard(
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

    def _answer(self, solution: views.Solution) -> None:
        others = (each for each in self.puzzle.solutions if each.algorithm != solution.algorithm)
        self._console.mark(
            solution.error
            or f"{solution.algorithm}: {len(solution.moves)} moves, {solution.cycles} cycles"
        )
        self._puzzle.change(solutions=(*others, solution))

    def _now_on_board(self) -> str:
        old = self.view.on_board
        size = f"{old.bytes:,} bytes" if old.bytes else old.image
        return ", ".join(part for part in (old.name, size) if part)


def _hexadecimal(data: bytes) -> str:
    return data.hex(" ").upper()


FLASH: Final = "board-flash"
SHOWN: Final = (Flashing.CONNECT, Flashing.ERASE, Flashing.PROGRAM, Flashing.CHECK, Flashing.VERIFY)
OUTCOMES: Final = {
    ImageStatus.EMPTY: "empty",
    ImageStatus.INCOMPLETE: "incomplete",
    ImageStatus.VALID: "unverified",
}


class FlashPresenter:
    """The view of flashing, one after the other; called by the job's thread."""

    def __init__(self, hub: Hub, console: Console, clock: Clock) -> None:
        self._console = console
        self._clock = clock
        self._started_s = self._programming_s = 0.0
        self._estimated_s = 0.0
        self.speed = 1.0
        self.crc32 = ""
        self._topic = Topic(hub, FLASH, views.FlashView())

    def clear(self) -> None:
        """Show nothing of an earlier one."""
        self._topic.show(views.FlashView())

    def see(self, event: Progress) -> None:
        """Show an event of flashing; others are let pass."""
        match event:
            case Planned():
                self._start(event)
            case Programmed():
                self._program(event)
            case _ if self.view.phases and event.task in SHOWN:
                self._enter(Flashing(event.task), is_done=event.share == 1)

    def finish(self, report: FlashReport) -> None:
        """Show all that was repeated."""
        within = self.view.silent + self.view.refused
        repeated = report.repeated_silent + report.repeated_refused
        self._change(
            silent=report.repeated_silent,
            refused=report.repeated_refused,
            elsewhere=repeated - within,
        )

    def find(self, info: BoardInfo | None) -> None:
        """Show what the board says of its flash after flashing was cut off."""
        outcome = "unknown" if info is None else OUTCOMES[info.flash.image]
        self._console.warn(f"flashing was cut off; the board's image is {outcome}")
        self._change(outcome=outcome)

    def cut_off(self) -> None:
        """Show that nothing more comes."""
        if not self.view.phases or self.view.outcome == "complete":
            return
        phases = tuple(
            views.PhaseView(each.name, "failed" if each.state == "now" else each.state)
            for each in self.view.phases
        )
        erase = phases[SHOWN.index(Flashing.ERASE)]
        outcome = "untouched" if erase.state == "waiting" else "unknown"
        self._change(phases=phases, outcome=self.view.outcome or outcome, left_s=0.0)

    def _start(self, event: Planned) -> None:
        plan = event.plan
        self.crc32 = f"{plan.image.crc32:08X}"
        self._started_s = self._clock.now()
        self._estimated_s = plan.estimated_s / self.speed
        self._console.mark(f"flashing {plan.image.name}: {plan.programmed_bytes} bytes")
        view = views.FlashView(
            name=plan.image.name,
            addresses=tuple(block.address for block in plan.blocks),
            phases=tuple(views.PhaseView(str(phase)) for phase in SHOWN),
            total=plan.programmed_bytes,
            left_s=self._estimated_s,
        )
        self._topic.show(view)

    def _enter(self, phase: Flashing, *, is_done: bool) -> None:
        place = SHOWN.index(phase)
        if phase is Flashing.PROGRAM and not self.view.done:
            self._programming_s = self._clock.now()
        states = ["done"] * place + ["done" if is_done else "now"]
        states += ["waiting"] * (len(SHOWN) - len(states))
        phases = tuple(
            views.PhaseView(str(each), state) for each, state in zip(SHOWN, states, strict=True)
        )
        self._change(phases=phases)
        if phase is Flashing.VERIFY and is_done:
            self._console.mark(f"verified, CRC-32 {self.crc32}")
            self._change(outcome="complete", crc32=self.crc32, left_s=0.0)

    def _program(self, event: Programmed) -> None:
        view, repeated = self.view, event.silent + event.refused
        repeats = view.repeats | {view.done: repeated} if repeated else view.repeats
        for count, why in ((event.silent, "no answer"), (event.refused, "refused")):
            if count:
                times = f" {count} times" if count > 1 else ""
                self._console.warn(f"{why} at {event.address:04X}h, sent again{times}")
        passed_s = self._clock.now() - self._programming_s
        assert event.total is not None
        self._change(
            done=view.done + 1,
            bytes=int(event.done),
            repeats=repeats,
            silent=view.silent + event.silent,
            refused=view.refused + event.refused,
            left_s=passed_s * (event.total - event.done) / event.done,
        )

    def _change(self, **fields: Any) -> None:
        if self.view.phases:
            fields["elapsed_s"] = self._clock.now() - self._started_s
        self._topic.change(**fields)

    @property
    def view(self) -> views.FlashView:
        """What is shown of flashing."""
        return self._topic.view
