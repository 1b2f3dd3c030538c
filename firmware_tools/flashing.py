"""Images in Intel HEX, and the jobs that flash, verify and start them over any boot loader."""

import io
import zlib
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from intelhex import HexReaderError, IntelHex, IntelHexError

from firmware_tools import errors
from firmware_tools.boards.facts import Board
from firmware_tools.bootloader.loader import (
    LARGEST_IMAGE_BYTES,
    Block,
    FlashStatus,
    ImageStatus,
    Loader,
    LoaderProtocol,
)
from firmware_tools.line.byte_link import ByteLink
from solvers.foundation.files import read_bytes
from solvers.foundation.progress import Job, Progress

ERASED = 0xFF
END_RECORD = ":00000001FF"
MAX_FILE_BYTES = 1 << 20  # 32 KB as Intel HEX is under 100 KB; anything above 1 MB is a mistake


@dataclass(frozen=True)
class Image:
    """Bytes of program memory from address 0; gaps hold FFh, as erased flash does."""

    name: str
    data: bytes
    used_bytes: int  # bytes that the file itself gives

    @property
    def crc32(self) -> int:
        """Return the CRC-32 that the boot loader compares."""
        return zlib.crc32(self.data)


def load_image(path: Path, board: Board) -> Image:
    """Return the image in an Intel-HEX file.

    Raises InvalidImageError if it is no Intel HEX, contradicts itself, does not start at 0000h,
    or is too big for the board.
    """
    text = read_bytes(path, errors.InvalidImageError, "The image", MAX_FILE_BYTES)
    return parse_image(text, path.name, board)


def parse_image(text: bytes, name: str, board: Board) -> Image:
    """Return the image in the bytes of an Intel-HEX file called `name`; errors as load_image."""
    addresses = _addresses(text, name)
    highest = addresses.maxaddr()
    if highest is None:
        raise errors.InvalidImageError(f"{name} is empty: it holds no data records.")
    limit = board.memory.code_bytes
    if highest >= limit:
        raise errors.InvalidImageError(
            f"{name} is too big: it reaches address {highest:04X}h, and the {board.title}'s "
            f"program memory ends at {limit - 1:04X}h."
        )
    if addresses.minaddr() != 0:
        raise errors.InvalidImageError(
            f"{name} starts at {addresses.minaddr():04X}h, but the processor starts at 0000h: "
            "it was linked for another memory map."
        )
    addresses.padding = ERASED
    data = bytes(addresses.tobinarray(start=0, end=highest))
    return Image(name, data, len(addresses))


def _addresses(text: bytes, name: str) -> IntelHex:
    addresses = IntelHex()
    try:
        lines = text.decode("ascii")
        addresses.loadhex(io.StringIO(lines))
    except UnicodeDecodeError as error:
        raise errors.InvalidImageError(
            f"{name} is not Intel HEX: it is not a text file."
        ) from error
    except (HexReaderError, IntelHexError) as error:
        raise errors.InvalidImageError(f"{name} is not an Intel-HEX image: {error}.") from error
    if END_RECORD not in lines.upper():
        raise errors.InvalidImageError(f"{name} has no end record: the file was cut off.")
    return addresses


# Plans, and jobs whose events count bytes while programming and steps otherwise.

# Shorter gaps are sent along: opening a new run costs a header and its answer, 9 bytes.
SHORTEST_GAP_BYTES = 16


@dataclass(frozen=True)
class FlashPlan:
    """Blocks to send, and how long they take on the line."""

    image: Image
    protocol: LoaderProtocol
    blocks: tuple[Block, ...]
    estimated_s: float

    @property
    def programmed_bytes(self) -> int:
        """Return how many bytes are sent; gaps stay erased."""
        return sum(len(block.data) for block in self.blocks)

    @property
    def last_address(self) -> int:
        """Return the highest address of the image."""
        return len(self.image.data) - 1


def plan_flash(image: Image, board: Board, protocol: LoaderProtocol) -> FlashPlan:
    """Return the plan for `image`. Its time is that of the line, without erasing.

    Raises InvalidImageError if the image is longer than the protocols can carry.
    """
    if len(image.data) > LARGEST_IMAGE_BYTES:
        raise errors.InvalidImageError(
            f"{image.name} has {len(image.data)} bytes, and a boot loader takes at most "
            f"{LARGEST_IMAGE_BYTES}: make the program smaller."
        )
    blocks = [
        block
        for start, end in runs(image.data)
        for block in protocol.split(image.data[start:end], start, board)
    ]
    estimated_s = protocol.wire_bytes(blocks, board) * board.seconds_per_byte
    return FlashPlan(image, protocol, tuple(blocks), estimated_s)


def runs(data: bytes) -> list[tuple[int, int]]:
    """Return the ranges (start, end) of `data` that are not long gaps of erased bytes."""
    found: list[tuple[int, int]] = []
    for address, byte in enumerate(data):
        if byte == ERASED:
            continue
        if found and address - found[-1][1] < SHORTEST_GAP_BYTES:
            found[-1] = (found[-1][0], address + 1)
        else:
            found.append((address, address + 1))
    return found


class Phase(StrEnum):
    """A phase of a job: the task of its progress events."""

    CONNECT = "connect"
    ERASE = "erase"
    PROGRAM = "program"
    CHECK = "check"
    VERIFY = "verify"
    RUN = "run"


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned(Progress):
    """The plan, as the first event. `total` is the number of bytes to send."""

    plan: FlashPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class Programmed(Progress):
    """A block is in flash. `silent` and `refused` count how often it was repeated, by reason."""

    address: int
    silent: int
    refused: int


@dataclass(frozen=True)
class FlashReport:
    """Result of flashing; `repeated_*` count frames without an answer and refused ones."""

    chip_id: bytes
    bytes_programmed: int
    blocks: int
    repeated_silent: int
    repeated_refused: int
    crc32: int
    verified: bool


@dataclass(frozen=True)
class BoardInfo:
    """Chip identifier and state of the flash, as the loader gives them."""

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
            raise errors.WrongChipError(
                f"The chip says it is {chip_id.hex(' ').upper()}, but the {self._board.title} has "
                f"{wanted.hex(' ').upper()}: this is another board."
            )
        return chip_id

    def flash(self, plan: FlashPlan, *, verify: bool = True) -> Job[Progress, FlashReport]:
        """Erase, program, make valid, and verify with `verify`.

        The loader does not start the image before it is valid, so half an image never runs.
        """
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
            raise errors.VerifyMismatchError(
                f"Flash and {image.name} differ, first at address {address:04X}h: "
                "flash the image again.",
                address,
            )
        yield Progress(Phase.VERIFY, 1, 1)

    def info(self) -> BoardInfo:
        """Return the chip identifier and the state of the flash."""
        return BoardInfo(self.connect(), self._loader.status())

    def run(self) -> None:
        """Start the program in flash. Raises NoValidImageError if there is none to start."""
        status = self._loader.status()
        if status.image is not ImageStatus.VALID:
            raise errors.NoValidImageError(
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
        except errors.ImageChecksumError as error:
            raise errors.ImageChecksumError(
                "What arrived in flash is not the image: the checksums differ. The board will not "
                "start it. Flash again."
            ) from error

    def _differs(self, image: Image, start: int, end: int) -> bool:
        return self._loader.crc32(start, end - start) != zlib.crc32(image.data[start:end])

    def _first_difference(self, image: Image) -> int:
        """Return the first differing address: bisect by checksum, then read the rest back."""
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
