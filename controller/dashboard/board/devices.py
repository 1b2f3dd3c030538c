"""The board that the dashboard uses, real or simulated, the line to it, and its console.

A simulated board is a process (`hwsim aksen --json`): its state out, commands in, as in
docs/aksen-simulator.md, section "For programs".
"""

import subprocess
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final

import msgspec

from controller.dashboard.board.view import PressRequest, SimulateRequest
from controller.dashboard.hub import Hub
from controller.errors import RobotError
from controller.simulator_process import start_simulator
from firmware_tools.board_job import board_info
from firmware_tools.boards.facts import load_board
from firmware_tools.bootloader import protocol_for
from firmware_tools.errors import BoardError, PortError
from firmware_tools.flashing import BoardInfo
from firmware_tools.line.byte_link import ByteLink
from firmware_tools.line.serial_link import open_link
from solvers.foundation.clock import Clock
from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.foundation.progress import Job, Progress, run_job

CONSOLE: Final = "board-console"
MOST_ENTRIES: Final = 2000
LINE_ENDS: Final = {"lf": b"\n", "cr": b"\r", "crlf": b"\r\n", "none": b""}


class ConsoleEntry(msgspec.Struct, frozen=True):
    """Entry number `n`, `at_s` seconds after the console's start.

    `kind` is `in` or `out` for bytes (their Latin-1 letters are `text`), `mark` or `warn` for what
    happened.
    """

    n: int
    at_s: float
    kind: str
    text: str


class Console:
    """The last lines to and from the board; any thread writes. Pages get the count."""

    def __init__(self, hub: Hub, clock: Clock) -> None:
        self._hub = hub
        self._clock = clock
        self._started_s = clock.now()
        self._lock = threading.Lock()
        self._count = 0
        self._entries: deque[ConsoleEntry] = deque(maxlen=MOST_ENTRIES)
        hub.publish(CONSOLE, 0)

    def add_received(self, data: bytes) -> None:
        """Add what the board has sent."""
        self._add("in", data.decode("latin-1"))

    def add_sent(self, data: bytes) -> None:
        """Add what was sent to the board."""
        self._add("out", data.decode("latin-1"))

    def mark(self, text: str) -> None:
        """Add what happened."""
        self._add("mark", text)

    def warn(self, text: str) -> None:
        """Add what went wrong."""
        self._add("warn", text)

    def since(self, count: int) -> list[ConsoleEntry]:
        """Return the entries after number `count` that are still stored."""
        with self._lock:
            return [entry for entry in self._entries if entry.n > count]

    def _add(self, kind: str, text: str) -> None:
        with self._lock:
            self._count += 1
            at_s = round(self._clock.now() - self._started_s, 3)
            self._entries.append(ConsoleEntry(self._count, at_s, kind, text))
            self._hub.publish(CONSOLE, self._count)


def encoded(text: str, end: str) -> bytes:
    """Return a line as it is sent. Raises InvalidInputError for letters that no byte holds."""
    try:
        return text.encode("latin-1") + LINE_ENDS[end]
    except UnicodeEncodeError as error:
        letter = text[error.start]
        raise InvalidInputError(
            f"{letter!r} is no letter that one byte holds; the line takes Latin-1 only."
        ) from None


STARTING_POLL_S: Final = 0.1
PATIENCE_S: Final = 5.0
"""The longest time until a pressed key is seen."""
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
    """The keys of a simulator's line; `lcd` is in the board's state alone."""

    lcd: tuple[str, ...] | None = None
    address: str = ""
    error: str = ""


class SimulatedBoard:
    """A starting or running simulator; `on_state` is called with every change, in its own thread.

    `on_end` is called when the process has ended, asked or not.
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
        """Wait for its address and return that. Raises RobotError if it fails."""
        waited_s = 0.0
        while not self.address:
            if not self.is_running:
                self._reader.join(STOP_TIMEOUT_S)
                reason = self._error or "Run `hwsim aksen` to see why."
                raise RobotError(f"The simulated board did not start. {reason}")
            yield Progress("starting the simulated board", waited_s, None, "s")
            with self._changed:
                self._changed.wait_for(lambda: bool(self.address), STARTING_POLL_S)
            waited_s += STARTING_POLL_S
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


POLL_S: Final = 0.05
CHUNK_BYTES: Final = 256
END_S: Final = 5.0


class BoardLine:
    """Listens to the board while no job uses the line.

    `on_data` is called with the bytes, `on_break` with the reason why the line is gone; both in the
    listener's thread.
    """

    def __init__(
        self,
        link: ByteLink,
        on_data: Callable[[bytes], object],
        on_break: Callable[[PortError], object],
    ) -> None:
        self._link = link
        self._on_data = on_data
        self._on_break = on_break
        self._lock = threading.Lock()
        self._is_free = threading.Event()
        self._is_free.set()
        self._is_closed = threading.Event()
        self._listener = threading.Thread(target=self._listen, name="board line")
        self._listener.start()

    @contextmanager
    def acquire(self) -> Iterator[ByteLink]:
        """Use the line exclusively."""
        self._is_free.clear()
        try:
            with self._lock:
                yield self._link
        except PortError:
            self._is_closed.set()  # it is dead, so the listener ends
            raise
        finally:
            self._is_free.set()

    def send(self, data: bytes) -> None:
        """Send bytes to the program. Raises InvalidInputError while a job has the line."""
        if not self._is_free.is_set():
            raise InvalidInputError("The line is in use; wait until that ends, or cancel it.")
        with self._lock:
            self._link.write(data)

    def close(self) -> None:
        """Stop listening and close the line; may be called twice."""
        self._is_closed.set()
        if threading.current_thread() is not self._listener:
            self._listener.join(END_S)
        self._link.close()

    def _listen(self) -> None:
        while not self._is_closed.is_set():
            if not self._is_free.wait(POLL_S):
                continue
            try:
                with self._lock:
                    data = self._link.read(1, POLL_S)
                    if data:
                        data += self._link.read(CHUNK_BYTES, 0)
            except PortError as error:
                if not self._is_closed.is_set():
                    self._is_closed.set()
                    self._on_break(error)
                return
            if data:
                self._on_data(data)


TO_LOAD: Final = PressRequest(mode="red", reset=True)


@dataclass(frozen=True, slots=True)
class Device:
    """A board whose line is open; `info` is what its boot loader has said, if it was asked."""

    address: str
    is_simulated: bool
    speed: float = 1.0
    info: BoardInfo | None = None


class BoardDevices:
    """At most one board at a time, and the line to it."""

    def __init__(
        self,
        console: Console,
        clock: Clock,
        on_state: Callable[[BoardState | None], object],
        on_lost: Callable[[str], object],
    ) -> None:
        """`on_state` gets a simulated board's state, `on_lost` the reason why a board is gone."""
        self.facts = load_board()
        self.protocol = protocol_for(self.facts)
        self.device: Device | None = None
        self._console = console
        self._clock = clock
        self._on_state = on_state
        self._on_lost = on_lost
        self._line: BoardLine | None = None
        self._simulator: SimulatedBoard | None = None

    @property
    def line(self) -> BoardLine:
        """The line to the board. Raises InvalidInputError without one."""
        if self._line is None:
            raise InvalidInputError("No board is connected.")
        return self._line

    def require(self) -> None:
        """Raise InvalidInputError if there is no board."""
        _ = self.line

    @property
    def simulator(self) -> SimulatedBoard:
        """The simulated board. Raises InvalidInputError for a real one, and without one."""
        if self._simulator is None:
            raise InvalidInputError(
                "Only a simulated board has switches here; on a real one you move them by hand."
            )
        return self._simulator

    @property
    def has_ended(self) -> bool:
        """Whether the board was a simulated one that has ended by itself."""
        return self._simulator is not None and not self._simulator.is_running

    def simulating(self, request: SimulateRequest, options: Sequence[str]) -> Job[Progress, Device]:
        """Start a simulated board and use it from now on."""
        self.release()
        arguments = ["--listen", "127.0.0.1:0", "--speed", str(request.speed), *options]
        simulator = SimulatedBoard(arguments, self._on_state, self._ended)
        self._simulator = simulator
        try:
            address = yield from simulator.starting()
            self._open(address)
            with self.line.acquire() as link:
                try:
                    info = run_job(board_info(link, self.facts, self.protocol))
                except BoardError:  # a bad line was asked for; flashing reports it
                    info = None
        except BaseException:
            self.release()
            raise
        self.device = Device(address, is_simulated=True, speed=request.speed, info=info)
        return self.device

    def connecting(self, port: str) -> Job[Progress, Device]:
        """Open the line to a board and use it from now on; nothing is said to the board."""
        self.release()
        yield Progress(f"opening {port}", 0, None)
        self._open(port)
        self.device = Device(port, is_simulated=False)
        return self.device

    def reopening(self) -> Job[Progress, Device]:
        """Open a broken line again."""
        device = self.device
        if device is None:
            raise InvalidInputError("No board was connected.")
        yield Progress(f"opening {device.address}", 0, None)
        self._close_line()
        self._open(device.address)
        return device

    def make_listen(self) -> None:
        """Bring a simulated board's boot loader back; a real one needs a hand."""
        simulator = self._simulator
        if simulator is not None and simulator.state is not None and simulator.state.running:
            simulator.press(TO_LOAD)

    def send(self, data: bytes) -> None:
        """Send bytes to the program that runs. Raises InvalidInputError while a job is at work."""
        self.line.send(data)
        self._console.add_sent(data)

    def release(self) -> None:
        """Disconnect; a simulated one ends."""
        self.device = None
        self._close_line()
        simulator, self._simulator = self._simulator, None
        if simulator is not None:
            simulator.stop()
            self._on_state(None)

    def _open(self, address: str) -> None:
        link = open_link(address, self.facts.baud, self._clock)
        self._line = BoardLine(link, self._console.add_received, self._broke)

    def _close_line(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            line.close()

    def _broke(self, error: PortError) -> None:
        self._on_lost(str(error))

    def _ended(self, simulator: SimulatedBoard) -> None:
        if simulator is self._simulator:  # it ended by itself
            self._on_state(None)
            self._on_lost("The simulated board has ended; start another.")
