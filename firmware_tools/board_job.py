"""Long work on a board, over an open line: jobs that a command line or a dashboard runs.

with open_line(board, port, clock) as link:
    report = run_job(flash_board(link, board, plan, run=True), on_event=draw)
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from firmware_tools.boards.facts import Board
from firmware_tools.bootloader.loader import LoaderProtocol
from firmware_tools.bootloader.protocols import protocol_for
from firmware_tools.building.build import BuildResult, build, require_within_budget
from firmware_tools.building.program import find_program
from firmware_tools.flashing.events import Phase
from firmware_tools.flashing.flasher import BoardInfo, Flasher, FlashReport
from firmware_tools.flashing.image import Image, load_image
from firmware_tools.flashing.plan import FlashPlan, plan_flash
from firmware_tools.line.byte_link import ByteLink
from firmware_tools.line.ports import open_link
from solvers.foundation.clock import Clock
from solvers.foundation.progress import Job, Progress


@dataclass(frozen=True, slots=True)
class Built:
    """What a build made, its files read; `image` is None if the program is over budget."""

    result: BuildResult
    image: Image | None


@contextmanager
def open_line(
    board: Board, port: str, clock: Clock, trace: Path | None = None
) -> Iterator[ByteLink]:
    """Open the line to the board and close it at the end.

    With `trace`, every byte is written down there, timed by `clock`. Raises PortError.
    """
    link = open_link(port, board.baud, clock, trace)
    try:
        yield link
    finally:
        link.close()


def flash_board(
    link: ByteLink, board: Board, plan: FlashPlan, *, verify: bool = True, run: bool = False
) -> Job[Progress, FlashReport]:
    """Bring the plan's image onto the board, and start it if asked. Raises BoardError."""
    flasher = Flasher(link, board, plan.protocol)
    report = yield from flasher.flash(plan, verify=verify)
    if run:
        yield Progress(Phase.RUN, 0, 1)
        flasher.run()
        yield Progress(Phase.RUN, 1, 1)
    return report


def board_info(link: ByteLink, board: Board, protocol: LoaderProtocol) -> Job[Progress, BoardInfo]:
    """Ask the boot loader who it is and what is in flash. Raises BoardError."""
    yield Progress(Phase.CONNECT, 0, 1)
    return Flasher(link, board, protocol).info()


def run_board(link: ByteLink, board: Board, protocol: LoaderProtocol) -> Job[Progress, None]:
    """Start the program in flash. Raises NoValidImageError if there is none, BoardError."""
    flasher = Flasher(link, board, protocol)
    yield Progress(Phase.CONNECT, 0, 1)
    flasher.connect()
    yield Progress(Phase.RUN, 0, 1)
    flasher.run()
    yield Progress(Phase.RUN, 1, 1)


def verify_board(
    link: ByteLink, board: Board, protocol: LoaderProtocol, image: Image
) -> Job[Progress, None]:
    """Compare the board's flash with an image. Raises VerifyMismatchError, BoardError."""
    flasher = Flasher(link, board, protocol)
    flasher.connect()
    yield from flasher.verify(image)


def erase_board(link: ByteLink, board: Board, protocol: LoaderProtocol) -> Job[Progress, None]:
    """Empty the board's program flash. Raises BoardError."""
    flasher = Flasher(link, board, protocol)
    flasher.connect()
    yield from flasher.erase()


def build_program(board: Board, names: Sequence[str]) -> Job[Progress, Built]:
    """Build the program that `names` are (see find_program). Raises what building raises.

    Its files are gone afterwards; over budget, there is no image.
    """
    yield Progress(f"build {' '.join(names)}", 0, None)
    with tempfile.TemporaryDirectory(prefix="aksen-") as folder:
        result = build(find_program(names), board, Path(folder))
        image = None if result.image is None else load_image(result.image, board)
    return Built(result, image)


def flash_program(
    link: ByteLink, board: Board, name: str, before: Callable[[], object] = lambda: None
) -> Job[Progress, FlashReport]:
    """Build a program, flash it and start it; the board is asked for first.

    `before` is called before anything is said to the boot loader. Raises NoAnswerError if none
    listens, and what building and flashing raise.
    """
    protocol = protocol_for(board)
    before()
    link.discard_input()
    yield Progress(Phase.CONNECT, 0, 1)
    Flasher(link, board, protocol).connect()
    built = yield from build_program(board, [name])
    if built.image is None:
        require_within_budget(built.result)
    assert built.image is not None
    plan = plan_flash(built.image, board, protocol)
    return (yield from flash_board(link, board, plan, run=True))
