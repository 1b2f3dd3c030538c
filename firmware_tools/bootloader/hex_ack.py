"""The `hex-ack` protocol: one Intel-HEX record, one character.

docs/bootloader.md has every number in it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from firmware_tools import errors
from firmware_tools.boards.facts import Board
from firmware_tools.bootloader import loader
from firmware_tools.line.byte_link import ByteLink

RECORD_OVERHEAD_CHARACTERS = 12  # colon, length, address, type, checksum, LF


class RecordType(IntEnum):
    """Type field of a record: what is asked."""

    DATA = 0x00
    RUN = 0x01
    ERASE = 0x23
    READ = 0x25
    SEAL = 0x26
    CHIP_ID = 0x27
    STATUS = 0x28
    CRC = 0x29


DONE = b"0"
REFUSALS = {
    b"1": "not a hexadecimal record",
    b"2": "wrong checksum",
    b"3": "address outside the flash",
    b"4": "unknown record type",
    b"5": "record too long",
    b"6": "the flash did not take the bytes",
    b"7": "no valid image",
}


@dataclass(frozen=True)
class Record:
    """One Intel-HEX record."""

    type: RecordType
    address: int = 0
    data: bytes = b""

    def encode(self) -> bytes:
        """Return the line with its LF."""
        body = bytes([len(self.data)]) + self.address.to_bytes(2, "big") + bytes([self.type])
        body += self.data
        return b":" + (body + bytes([-sum(body) & 0xFF])).hex().upper().encode() + b"\n"


def decode(line: bytes) -> Record | None:
    """Return the record in a line; None if it is damaged."""
    text = line.strip()
    try:
        body = bytes.fromhex(text[1:].decode("ascii"))
        kind = RecordType(body[3])
    except (ValueError, IndexError):
        return None
    if text[:1] != b":" or sum(body) & 0xFF or len(body) != body[0] + 5:
        return None
    return Record(kind, body[1] << 8 | body[2], body[4:-1])


INVALID_IMAGE = b"7"


class HexAckLoader:
    """A session of the hex-ack protocol."""

    def __init__(self, link: ByteLink, board: Board) -> None:
        self._session = loader.Session(link, board)
        self._facts = board.loader

    @property
    def counters(self) -> loader.Counters:
        """Return how often records were repeated."""
        return self._session.counters

    def connect(self) -> bytes:
        """Return the chip identifier; the colon of a record is all the synchronisation needed."""
        try:
            return self._query("the question for the chip", Record(RecordType.CHIP_ID))
        except errors.NoAnswerError as error:
            raise errors.NoAnswerError(loader.NO_ANSWER) from error

    def erase(self) -> None:
        """Erase the program flash."""
        timeout_s = self._facts.erase_timeout_s
        self._command("erasing", Record(RecordType.ERASE), timeout_s)

    def program(self, blocks: list[loader.Block]) -> Iterator[loader.Block]:
        """Send the blocks as data records; yield each when the board has it."""
        for block in blocks:
            record = Record(RecordType.DATA, block.address, block.data)
            self._command(f"the record for {block.address:04X}h", record)
            yield block

    def seal(self, length: int, crc32: int) -> None:
        """Have the loader compare its CRC-32 with ours and make the image valid."""
        data = length.to_bytes(2, "big") + crc32.to_bytes(4, "big")
        record, timeout_s = Record(RecordType.SEAL, 0, data), self._facts.checksum_timeout_s
        self._command("the image's checksum", record, timeout_s, errors.ImageChecksumError)

    def run(self) -> None:
        """Start the program in flash."""
        record = Record(RecordType.RUN)
        self._command("starting the program", record, if_invalid=errors.NoValidImageError)

    def status(self) -> loader.FlashStatus:
        """Return what is in flash."""
        return loader.FlashStatus.parse(
            self._query("the question for the image", Record(RecordType.STATUS))
        )

    def crc32(self, address: int, length: int) -> int:
        """Return the CRC-32 of a range of flash."""
        record = Record(RecordType.CRC, address, length.to_bytes(2, "big"))
        data = self._query("a checksum", record, self._facts.checksum_timeout_s)
        return int.from_bytes(data, "big")

    def read(self, address: int, length: int) -> bytes:
        """Return `length` bytes of flash; the loader sends them as data records."""
        record = Record(RecordType.READ, address, length.to_bytes(2, "big"))
        return self._session.repeat(
            f"reading back from {address:04X}h", lambda: self._read(record, length)
        )

    def _command(
        self,
        what: str,
        record: Record,
        timeout_s: float | None = None,
        if_invalid: type[errors.BoardError] = errors.TransferError,
    ) -> None:
        self._session.repeat(what, lambda: self._send(record, timeout_s, if_invalid))

    def _query(self, what: str, record: Record, timeout_s: float | None = None) -> bytes:
        """Return the data of the record that answers `record`."""

        def attempt() -> bytes:
            self._send(record, timeout_s)
            return self._record(record.type).data

        return self._session.repeat(what, attempt)

    def _read(self, record: Record, length: int) -> bytes:
        self._send(record)
        data = b""
        while len(data) < length:
            part = self._record(RecordType.DATA)
            if part.address != record.address + len(data) or not part.data:
                raise loader.Refused("records came out of order")
            data += part.data
        self._record(RecordType.RUN)  # the end record has its type
        return data

    def _send(
        self,
        record: Record,
        timeout_s: float | None = None,
        if_invalid: type[errors.BoardError] = errors.TransferError,
    ) -> None:
        """Send a record. Raises Refused for any answer but `0`."""
        answer = self._session.ask(record.encode(), 1, timeout_s)
        if answer == DONE:
            return
        error = if_invalid if answer == INVALID_IMAGE else errors.TransferError
        raise loader.Refused(REFUSALS.get(answer, f"the answer {answer!r} has no meaning"), error)

    def _record(self, kind: RecordType) -> Record:
        """Return the next record that the loader sends."""
        line = b""
        limit = 2 * self._facts.record_data_bytes + RECORD_OVERHEAD_CHARACTERS
        while not line.endswith(b"\n") and len(line) <= limit:
            line += self._session.more(1)
        record = decode(line)
        if record is None or record.type != kind:
            raise loader.Refused("a damaged record came back")
        return record


def split(data: bytes, address: int, board: Board) -> list[loader.Block]:
    """Return the blocks for one run of bytes without gaps."""
    size = board.loader.record_data_bytes
    starts = range(0, len(data), size)
    return [loader.Block(address + at, data[at : at + size], opens=at == 0) for at in starts]


def wire_bytes(blocks: list[loader.Block], board: Board) -> int:  # noqa: ARG001 - same for all boards
    """Return how many bytes the blocks and their answers take on the line."""
    return sum(2 * len(block.data) + RECORD_OVERHEAD_CHARACTERS + 1 for block in blocks)


PROTOCOL: Final = loader.LoaderProtocol("hex-ack", HexAckLoader, split, wire_bytes)
