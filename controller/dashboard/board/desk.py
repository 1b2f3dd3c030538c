"""What can be asked of the board; whatever takes long runs as its one job."""

import re
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

import msgspec

from controller.controls import Controls
from controller.dashboard.board.console import Console, encoded
from controller.dashboard.board.devices import BoardDevices, Device
from controller.dashboard.board.program_desk import ProgramDesk
from controller.dashboard.board.requests import (
    Build,
    Connect,
    Dip,
    Flash,
    Nothing,
    Press,
    Send,
    Simulate,
    Solve,
    Take,
)
from controller.dashboard.board.show import BoardShow
from controller.dashboard.board.view import OnBoard, Phase, Solution
from controller.dashboard.board.work import asking, flashing, solving, starting
from controller.dashboard.desk import Commands, Served
from controller.dashboard.hub import Hub
from controller.dashboard.jobs import DeviceJobs
from controller.errors import StoppedError
from firmware_tools.building.program import application_names
from firmware_tools.errors import PortError
from firmware_tools.flashing.flasher import BoardInfo, FlashReport
from firmware_tools.line.serial_link import available_ports
from solvers.foundation.clock import SystemClock, time_of_day
from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.foundation.progress import Job, Progress, checked

Report = TypeVar("Report")

ENDING_S: Final = 15.0
ENTRIES: Final = re.compile(r"console-([0-9]{1,9})\.json")
SIMULATOR_ENDED: Final = "The simulated board has ended; start another."
APPLICATIONS: Final = "board-applications"


class BoardDesk:
    """The board of the dashboard; any thread may ask. Everything raises PuzzlerigError."""

    def __init__(self, hub: Hub, simulator_options: Sequence[str] = ()) -> None:
        """`simulator_options` are for every simulated board that is started."""
        clock = SystemClock()
        self.simulator_options = tuple(simulator_options)
        self.console = Console(hub, clock)
        self._show = BoardShow(hub, self.console, clock)
        self.devices = BoardDevices(self.console, clock, self._show.show_state, self._lost)
        self._jobs = DeviceJobs("board", time_of_day)
        self.programs = ProgramDesk(
            self._jobs, self.devices.facts, self.devices.protocol, self._show.show_program
        )
        self.hear: Callable[[Progress], object] = lambda _: None
        """Told of every event, after the page; for tests, and whoever wants more."""
        hub.tell(APPLICATIONS, application_names())

    def ask(self, command: str, words: bytes) -> object:
        """Carry out a command of the page. Raises InvalidInputError for one that there is not."""
        if command == "open":  # its words are a file
            return {"opened": self.programs.open(words)}
        return _COMMANDS.carry_out(self, command, words)

    def simulate(self, request: Simulate) -> None:
        """Start a simulated board and use it."""
        options = self.simulator_options
        self._connect(
            "starting a simulated board", lambda: self.devices.simulating(request, options)
        )

    def connect(self, request: Connect) -> None:
        """Open the line to a board and use it."""
        if not request.port:
            raise InvalidInputError("Name the board's port, such as /dev/ttyUSB0.")
        self._connect(f"opening {request.port}", lambda: self.devices.connecting(request.port))

    def reconnect(self, _: Nothing) -> None:
        """Open the line anew that has broken off."""
        self._connect("opening the line again", self.devices.reopening)

    def disconnect(self, _: Nothing) -> None:
        """Leave the board; a simulated one ends."""
        if self._jobs.is_running:
            raise InvalidInputError("The board is at work; cancel that first.")
        self._show.flash.clear()
        self._end_without_board("")

    def flash(self, request: Flash) -> None:
        """Bring the chosen program onto the board, and start it if asked."""
        plan = self.programs.plan

        def job(controls: Controls) -> Job[Progress, FlashReport]:
            self._show.flash.clear()
            return flashing(self.devices, controls, plan, run=request.run)

        self._start(f"flashing {plan.image.name}", job, self._show.flashed)

    def inquire(self, _: Nothing) -> None:
        """Ask the boot loader what is in flash."""

        def found(info: BoardInfo) -> None:
            self._show.found(info)
            self._show.end(Phase.READY)

        self._start(
            "asking the boot loader", lambda controls: asking(self.devices, controls), found
        )

    def run(self, _: Nothing) -> None:
        """Start the program in flash."""
        self._start(
            "starting the program",
            lambda controls: starting(self.devices, controls),
            lambda _: self._show.end(Phase.READY, "The program runs."),
        )

    def solve(self, request: Solve) -> None:
        """Have the board solve an 8-puzzle."""

        def job(controls: Controls) -> Job[Progress, tuple[Solution, ...]]:
            self._show.pose(request.start, request.goal, ", ".join(request.algorithms))
            return solving(self.devices, controls, request)

        self._start("solving an 8-puzzle", job, lambda _: self._show.end(Phase.READY))

    def file(self, name: str) -> Served | None:
        """Return `console-N.json`: what was said behind the first N entries of the console."""
        number = ENTRIES.fullmatch(name)
        if number is None:
            return None
        entries = self.console.since(int(number[1]))
        return Served(msgspec.json.encode(entries), "application/json")

    def stop(self) -> None:
        """End what is done on the board; what is in its flash then, it says itself."""
        if self._jobs.stop():
            self._show.stop()

    def close(self) -> None:
        """Stop, wait, and give everything back."""
        self.stop()
        self._jobs.wait(ENDING_S)
        self.devices.give_back()

    def wait(self, seconds: float) -> bool:
        """Return whether the board's job has ended within `seconds`."""
        return self._jobs.wait(seconds)

    def _connect(self, title: str, job: Callable[[], Job[Progress, Device]]) -> None:
        controls = Controls(SystemClock())

        def begun() -> Job[Progress, Device]:
            self._show.flash.clear()
            self._show.change(phase=Phase.CONNECTING, sentence=title, is_lost=False)
            return (yield from checked(job(), controls.check))

        def connected(device: Device) -> None:
            self._show.flash.speed = device.speed
            self._show.change(
                phase=Phase.READY,
                sentence="",
                address=device.address,
                speed=device.speed,
                is_simulated=device.is_simulated,
                on_board=OnBoard(protocol=self.devices.protocol.name),
            )
            self._show.found(device.info)
            self.console.mark(f"connected with {device.address}")

        def refused(error: PuzzlerigError) -> None:
            self._end_without_board("" if isinstance(error, StoppedError) else str(error))

        self._jobs.start(
            title, controls, begun, on_event=self._see, on_report=connected, on_error=refused
        )

    def _start(
        self,
        title: str,
        job: Callable[[Controls], Job[Progress, Report]],
        on_report: Callable[[Report], object],
    ) -> None:
        self.devices.require()
        controls = Controls(SystemClock())

        def begun() -> Job[Progress, Report]:
            self._show.begin(title)
            return (yield from job(controls))

        self._jobs.start(
            title, controls, begun, on_event=self._see, on_report=on_report, on_error=self._failed
        )

    def _see(self, event: Progress) -> None:
        self._show.see(event)
        self.hear(event)

    def _failed(self, error: PuzzlerigError) -> None:
        if isinstance(error, StoppedError):
            self._show.end(Phase.STOPPED)
        elif self.devices.has_ended:
            self._end_without_board(SIMULATOR_ENDED)
        else:
            is_lost = isinstance(error, PortError)
            self._show.end(Phase.FAULT, str(error), is_lost=is_lost)

    def _lost(self, sentence: str) -> None:
        if self._jobs.is_running:
            return  # the job finds out itself
        if self.devices.has_ended:
            self._end_without_board(SIMULATOR_ENDED)
        else:
            self._show.end(Phase.FAULT, sentence, is_lost=True)

    def _end_without_board(self, sentence: str) -> None:
        self.devices.give_back()
        self._show.end(
            Phase.NONE, sentence, address="", is_lost=False, is_simulated=False, on_board=OnBoard()
        )


_COMMANDS: Final[Commands[BoardDesk]] = Commands(
    "board",
    {
        "simulate": (Simulate, BoardDesk.simulate),
        "connect": (Connect, BoardDesk.connect),
        "reconnect": (Nothing, BoardDesk.reconnect),
        "disconnect": (Nothing, BoardDesk.disconnect),
        "ports": (Nothing, lambda *_: available_ports()),
        "press": (Press, lambda desk, press: desk.devices.simulator.press(press)),
        "dip": (Dip, lambda desk, dip: desk.devices.simulator.set_dip(dip.number)),
        "build": (Build, lambda desk, request: desk.programs.build(request)),
        "take": (Take, lambda desk, request: desk.programs.take(request)),
        "flash": (Flash, BoardDesk.flash),
        "inquire": (Nothing, BoardDesk.inquire),
        "run": (Nothing, BoardDesk.run),
        "send": (Send, lambda desk, line: desk.devices.send(encoded(line.text, line.end))),
        "solve": (Solve, BoardDesk.solve),
        "cancel": (Nothing, lambda desk, _: desk.stop()),
    },
)
