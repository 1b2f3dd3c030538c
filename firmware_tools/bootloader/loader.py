"""The interface of all boot loaders, and sessions with time-outs and retries."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Protocol, TypeVar

from firmware_tools.boards.facts import Board
from firmware_tools.errors import BoardError, NoAnswerError, TransferError
from firmware_tools.line.byte_link import ByteLink

Result = TypeVar("Result")
# A loader gives up a broken frame after frame_silence_s; waiting half as long again is safe.
SILENCE_FACTOR = 1.5
# A line that never falls silent is no boot loader: stop listening after this many bytes.
NOISE_LIMIT_BYTES = 4096

NO_ANSWER = (
    "The board does not answer. Is the mode switch at red (load) and the red LED on? Press reset "
    "and try again; check the cable and the port."
)


@dataclass
class Counters:
    """Number of repeated frames: without an answer, and refused."""

    silent: int = 0
    refused: int = 0

    @property
    def repeated(self) -> int:
        """Return the number of repetitions."""
        return self.silent + self.refused


class Unanswered(Exception):  # noqa: N818 - a signal within the session, never shown
    """Nothing came, or too little."""


class Refused(Exception):  # noqa: N818 - likewise
    """The loader refused a frame, or its answer was damaged.

    `error` is the error to end with if repeating does not help.
    """

    def __init__(self, reason: str, error: type[BoardError] = TransferError) -> None:
        super().__init__(reason)
        self.error = error


class Session:
    """One conversation over a link."""

    def __init__(self, link: ByteLink, board: Board) -> None:
        self.link = link
        self.board = board
        self.facts = board.loader
        self.counters = Counters()

    def ask(self, frame: bytes, answer_bytes: int, timeout_s: float | None = None) -> bytes:
        """Send a frame and return `answer_bytes` bytes. Raises Unanswered if fewer came.

        `timeout_s` (default: answer_timeout_s) counts from the end of the frame; the time that the
        bytes themselves take on the line is added.
        """
        wait_s = self.facts.answer_timeout_s if timeout_s is None else timeout_s
        self.link.discard_input()
        self.link.write(frame)
        line_s = (len(frame) + answer_bytes) * self.board.seconds_per_byte
        answer = self.link.read(answer_bytes, wait_s + line_s)
        if len(answer) < answer_bytes:
            if answer:
                raise Refused(f"the answer {answer.hex(' ').upper()} was cut off")
            raise Unanswered
        return answer

    def more(self, count: int) -> bytes:
        """Return the next `count` bytes of an answer. Raises Refused if they are missing."""
        wait_s = self.facts.answer_timeout_s + count * self.board.seconds_per_byte
        data = self.link.read(count, wait_s)
        if len(data) < count:
            raise Refused("the answer was cut off")
        return data

    def wait_for_silence(self) -> None:
        """Read until the silence was long enough for the loader to drop a partial frame."""
        for _ in range(NOISE_LIMIT_BYTES):
            if not self.link.read(1, self.facts.frame_silence_s * SILENCE_FACTOR):
                return

    def repeat(self, what: str, attempt: Callable[[], Result]) -> Result:
        """Return what `attempt` returns, trying it 1 + retries_per_block times.

        Raises NoAnswerError if all attempts met silence, otherwise the last refusal's error.
        """
        refusal: Refused | None = None
        for _ in range(1 + self.facts.retries_per_block):
            try:
                return attempt()
            except Unanswered:
                self.counters.silent += 1
            except Refused as reason:
                self.counters.refused += 1
                refusal = reason
            self.wait_for_silence()
        tries = 1 + self.facts.retries_per_block
        if refusal is None:
            raise NoAnswerError(f"{NO_ANSWER} (No answer to {what} in {tries} attempts.)")
        raise refusal.error(f"{what[:1].upper()}{what[1:]} failed {tries} times: {refusal}.")


LARGEST_IMAGE_BYTES: Final = 0xFFFF
"""Both protocols carry an image's length in two bytes."""


class ImageStatus(IntEnum):
    """What the loader says of the image in flash."""

    EMPTY = 0
    INCOMPLETE = 1
    VALID = 2


@dataclass(frozen=True)
class FlashStatus:
    """State of the flash; length and CRC-32 are 0 unless the image is valid."""

    image: ImageStatus
    length: int = 0
    crc32: int = 0

    @classmethod
    def parse(cls, data: bytes) -> "FlashStatus":
        """Return the status in the nine bytes that both protocols carry."""
        if data[0] not in tuple(ImageStatus):
            raise TransferError(f"The loader's image status {data[0]:02X}h has no meaning.")
        length, crc32 = int.from_bytes(data[3:5], "big"), int.from_bytes(data[5:9], "big")
        return cls(ImageStatus(data[0]), length, crc32)


@dataclass(frozen=True)
class Block:
    """Bytes that travel in one frame."""

    address: int
    data: bytes
    opens: bool = False  # it follows a gap, so a new header must give its address


class Loader(Protocol):
    """One boot-loader session. Order of calls: connect first; erase, program, seal; run last.

    Every method raises PortError if the line is gone, NoAnswerError on silence, TransferError if
    the loader refused every repetition.
    """

    @property
    def counters(self) -> Counters:
        """Return how often frames were repeated."""

    def connect(self) -> bytes:
        """Synchronise with the loader and return its chip identifier."""

    def erase(self) -> None:
        """Erase the program flash; afterwards there is no valid image."""

    def program(self, blocks: list[Block]) -> Iterator[Block]:
        """Send the blocks; yield each when the board has it."""

    def seal(self, length: int, crc32: int) -> None:
        """Make the image valid. Raises ImageChecksumError if the loader's CRC differs."""

    def run(self) -> None:
        """Start the program. Raises NoValidImageError."""

    def status(self) -> FlashStatus:
        """Return what is in flash."""

    def crc32(self, address: int, length: int) -> int:
        """Return the CRC-32 of a range of flash."""

    def read(self, address: int, length: int) -> bytes:
        """Return at most `read_bytes` bytes of flash."""


@dataclass(frozen=True, slots=True)
class LoaderProtocol:
    """A protocol: how to open a session, and how images are split into blocks."""

    name: str
    open: Callable[[ByteLink, Board], Loader]
    split: Callable[[bytes, int, Board], list[Block]]
    """Returns the blocks for a run of bytes without gaps, from an address on."""
    wire_bytes: Callable[[list[Block], Board], int]
    """Returns the number of bytes that the blocks and their answers take on the line."""
