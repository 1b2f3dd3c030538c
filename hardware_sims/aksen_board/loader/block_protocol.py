"""The loader's `block` protocol: docs/bootloader.md, section "block", read byte by byte.

This is the board's own decoder; it shares nothing with the flasher, so that a mistake in one
shows as a failure of the pair.
"""

from dataclasses import dataclass
from functools import reduce
from operator import xor

from hardware_sims.aksen_board.facts import BoardFacts
from hardware_sims.aksen_board.loader.flash import (
    INFO_BYTES,
    INFO_MAGIC,
    Answer,
    Flash,
    LoaderTiming,
)

HEADER, DATA, EOT = 0x00, 0x01, 0x02
HEADER_BYTES = 8
SMALLEST_BLOCK = 5
SEAL_BLOCK = INFO_BYTES + 2

DONE, BLOCK_ERROR, CHECKSUM_ERROR = 0x55, 0xFF, 0xFE
RANGE_ERROR, PROGRAM_ERROR, IMAGE_ERROR = 0xFD, 0xFC, 0xFB

PROGRAM, RUN, ERASE, SEAL, CHIP_ID = 0x02, 0x03, 0x04, 0x05, 0x0A
STATUS, CHECKSUM, READ = 0xC0, 0xC1, 0xC2


@dataclass
class _Transfer:
    """An open transfer: where the next block goes, or the one info block of a seal."""

    block_bytes: int
    address: int = 0
    is_seal: bool = False


def checksum(data: bytes) -> int:
    """Return the XOR of all bytes."""
    return reduce(xor, data, 0)


class BlockProtocol:
    """Answers whole frames; knows nothing of time or of the line."""

    def __init__(self, flash: Flash, facts: BoardFacts, timing: LoaderTiming) -> None:
        self._flash, self._facts, self._timing = flash, facts, timing
        self._transfer: _Transfer | None = None
        self._modes = {
            PROGRAM: self._open_program,
            RUN: self._run,
            ERASE: self._erase,
            SEAL: self._open_seal,
            CHIP_ID: lambda _: _with_data(self._facts.chip_id),
            STATUS: lambda _: self._status(),
            CHECKSUM: self._checksum,
            READ: self._read,
        }

    def frame_bytes(self, first: int) -> int | None:
        """Return the length of the frame that starts with this byte; None if none can."""
        if first == HEADER:
            return HEADER_BYTES
        if first in (DATA, EOT) and self._transfer is not None:
            return self._transfer.block_bytes
        return None

    def drop_transfer(self) -> None:
        """Forget the open transfer, as the test byte demands."""
        self._transfer = None

    def handle(self, frame: bytes) -> Answer:
        """Return the answer to one whole frame."""
        if checksum(frame) != 0:  # the last byte makes the XOR of a good frame zero
            return _error(CHECKSUM_ERROR)
        body = frame[1:-1]
        if frame[0] == HEADER:
            self._transfer = None
            mode = self._modes.get(body[0])
            return mode(body[1:]) if mode else _error(BLOCK_ERROR)
        assert self._transfer is not None
        if self._transfer.is_seal:
            return self._seal(body) if frame[0] == DATA else _error(BLOCK_ERROR)
        if frame[0] == DATA:
            return self._program(self._transfer, body)
        return self._finish(self._transfer, body)

    def _open_program(self, parameters: bytes) -> Answer:
        address, block_bytes = int.from_bytes(parameters[:2]), parameters[2]
        if not SMALLEST_BLOCK <= block_bytes <= self._facts.block_data_bytes + 2:
            return _error(BLOCK_ERROR)
        if address >= self._flash.size:
            return _error(RANGE_ERROR)
        self._flash.clear_info()
        self._transfer = _Transfer(block_bytes, address)
        return _DONE

    def _program(self, transfer: _Transfer, data: bytes) -> Answer:
        if transfer.address + len(data) > self._flash.size:
            return _error(RANGE_ERROR)
        work_us = len(data) * self._timing.program_byte_us
        if not self._flash.program(transfer.address, data):
            return _error(PROGRAM_ERROR, work_us)
        transfer.address += len(data)
        return Answer(bytes([DONE]), work_us)

    def _finish(self, transfer: _Transfer, body: bytes) -> Answer:
        length = body[0]
        if length > len(body) - 1:
            return _error(BLOCK_ERROR)
        answer = self._program(transfer, body[1 : 1 + length])
        if not answer.is_error:
            self._transfer = None
        return answer

    def _run(self, _parameters: bytes) -> Answer:
        if self._flash.info is None:
            return _error(IMAGE_ERROR)
        return Answer(bytes([DONE]), starts_program=True)

    def _erase(self, _parameters: bytes) -> Answer:
        self._flash.erase()
        return Answer(bytes([DONE]), self._timing.erase_us)

    def _open_seal(self, parameters: bytes) -> Answer:
        if parameters[2] != SEAL_BLOCK:
            return _error(BLOCK_ERROR)
        self._transfer = _Transfer(SEAL_BLOCK, is_seal=True)
        return _DONE

    def _seal(self, info: bytes) -> Answer:
        self._transfer = None
        if not info.startswith(INFO_MAGIC):
            return _error(BLOCK_ERROR)
        start, length = int.from_bytes(info[4:6]), int.from_bytes(info[6:8])
        if start != 0 or not 1 <= length <= self._flash.size:
            return _error(RANGE_ERROR)
        work_us = length * self._timing.checksum_byte_us
        if not self._flash.seal(length, int.from_bytes(info[8:12])):
            return _error(IMAGE_ERROR, work_us)
        return Answer(bytes([DONE]), work_us)

    def _status(self) -> Answer:
        info = self._flash.info
        # The info block without its magic is start, length and CRC-32.
        details = info.to_bytes()[len(INFO_MAGIC) :] if info else bytes(8)
        return _with_data(bytes([self._flash.status]) + details)

    def _checksum(self, parameters: bytes) -> Answer:
        start, length = int.from_bytes(parameters[:2]), int.from_bytes(parameters[2:4])
        if length == 0 or start + length > self._flash.size:
            return _error(RANGE_ERROR)
        found = self._flash.crc32(start, length).to_bytes(4)
        return _with_data(found, length * self._timing.checksum_byte_us)

    def _read(self, parameters: bytes) -> Answer:
        start, length = int.from_bytes(parameters[:2]), parameters[2]
        if not 1 <= length <= self._facts.read_bytes or start + length > self._flash.size:
            return _error(RANGE_ERROR)
        return _with_data(bytes(self._flash.data[start : start + length]))


_DONE = Answer(bytes([DONE]))


def _error(code: int, work_us: int = 0) -> Answer:
    return Answer(bytes([code]), work_us, is_error=True)


def _with_data(data: bytes, work_us: int = 0) -> Answer:
    return Answer(bytes([DONE, *data, checksum(data)]), work_us)
