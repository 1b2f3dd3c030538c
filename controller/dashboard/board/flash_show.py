"""What is shown of flashing: phases, one square for each block, bytes and time."""

from typing import Any, Final

import msgspec

from controller.dashboard.board.console import Console
from controller.dashboard.board.view import FlashView, PhaseView
from controller.dashboard.hub import Hub
from firmware_tools.bootloader.loader import ImageStatus
from firmware_tools.flashing.events import Phase, Planned, Programmed
from firmware_tools.flashing.flasher import BoardInfo, FlashReport
from solvers.foundation.clock import Clock
from solvers.foundation.progress import Progress

FLASH: Final = "board-flash"
SHOWN: Final = (Phase.CONNECT, Phase.ERASE, Phase.PROGRAM, Phase.CHECK, Phase.VERIFY)
OUTCOMES: Final = {
    ImageStatus.EMPTY: "empty",
    ImageStatus.INCOMPLETE: "incomplete",
    ImageStatus.VALID: "unverified",
}


class FlashShow:
    """Follows one flashing after the other; told by the job's thread."""

    def __init__(self, hub: Hub, console: Console, clock: Clock) -> None:
        self._hub = hub
        self._console = console
        self._clock = clock
        self._begun_s = self._programming_s = 0.0
        self._estimated_s = 0.0
        self.speed = 1.0
        self.crc32 = ""
        self.view = FlashView()
        self.clear()

    def clear(self) -> None:
        """Show nothing of an earlier one."""
        self.view = FlashView()
        self._change()

    def see(self, event: Progress) -> None:
        """Show an event of flashing; others are let pass."""
        match event:
            case Planned():
                self._begin(event)
            case Programmed():
                self._program(event)
            case _ if self.view.phases and event.task in SHOWN:
                self._enter(Phase(event.task), is_done=event.share == 1)

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
            PhaseView(each.name, "failed" if each.state == "now" else each.state)
            for each in self.view.phases
        )
        erase = phases[SHOWN.index(Phase.ERASE)]
        outcome = "untouched" if erase.state == "waiting" else "unknown"
        self._change(phases=phases, outcome=self.view.outcome or outcome, left_s=0.0)

    def _begin(self, event: Planned) -> None:
        plan = event.plan
        self.crc32 = f"{plan.image.crc32:08X}"
        self._begun_s = self._clock.now()
        self._estimated_s = plan.estimated_s / self.speed
        self._console.mark(f"flashing {plan.image.name}: {plan.programmed_bytes} bytes")
        self.view = FlashView(
            name=plan.image.name,
            addresses=tuple(block.address for block in plan.blocks),
            phases=tuple(PhaseView(str(phase)) for phase in SHOWN),
            total=plan.programmed_bytes,
            left_s=self._estimated_s,
        )
        self._change()

    def _enter(self, phase: Phase, *, is_done: bool) -> None:
        place = SHOWN.index(phase)
        if phase is Phase.PROGRAM and not self.view.done:
            self._programming_s = self._clock.now()
        states = ["done"] * place + ["done" if is_done else "now"]
        states += ["waiting"] * (len(SHOWN) - len(states))
        phases = tuple(
            PhaseView(str(each), state) for each, state in zip(SHOWN, states, strict=True)
        )
        self._change(phases=phases)
        if phase is Phase.VERIFY and is_done:
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
            fields["elapsed_s"] = self._clock.now() - self._begun_s
        self.view = msgspec.structs.replace(self.view, **fields)
        self._hub.tell(FLASH, self.view)
