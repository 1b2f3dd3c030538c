"""Flashes, verifies and starts images: the order of things, over any loader.

What takes long is a job: its events tell how far it is, bytes for programming and steps for the
rest.
"""

import zlib
from dataclasses import dataclass, replace

from firmware_tools.boards.facts import Board
from firmware_tools.bootloader.loader import FlashStatus, ImageStatus, Loader, LoaderProtocol
from firmware_tools.errors import (
    ImageChecksumError,
    NoValidImageError,
    VerifyMismatchError,
    WrongChipError,
)
from firmware_tools.flashing.events import Phase, Planned, Programmed
from firmware_tools.flashing.image import Image
from firmware_tools.flashing.plan import FlashPlan
from firmware_tools.line.byte_link import ByteLink
from solvers.foundation.progress import Job, Progress


@dataclass(frozen=True)
class FlashReport:
    """What flashing did."""

    chip_id: bytes
    bytes_programmed: int
    blocks: int
    repeated_silent: int
    repeated_refused: int
    crc32: int
    verified: bool


@dataclass(frozen=True)
class BoardInfo:
    """What a board says of itself."""

    chip_id: bytes
    flash: FlashStatus


class Flasher:
    """Jobs on one board, over one open line."""

    def __init__(self, link: ByteLink, board: Board, protocol: LoaderProtocol) -> None:
        self.link = link
        self._board = board
        self._loader: Loader = protocol.open(link, board)

    def connect(self) -> bytes:
        """Return the chip identifier. Raises NoAnswerError or WrongChipError."""
        wanted = self._board.loader.chip
        chip_id = self._loader.connect()
        if chip_id != wanted:  # a damaged answer is likelier than another chip: ask once more
            chip_id = self._loader.connect()
        if chip_id != wanted:
            raise WrongChipError(
                f"The chip says it is {chip_id.hex(' ').upper()}, but the {self._board.title} has "
                f"{wanted.hex(' ').upper()}: this is another board."
            )
        return chip_id

    def flash(self, plan: FlashPlan, *, verify: bool = True) -> Job[Progress, FlashReport]:
        """Erase, program, make valid, and verify if asked. The image counts only at the end."""
        image = plan.image
        yield Planned("plan", 0, plan.programmed_bytes, "bytes", plan=plan)
        yield Progress(Phase.CONNECT, 0, 1)
        chip_id = self.connect()
        yield Progress(Phase.CONNECT, 1, 1)
        yield from self.erase()
        yield from self._program(plan)
        yield Progress(Phase.CHECK, 0, 1)
        self._seal(image)
        yield Progress(Phase.CHECK, 1, 1)
        if verify:
            yield from self.verify(image)
        counters = self._loader.counters
        return FlashReport(
            chip_id=chip_id,
            bytes_programmed=plan.programmed_bytes,
            blocks=len(plan.blocks),
            repeated_silent=counters.silent,
            repeated_refused=counters.refused,
            crc32=image.crc32,
            verified=verify,
        )

    def erase(self) -> Job[Progress, None]:
        """Erase the program flash."""
        yield Progress(Phase.ERASE, 0, 1)
        self._loader.erase()
        yield Progress(Phase.ERASE, 1, 1)

    def verify(self, image: Image) -> Job[Progress, None]:
        """Compare flash and image. Raises VerifyMismatchError with the first differing address."""
        yield Progress(Phase.VERIFY, 0, 1)
        if self._differs(image, 0, len(image.data)):
            address = self._first_difference(image)
            raise VerifyMismatchError(
                f"Flash and {image.name} differ, first at address {address:04X}h: "
                "flash the image again.",
                address,
            )
        yield Progress(Phase.VERIFY, 1, 1)

    def info(self) -> BoardInfo:
        """Return what the board says of itself."""
        return BoardInfo(self.connect(), self._loader.status())

    def run(self) -> None:
        """Start the program in flash. Raises NoValidImageError if there is none to start."""
        status = self._loader.status()
        if status.image is not ImageStatus.VALID:
            raise NoValidImageError(
                "The board holds no program that it may start: its flash is "
                f"{status.image.name.lower()}. Flash an image first."
            )
        self._loader.run()

    def _program(self, plan: FlashPlan) -> Job[Progress, None]:
        done, total = 0, plan.programmed_bytes
        yield Progress(Phase.PROGRAM, done, total, "bytes")
        before = replace(self._loader.counters)
        for block in self._loader.program(list(plan.blocks)):
            done += len(block.data)
            now = replace(self._loader.counters)
            yield Programmed(
                Phase.PROGRAM,
                done,
                total,
                "bytes",
                address=block.address,
                silent=now.silent - before.silent,
                refused=now.refused - before.refused,
            )
            before = now

    def _seal(self, image: Image) -> None:
        try:
            self._loader.seal(len(image.data), image.crc32)
        except ImageChecksumError as error:
            raise ImageChecksumError(
                "What arrived in flash is not the image: the checksums differ. The board will not "
                "start it. Flash again."
            ) from error

    def _differs(self, image: Image, start: int, end: int) -> bool:
        return self._loader.crc32(start, end - start) != zlib.crc32(image.data[start:end])

    def _first_difference(self, image: Image) -> int:
        """Halve the range by its checksum until it can be read back."""
        low, high = 0, len(image.data)
        while high - low > self._board.loader.read_bytes:
            middle = (low + high) // 2
            if self._differs(image, low, middle):
                high = middle
            else:
                low = middle
        flash = self._loader.read(low, high - low)
        expected = image.data[low:high]
        differing = (at for at, byte in enumerate(expected, low) if flash[at - low] != byte)
        return next(differing, low)
