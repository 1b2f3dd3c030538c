"""Jobs on a board over an open line: flash, verify, erase, run and ask.

with open_line(board, port, clock) as link:
    report = run_job(flash_board(link, board, plan, run=True), on_event=draw)
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from firmware_tools import flashing
from firmware_tools.boards.facts import Board
from firmware_tools.bootloader import protocol_for
from firmware_tools.bootloader.loader import LoaderProtocol
from firmware_tools.building.build import BuildResult, build, require_within_budget
from firmware_tools.building.program import Program, find_program
from firmware_tools.line.byte_link import ByteLink
from firmware_tools.line.serial_link import open_link
from solvers.foundation.clock import Clock
from solvers.foundation.progress import Job, Progress


@dataclass(frozen=True, slots=True)
class Built:
    """A finished build with its image in memory; `image` is None if it is over budget."""

    result: BuildResult
    image: flashing.Image | None


@contextmanager
def open_line(
    board: Board, port: str, clock: Clock, trace: Path | None = None
) -> Iterator[ByteLink]:
    """Open the line to the board and close it at the end.

    With `trace`, every byte is recorded in that file, timed by `clock`. Raises PortError.
    """
    link = open_link(port, board.baud, clock, trace)
    try:
        yield link
    finally:
        link.close()


def flash_board(
    link: ByteLink,
    board: Board,
    plan: flashing.FlashPlan,
    *,
    verify: bool = True,
    run: bool = False,
) -> Job[Progress, flashing.FlashReport]:
    """Flash the plan's image, and start it with `run`. Raises BoardError."""
    flasher = flashing.Flasher(link, board, plan.protocol)
    report = yield from flasher.flash(plan, verify=verify)
    if run:
        yield Progress(flashing.Phase.RUN, 0, 1)
        flasher.run()
        yield Progress(flashing.Phase.RUN, 1, 1)
    return report


def board_info(
    link: ByteLink, board: Board, protocol: LoaderProtocol
) -> Job[Progress, flashing.BoardInfo]:
    """Return the chip identifier and the state of the flash. Raises BoardError."""
    yield Progress(flashing.Phase.CONNECT, 0, 1)
    return flashing.Flasher(link, board, protocol).info()


def run_board(link: ByteLink, board: Board, protocol: LoaderProtocol) -> Job[Progress, None]:
    """Start the program in flash. Raises NoValidImageError if there is none, BoardError."""
    flasher = flashing.Flasher(link, board, protocol)
    yield Progress(flashing.Phase.CONNECT, 0, 1)
    flasher.connect()
    yield Progress(flashing.Phase.RUN, 0, 1)
    flasher.run()
    yield Progress(flashing.Phase.RUN, 1, 1)


def verify_board(
    link: ByteLink, board: Board, protocol: LoaderProtocol, image: flashing.Image
) -> Job[Progress, None]:
    """Compare the board's flash with an image. Raises VerifyMismatchError, BoardError."""
    flasher = flashing.Flasher(link, board, protocol)
    flasher.connect()
    yield from flasher.verify(image)


def erase_board(link: ByteLink, board: Board, protocol: LoaderProtocol) -> Job[Progress, None]:
    """Erase the board's program flash. Raises BoardError."""
    flasher = flashing.Flasher(link, board, protocol)
    flasher.connect()
    yield from flasher.erase()


def build_program(board: Board, names: Sequence[str]) -> Job[Progress, Built]:
    """Build the program that `names` stand for (see find_program); as `build_image`."""
    return (yield from build_image(board, find_program(names)))


def build_image(board: Board, program: Program) -> Job[Progress, Built]:
    """Build a program and return its image.

    Nothing stays on disk. Over budget, there is no image. Raises what building raises.
    """
    yield Progress(f"build {program.name}", 0, None)
    with tempfile.TemporaryDirectory(prefix="aksen-") as folder:
        result = build(program, board, Path(folder))
        image = None if result.image is None else flashing.load_image(result.image, board)
    return Built(result, image)


def flash_program(
    link: ByteLink, board: Board, program: Program, before: Callable[[], object] = lambda: None
) -> Job[Progress, flashing.FlashReport]:
    """Build a program, flash it and start it.

    The boot loader is contacted before the build, so that a missing board is reported at once;
    `before` is called before that. Raises NoAnswerError if no loader answers, and what building
    and flashing raise.
    """
    protocol = protocol_for(board)
    before()
    link.discard_input()
    yield Progress(flashing.Phase.CONNECT, 0, 1)
    flashing.Flasher(link, board, protocol).connect()
    built = yield from build_image(board, program)
    if built.image is None:
        require_within_budget(built.result)
    assert built.image is not None
    plan = flashing.plan_flash(built.image, board, protocol)
    return (yield from flash_board(link, board, plan, run=True))
