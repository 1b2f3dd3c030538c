"""The `block` protocol: a subset of Infineon's bootstrap loader.

docs/bootloader.md has every number in it.
"""

from collections.abc import Callable, Iterator
from enum import IntEnum
from functools import reduce
from operator import xor
from typing import Final

from firmware_tools import errors
from firmware_tools.boards.facts import Board
from firmware_tools.bootloader import loader
from firmware_tools.line.byte_link import ByteLink

TEST_BYTE = b"\x00"
INFO_BLOCK_ID = b"AKSN"
INFO_BLOCK_BYTES = 12
BLOCK_OVERHEAD_BYTES = 2  # type and checksum
EOT_OVERHEAD_BYTES = 3  # and lastLen


class BlockType(IntEnum):
    """First byte of a block."""

    HEADER = 0x00
    DATA = 0x01
    EOT = 0x02


class Mode(IntEnum):
    """Second byte of a header: what is asked."""

    PROGRAM = 0x02
    RUN = 0x03
    ERASE = 0x04
    SEAL = 0x05
    CHIP_ID = 0x0A
    STATUS = 0xC0
    CRC = 0xC1
    READ = 0xC2


class Answer(IntEnum):
    """The loader's byte after a block."""

    DONE = 0x55
    BLOCK_ERROR = 0xFF
    CHECKSUM_ERROR = 0xFE
    OUT_OF_RANGE = 0xFD
    NOT_PROGRAMMED = 0xFC
    IMAGE_INVALID = 0xFB


def checksum(data: bytes) -> int:
    """Return the XOR of all bytes."""
    return reduce(xor, data, 0)


def header(mode: Mode, parameters: bytes = b"") -> bytes:
    """Return a header block; `parameters` are up to five bytes, the rest is zero."""
    return _block(BlockType.HEADER, bytes([mode]) + parameters.ljust(5, b"\0"))


def program_header(address: int, block_bytes: int) -> bytes:
    """Return the header that opens programming at `address` with blocks of `block_bytes`."""
    return header(Mode.PROGRAM, address.to_bytes(2, "big") + bytes([block_bytes]))


def crc_header(address: int, length: int) -> bytes:
    """Return the header that asks for the CRC-32 of a range."""
    return header(Mode.CRC, address.to_bytes(2, "big") + length.to_bytes(2, "big"))


def read_header(address: int, length: int) -> bytes:
    """Return the header that reads back up to 128 bytes."""
    return header(Mode.READ, address.to_bytes(2, "big") + bytes([length]))


def data_block(data: bytes) -> bytes:
    """Return a DATA block."""
    return _block(BlockType.DATA, data)


def last_block(data: bytes, block_bytes: int) -> bytes:
    """Return the EOT block, padded to `block_bytes`."""
    padded = data.ljust(block_bytes - EOT_OVERHEAD_BYTES, b"\0")
    return _block(BlockType.EOT, bytes([len(data)]) + padded)


def info_block(length: int, crc32: int) -> bytes:
    """Return the record that makes an image from address 0 valid."""
    return INFO_BLOCK_ID + b"\0\0" + length.to_bytes(2, "big") + crc32.to_bytes(4, "big")


def _block(kind: BlockType, content: bytes) -> bytes:
    block = bytes([kind]) + content
    return block + bytes([checksum(block)])


MEANINGS: dict[int, str] = {
    Answer.BLOCK_ERROR: "the loader did not understand the block",
    Answer.CHECKSUM_ERROR: "the block's checksum was wrong",
    Answer.OUT_OF_RANGE: "the address is outside the flash",
    Answer.NOT_PROGRAMMED: "the flash did not take the bytes",
    Answer.IMAGE_INVALID: "the image's checksum is wrong",
}
CHIP_ID_BYTES = 4
STATUS_BYTES = 9
CRC_BYTES = 4


class BlockLoader:
    """A session of the block protocol."""

    def __init__(self, link: ByteLink, board: Board) -> None:
        self._session = loader.Session(link, board)
        self._facts = board.loader
        self._block_bytes = board.loader.block_data_bytes + BLOCK_OVERHEAD_BYTES

    @property
    def counters(self) -> loader.Counters:
        """Return how often frames were repeated."""
        return self._session.counters

    def connect(self) -> bytes:
        """Send the test byte until the loader answers, then return its chip identifier."""
        for _ in range(self._facts.sync_attempts):
            try:
                answer = self._session.ask(TEST_BYTE, 1, self._facts.sync_timeout_s)
            except loader.Unanswered:
                continue
            if answer[0] == Answer.DONE:
                return self._query("the question for the chip", header(Mode.CHIP_ID), CHIP_ID_BYTES)
            self._session.wait_for_silence()
        raise errors.NoAnswerError(loader.NO_ANSWER)

    def erase(self) -> None:
        """Erase the program flash."""
        timeout_s = self._facts.erase_timeout_s
        self._session.repeat("erasing", lambda: self._send(header(Mode.ERASE), timeout_s))

    def program(self, blocks: list[loader.Block]) -> Iterator[loader.Block]:
        """Send the blocks; yield each when the board has it.

        A repeated block follows a new header with its own address: after a lost answer it is
        unknown whether the loader has advanced its address.
        """
        for block in blocks:
            self._session.repeat(f"the block for {block.address:04X}h", self._attempts(block))
            yield block

    def seal(self, length: int, crc32: int) -> None:
        """Have the loader compare its CRC-32 with ours and make the image valid."""
        opening = header(Mode.SEAL, bytes([0, 0, INFO_BLOCK_BYTES + BLOCK_OVERHEAD_BYTES]))
        record = data_block(info_block(length, crc32))

        def attempt() -> None:
            self._send(opening)
            self._send(record, self._facts.checksum_timeout_s, if_invalid=errors.ImageChecksumError)

        self._session.repeat("the image's checksum", attempt)

    def run(self) -> None:
        """Start the program in flash."""
        frame = header(Mode.RUN)
        self._session.repeat(
            "starting the program", lambda: self._send(frame, if_invalid=errors.NoValidImageError)
        )

    def status(self) -> loader.FlashStatus:
        """Return what is in flash."""
        data = self._query("the question for the image", header(Mode.STATUS), STATUS_BYTES)
        return loader.FlashStatus.parse(data)

    def crc32(self, address: int, length: int) -> int:
        """Return the CRC-32 of a range of flash."""
        frame, timeout_s = crc_header(address, length), self._facts.checksum_timeout_s
        return int.from_bytes(self._query("a checksum", frame, CRC_BYTES, timeout_s), "big")

    def read(self, address: int, length: int) -> bytes:
        """Return `length` bytes of flash."""
        what = f"reading back from {address:04X}h"
        return self._query(what, read_header(address, length), length)

    def _attempts(self, block: loader.Block) -> Callable[[], None]:
        first = True

        def attempt() -> None:
            nonlocal first
            if block.opens or not first:
                self._send(program_header(block.address, self._block_bytes))
            first = False
            self._program(block)

        return attempt

    def _program(self, block: loader.Block) -> None:
        if len(block.data) == self._facts.block_data_bytes:
            self._send(data_block(block.data))
        else:
            self._send(last_block(block.data, self._block_bytes))

    def _send(
        self,
        frame: bytes,
        timeout_s: float | None = None,
        if_invalid: type[errors.BoardError] = errors.TransferError,
    ) -> None:
        """Send a block. Raises Refused for any answer but 55h; `if_invalid` is what FBh means."""
        answer = self._session.ask(frame, 1, timeout_s)[0]
        if answer == Answer.DONE:
            return
        error = if_invalid if answer == Answer.IMAGE_INVALID else errors.TransferError
        meaning = MEANINGS.get(answer, f"the answer {answer:02X}h has no meaning")
        raise loader.Refused(meaning, error)

    def _query(self, what: str, frame: bytes, count: int, timeout_s: float | None = None) -> bytes:
        """Return the `count` bytes of data in the answer to a header."""

        def attempt() -> bytes:
            self._send(frame, timeout_s)
            *data, check = self._session.more(count + 1)
            if checksum(bytes(data)) != check:
                raise loader.Refused("the answer's checksum was wrong")
            return bytes(data)

        return self._session.repeat(what, attempt)


def split(data: bytes, address: int, board: Board) -> list[loader.Block]:
    """Return the blocks for one run of bytes without gaps.

    The last one travels as an EOT block, which has room for one byte less than a DATA block; a run
    that ends with a full DATA block has no EOT: the next header closes it just as well.
    """
    size = board.loader.block_data_bytes
    starts = range(0, len(data), size)
    return [loader.Block(address + at, data[at : at + size], opens=at == 0) for at in starts]


def wire_bytes(blocks: list[loader.Block], board: Board) -> int:
    """Return how many bytes the blocks and their answers take on the line."""
    frame = board.loader.block_data_bytes + BLOCK_OVERHEAD_BYTES + 1
    opening = len(header(Mode.PROGRAM)) + 1
    return sum(frame + opening * block.opens for block in blocks)


PROTOCOL: Final = loader.LoaderProtocol("block", BlockLoader, split, wire_bytes)
