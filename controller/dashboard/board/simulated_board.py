"""A simulated board in a process of its own (`hwsim aksen --json`): its state out, commands in.

docs/aksen-simulator.md, section "For programs", is what this follows.
"""

import subprocess
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

import msgspec

from controller.dashboard.board.view import PressRequest
from controller.errors import RobotError
from controller.simulator_process import start_simulator
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import Job, Progress

POLL_S: Final = 0.1
PATIENCE_S: Final = 5.0
"""So long a pressed key may take to be seen."""
STOP_TIMEOUT_S: Final = 10


class Motor(msgspec.Struct, frozen=True):
    """`power` in tenths, 0 to 10; `direction` 0 or 1."""

    power: int
    direction: int


class BoardState(msgspec.Struct, frozen=True):
    """What a person sees of the board; `lcd` has rows of letters, `dip` is the switches' number."""

    lcd: tuple[str, ...]
    leds: tuple[bool, ...]
    motors: tuple[Motor, ...]
    servos_us: tuple[int, ...]
    dip: int
    mode: str
    mode_led: str
    running: bool
    resets: int


class _Line(msgspec.Struct, frozen=True):
    """What tells a line of the board's state from others."""

    lcd: tuple[str, ...] | None = None
    address: str = ""
    error: str = ""


class SimulatedBoard:
    """A starting or running simulator; `on_state` is told of every change, in a thread of its own.

    `on_end` is told when the process has ended, asked or not.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        on_state: Callable[[BoardState], object],
        on_end: Callable[["SimulatedBoard"], object],
    ) -> None:
        self._on_state = on_state
        self._on_end = on_end
        self._process: subprocess.Popen[str] = start_simulator("aksen", arguments)
        self._changed = threading.Condition()
        self._error = ""
        self.address = ""
        self.state: BoardState | None = None
        self._reader = threading.Thread(target=self._read, name="simulated board")
        self._reader.start()

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    @property
    def process_id(self) -> int:
        """Number of its process."""
        return self._process.pid

    def starting(self) -> Job[Progress, str]:
        """Wait until it has said its address, and return that. Raises RobotError if it fails."""
        waited_s = 0.0
        while not self.address:
            if not self.is_running:
                self._reader.join(STOP_TIMEOUT_S)
                reason = self._error or "Run `hwsim aksen` to see why."
                raise RobotError(f"The simulated board did not start. {reason}")
            yield Progress("starting the simulated board", waited_s, None, "s")
            with self._changed:
                self._changed.wait_for(lambda: bool(self.address), POLL_S)
            waited_s += POLL_S
        return self.address

    def press(self, request: PressRequest) -> None:
        """Move the mode switch and press reset, as asked; return when that is seen."""
        before = self.state
        assert before is not None
        if request.mode is not None:
            self._command(f"switch {request.mode}")
        if request.reset:
            self._command("reset")

        def is_seen() -> bool:
            now = self.state
            return (
                now is not None
                and request.mode in (None, now.mode)
                and (not request.reset or now.resets > before.resets)
            )

        self._wait(is_seen)

    def set_dip(self, number: int) -> None:
        """Set the DIP switches; return when that is seen."""
        self._error = ""
        self._command(f"dip {number}")
        self._wait(lambda: bool(self._error) or getattr(self.state, "dip", None) == number)
        if self._error:
            raise RobotError(f"The simulated board refuses that: {self._error}")

    def stop(self) -> None:
        """End it."""
        if self.is_running:
            self._process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_TIMEOUT_S)
        if threading.current_thread() is not self._reader:
            self._reader.join(STOP_TIMEOUT_S)
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    def _command(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise PuzzlerigError("The simulated board has ended; start another.") from None

    def _wait(self, is_seen: Callable[[], bool]) -> None:
        with self._changed:
            if not self._changed.wait_for(is_seen, PATIENCE_S):
                raise PuzzlerigError(
                    "The simulated board does not do what its switches say; start another."
                )

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            with suppress(msgspec.DecodeError):
                self._take(line)
        self._process.wait()
        self._on_end(self)

    def _take(self, line: str) -> None:
        said = msgspec.json.decode(line, type=_Line)
        state = None if said.lcd is None else msgspec.json.decode(line, type=BoardState)
        with self._changed:
            self._error = said.error or self._error
            self.address = said.address or self.address
            self.state = state or self.state
            self._changed.notify_all()
        if state is not None:
            self._on_state(state)
