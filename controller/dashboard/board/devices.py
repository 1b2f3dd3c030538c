"""The board that the dashboard uses, and the open line to it."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from controller.dashboard.board.console import Console
from controller.dashboard.board.simulated_board import BoardState, SimulatedBoard
from controller.dashboard.board.view import PressRequest, SimulateRequest
from firmware_tools.board_job import board_info
from firmware_tools.boards.facts import load_board
from firmware_tools.bootloader import protocol_for
from firmware_tools.errors import BoardError, PortError
from firmware_tools.flashing.flasher import BoardInfo
from firmware_tools.line.byte_link import ByteLink
from firmware_tools.line.serial_link import open_link
from solvers.foundation.clock import Clock
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.progress import Job, Progress, run_job

POLL_S: Final = 0.05
CHUNK_BYTES: Final = 256
END_S: Final = 5.0


class BoardLine:
    """Hears what the board sends while no job talks with it.

    `hear` is told the bytes, `broke` why the line is gone; both in the listener's thread.
    """

    def __init__(
        self,
        link: ByteLink,
        hear: Callable[[bytes], object],
        broke: Callable[[PortError], object],
    ) -> None:
        self._link = link
        self._hear = hear
        self._broke = broke
        self._lock = threading.Lock()
        self._is_free = threading.Event()
        self._is_free.set()
        self._is_closed = threading.Event()
        self._listener = threading.Thread(target=self._listen, name="board line")
        self._listener.start()

    @contextmanager
    def taken(self) -> Iterator[ByteLink]:
        """Have the line to oneself."""
        self._is_free.clear()
        try:
            with self._lock:
                yield self._link
        except PortError:
            self._is_closed.set()  # it is dead: nobody need listen to it any more
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
                    self._broke(error)
                return
            if data:
                self._hear(data)


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
        """`on_state` is told what a simulated board shows, `on_lost` why a board has gone."""
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
        self.give_back()
        arguments = ["--listen", "127.0.0.1:0", "--speed", str(request.speed), *options]
        simulator = SimulatedBoard(arguments, self._on_state, self._ended)
        self._simulator = simulator
        try:
            address = yield from simulator.starting()
            self._open(address)
            with self.line.taken() as link:
                try:
                    info = run_job(board_info(link, self.facts, self.protocol))
                except BoardError:  # a bad line was asked for; flashing will tell
                    info = None
        except BaseException:
            self.give_back()
            raise
        self.device = Device(address, is_simulated=True, speed=request.speed, info=info)
        return self.device

    def connecting(self, port: str) -> Job[Progress, Device]:
        """Open the line to a board and use it from now on; nothing is said to the board."""
        self.give_back()
        yield Progress(f"opening {port}", 0, None)
        self._open(port)
        self.device = Device(port, is_simulated=False)
        return self.device

    def reopening(self) -> Job[Progress, Device]:
        """Open the line anew that has broken off."""
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
        self._console.sent(data)

    def give_back(self) -> None:
        """Disconnect; a simulated one ends."""
        self.device = None
        self._close_line()
        simulator, self._simulator = self._simulator, None
        if simulator is not None:
            simulator.stop()
            self._on_state(None)

    def _open(self, address: str) -> None:
        link = open_link(address, self.facts.baud, self._clock)
        self._line = BoardLine(link, self._console.heard, self._broke)

    def _close_line(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            line.close()

    def _broke(self, error: PortError) -> None:
        self._on_lost(str(error))

    def _ended(self, simulator: SimulatedBoard) -> None:
        if simulator is self._simulator:  # nobody has asked it to
            self._on_state(None)
            self._on_lost("The simulated board has ended; start another.")
