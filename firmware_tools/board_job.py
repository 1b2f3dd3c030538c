"""Long work on a board, over an open line: jobs that a command line or a dashboard runs.

with open_line(board, port, clock) as link:
    report = run_job(flash_board(link, board, plan, run=True), on_event=draw)
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware_tools.boards.facts import Board
from firmware_tools.bootloader.loader import LoaderProtocol
from firmware_tools.bootloader.protocols import protocol_for
from firmware_tools.building.build import build, require_within_budget
from firmware_tools.building.program import find_program
from firmware_tools.flashing.flasher import Flasher, FlashReport
from firmware_tools.flashing.image import Image, load_image
from firmware_tools.flashing.plan import FlashPlan, plan_flash
from firmware_tools.line.byte_link import ByteLink
from firmware_tools.line.ports import open_link
from solvers.foundation.clock import Clock
from solvers.foundation.progress import Job, Progress


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
        flasher.run()
    return report


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


def flash_program(link: ByteLink, board: Board, name: str) -> Job[Progress, FlashReport]:
    """Build a program, flash it and start it; the board is asked for first.

    Raises NoAnswerError if no boot loader listens, and what building and flashing raise.
    """
    protocol = protocol_for(board)
    link.discard_input()
    Flasher(link, board, protocol).connect()
    yield Progress(f"build {name}", 0, None)
    with tempfile.TemporaryDirectory(prefix="aksen-") as folder:
        result = build(find_program([name]), board, Path(folder))
        image = load_image(require_within_budget(result), board)
    return (yield from flash_board(link, board, plan_flash(image, board, protocol), run=True))
