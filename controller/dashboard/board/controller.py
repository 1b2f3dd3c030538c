"""Controller of the Board page; long work runs as the board's one job."""

import re
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

import msgspec

from controller.controls import Controls
from controller.dashboard.board import view, work
from controller.dashboard.board.devices import BoardDevices, Console, Device, encoded
from controller.dashboard.board.presenter import BoardPresenter
from controller.dashboard.controller import Controller, File, handler
from controller.dashboard.hub import Hub
from controller.dashboard.jobs import DeviceJobs
from controller.errors import StoppedError
from firmware_tools.building.program import application_names
from firmware_tools.errors import PortError
from firmware_tools.flashing import BoardInfo, FlashReport
from firmware_tools.line.serial_link import PortInfo, available_ports
from solvers.foundation.clock import SystemClock, time_of_day
from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.foundation.progress import Job, Progress, with_cancellation

Report = TypeVar("Report")

ENDING_S: Final = 15.0
ENTRIES: Final = re.compile(r"console-([0-9]{1,9})\.json")
SIMULATOR_ENDED: Final = "The simulated board has ended; start another."
APPLICATIONS: Final = "board-applications"


class BoardController(Controller):
    """The board of the dashboard; any thread may ask. Everything raises PuzzlerigError."""

    page = "board"

    def __init__(self, hub: Hub, simulator_options: Sequence[str] = ()) -> None:
        """`simulator_options` are for every simulated board that is started."""
        clock = SystemClock()
        self.simulator_options = tuple(simulator_options)
        self.console = Console(hub, clock)
        self._show = BoardPresenter(hub, self.console, clock)
        self.devices = BoardDevices(self.console, clock, self._show.show_state, self._lost)
        self._jobs = DeviceJobs("board", time_of_day)
        self.programs = work.ProgramChoice(
            self._jobs, self.devices.facts, self.devices.protocol, self._show.show_program
        )
        self.on_event: Callable[[Progress], object] = lambda _: None
        """Called with every event, after the page shows it."""
        hub.publish(APPLICATIONS, application_names())

    @handler
    def simulate(self, request: view.SimulateRequest) -> None:
        """Start a simulated board and use it."""
        options = self.simulator_options
        self._connect(
            "starting a simulated board", lambda: self.devices.simulating(request, options)
        )

    @handler
    def connect(self, request: view.ConnectRequest) -> None:
        """Open the line to a board and use it."""
        if not request.port:
            raise InvalidInputError("Name the board's port, such as /dev/ttyUSB0.")
        self._connect(f"opening {request.port}", lambda: self.devices.connecting(request.port))

    @handler
    def reconnect(self) -> None:
        """Open a broken line again."""
        self._connect("opening the line again", self.devices.reopening)

    @handler
    def disconnect(self) -> None:
        """Disconnect; a simulated one ends."""
        if self._jobs.is_running:
            raise InvalidInputError("The board is at work; cancel that first.")
        self._show.flash.clear()
        self._end_without_board("")

    @handler
    def flash(self, request: view.FlashRequest) -> None:
        """Bring the chosen program onto the board, and start it if asked."""
        plan = self.programs.plan

        def job(controls: Controls) -> Job[Progress, FlashReport]:
            self._show.flash.clear()
            return work.flash(self.devices, controls, plan, run=request.run)

        self._start(f"flashing {plan.image.name}", job, self._show.flashed)

    @handler
    def inquire(self) -> None:
        """Ask the boot loader what is in flash."""

        def found(info: BoardInfo) -> None:
            self._show.found(info)
            self._show.end(view.Phase.READY)

        self._start(
            "asking the boot loader", lambda controls: work.inquire(self.devices, controls), found
        )

    @handler
    def run(self) -> None:
        """Start the program in flash."""
        self._start(
            "starting the program",
            lambda controls: work.start_program(self.devices, controls),
            lambda _: self._show.end(view.Phase.READY, "The program runs."),
        )

    @handler
    def solve(self, request: view.SolveRequest) -> None:
        """Have the board solve an 8-puzzle."""

        def job(controls: Controls) -> Job[Progress, tuple[view.Solution, ...]]:
            self._show.pose(request.start, request.goal, ", ".join(request.algorithms))
            return work.solve(self.devices, controls, request)

        self._start("solving an 8-puzzle", job, lambda _: self._show.end(view.Phase.READY))

    def file(self, name: str) -> File | None:
        """Return `console-N.json`: what was said behind the first N entries of the console."""
        number = ENTRIES.fullmatch(name)
        if number is None:
            return None
        entries = self.console.since(int(number[1]))
        return File(msgspec.json.encode(entries), "application/json")

    @handler
    def open(self, request: bytes) -> dict[str, str]:
        """Keep a file until it is taken; return the digest by which it is."""
        return {"opened": self.programs.open(request)}

    @handler
    def take(self, request: view.TakeRequest) -> None:
        """Choose a file that was opened."""
        self.programs.take(request)

    @handler
    def build(self, request: view.BuildRequest) -> None:
        """Build a program and choose it."""
        self.programs.build(request)

    @handler
    def ports(self) -> list[PortInfo]:
        """Return the serial ports of this computer."""
        return available_ports()

    @handler
    def press(self, request: view.PressRequest) -> None:
        """Move the mode switch of the simulated board, and press its reset."""
        self.devices.simulator.press(request)

    @handler
    def dip(self, request: view.DipRequest) -> None:
        """Set the DIP switches of the simulated board."""
        self.devices.simulator.set_dip(request.number)

    @handler
    def send(self, request: view.SendRequest) -> None:
        """Send a line to the program that runs."""
        self.devices.send(encoded(request.text, request.end))

    @handler
    def cancel(self) -> None:
        """Stop the board's job."""
        self.stop()

    def stop(self) -> None:
        """Stop the board's job; the board itself reports what is in its flash then."""
        if self._jobs.stop():
            self._show.stop()

    def close(self) -> None:
        """Stop, wait, and release everything."""
        self.stop()
        self._jobs.wait(ENDING_S)
        self.devices.release()

    def wait(self, seconds: float) -> bool:
        """Return whether the board's job has ended within `seconds`."""
        return self._jobs.wait(seconds)

    def _connect(self, title: str, job: Callable[[], Job[Progress, Device]]) -> None:
        controls = Controls(SystemClock())

        def run() -> Job[Progress, Device]:
            self._show.flash.clear()
            self._show.change(phase=view.Phase.CONNECTING, sentence=title, is_lost=False)
            return (yield from with_cancellation(job(), controls.check))

        def connected(device: Device) -> None:
            self._show.flash.speed = device.speed
            self._show.change(
                phase=view.Phase.READY,
                sentence="",
                address=device.address,
                speed=device.speed,
                is_simulated=device.is_simulated,
                on_board=view.OnBoard(protocol=self.devices.protocol.name),
            )
            self._show.found(device.info)
            self.console.mark(f"connected with {device.address}")

        def refused(error: PuzzlerigError) -> None:
            self._end_without_board("" if isinstance(error, StoppedError) else str(error))

        self._jobs.start(
            title, controls, run, on_event=self._see, on_report=connected, on_error=refused
        )

    def _start(
        self,
        title: str,
        job: Callable[[Controls], Job[Progress, Report]],
        on_report: Callable[[Report], object],
    ) -> None:
        self.devices.require()
        controls = Controls(SystemClock())

        def run() -> Job[Progress, Report]:
            self._show.start(title)
            return (yield from job(controls))

        self._jobs.start(
            title, controls, run, on_event=self._see, on_report=on_report, on_error=self._failed
        )

    def _see(self, event: Progress) -> None:
        self._show.see(event)
        self.on_event(event)

    def _failed(self, error: PuzzlerigError) -> None:
        if isinstance(error, StoppedError):
            self._show.end(view.Phase.STOPPED)
        elif self.devices.has_ended:
            self._end_without_board(SIMULATOR_ENDED)
        else:
            is_lost = isinstance(error, PortError)
            self._show.end(view.Phase.FAULT, str(error), is_lost=is_lost)

    def _lost(self, sentence: str) -> None:
        if self._jobs.is_running:
            return  # the job finds out itself
        if self.devices.has_ended:
            self._end_without_board(SIMULATOR_ENDED)
        else:
            self._show.end(view.Phase.FAULT, sentence, is_lost=True)

    def _end_without_board(self, sentence: str) -> None:
        self.devices.release()
        self._show.end(
            view.Phase.NONE,
            sentence,
            address="",
            is_lost=False,
            is_simulated=False,
            on_board=view.OnBoard(),
        )
