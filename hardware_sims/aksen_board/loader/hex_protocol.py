"""The loader's `hex-ack` protocol: docs/bootloader.md, section "hex-ack"."""

import re

from hardware_sims.aksen_board.facts import BoardFacts
from hardware_sims.aksen_board.loader.flash import INFO_MAGIC, Answer, Flash, LoaderTiming

RECORD_OVERHEAD_BYTES = 5  # length, address, type, checksum
DONE, NOT_HEX, CHECKSUM_ERROR, RANGE_ERROR = b"0", b"1", b"2", b"3"
UNKNOWN_TYPE, TOO_LONG, PROGRAM_ERROR, IMAGE_ERROR = b"4", b"5", b"6", b"7"

DATA, RUN, ERASE, READ, SEAL, CHIP_ID, STATUS, CHECKSUM = (
    0x00, 0x01, 0x23, 0x25, 0x26, 0x27, 0x28, 0x29,
)  # fmt: skip
PARAMETER_BYTES = {RUN: 0, ERASE: 0, READ: 2, SEAL: 6, CHIP_ID: 0, STATUS: 0, CHECKSUM: 2}


def record(kind: int, address: int, data: bytes) -> bytes:
    """Return an Intel-HEX record as the loader sends it, ended by LF."""
    body = bytes([len(data)]) + address.to_bytes(2) + bytes([kind]) + data
    return b":" + (body + bytes([-sum(body) & 0xFF])).hex().upper().encode() + b"\n"


class HexProtocol:
    """Answers whole record lines."""

    def __init__(self, flash: Flash, facts: BoardFacts, timing: LoaderTiming) -> None:
        self._flash, self._facts, self._timing = flash, facts, timing

    @property
    def longest_line(self) -> int:
        """Characters after the colon: a full record in hexadecimal, and CR."""
        return 2 * (self._facts.record_data_bytes + RECORD_OVERHEAD_BYTES) + 1

    def refuse_long_line(self, line: bytes) -> Answer:
        """Return the answer to a line that went on beyond the longest record."""
        length = line[1:3]
        is_hex = re.fullmatch(rb"[0-9A-Fa-f]{2}", length)
        too_long = is_hex and int(length, 16) > self._facts.record_data_bytes
        return _error(TOO_LONG if too_long else NOT_HEX)

    def handle(self, line: bytes) -> Answer:
        """Return the answer to a line from its colon to before its LF."""
        digits = line[1:].removesuffix(b"\r")
        if not re.fullmatch(rb"(?:[0-9A-Fa-f]{2}){5,}", digits):
            return _error(NOT_HEX)
        fields = bytes.fromhex(digits.decode())
        length, address, kind, data = fields[0], fields[1:3], fields[3], fields[4:-1]
        if length > self._facts.record_data_bytes:
            return _error(TOO_LONG)
        if length != len(data):
            return _error(NOT_HEX)
        if sum(fields) & 0xFF:
            return _error(CHECKSUM_ERROR)
        if kind == DATA:
            return self._program(int.from_bytes(address), data)
        if kind not in PARAMETER_BYTES:
            return _error(UNKNOWN_TYPE)
        if length != PARAMETER_BYTES[kind]:
            return _error(NOT_HEX)
        return self._command(kind, int.from_bytes(address), data)

    def _program(self, address: int, data: bytes) -> Answer:
        if address + len(data) > self._flash.size:
            return _error(RANGE_ERROR)
        self._flash.clear_info()
        work_us = len(data) * self._timing.program_byte_us
        if not self._flash.program(address, data):
            return _error(PROGRAM_ERROR, work_us)
        return Answer(DONE, work_us)

    def _command(self, kind: int, address: int, data: bytes) -> Answer:
        if kind == RUN:
            is_valid = self._flash.info is not None
            return Answer(DONE, starts_program=True) if is_valid else _error(IMAGE_ERROR)
        if kind == ERASE:
            self._flash.erase()
            return Answer(DONE, self._timing.erase_us)
        if kind == SEAL:
            return self._seal(int.from_bytes(data[:2]), int.from_bytes(data[2:]))
        if kind == CHIP_ID:
            return Answer(DONE + record(CHIP_ID, 0, self._facts.chip_id))
        if kind == STATUS:
            return Answer(DONE + record(STATUS, 0, self._status()))
        return self._range_command(kind, address, int.from_bytes(data))

    def _range_command(self, kind: int, address: int, length: int) -> Answer:
        if length == 0 or address + length > self._flash.size:
            return _error(RANGE_ERROR)
        if kind == CHECKSUM:
            found = self._flash.crc32(address, length).to_bytes(4)
            work_us = length * self._timing.checksum_byte_us
            return Answer(DONE + record(CHECKSUM, address, found), work_us)
        step = self._facts.record_data_bytes
        lines = [
            record(DATA, at, bytes(self._flash.data[at : min(at + step, address + length)]))
            for at in range(address, address + length, step)
        ]
        return Answer(DONE + b"".join(lines) + record(RUN, 0, b""))

    def _seal(self, length: int, crc32: int) -> Answer:
        if not 1 <= length <= self._flash.size:
            return _error(RANGE_ERROR)
        work_us = length * self._timing.checksum_byte_us
        if not self._flash.seal(length, crc32):
            return _error(IMAGE_ERROR, work_us)
        return Answer(DONE, work_us)

    def _status(self) -> bytes:
        info = self._flash.info
        details = info.to_bytes()[len(INFO_MAGIC) :] if info else bytes(8)
        return bytes([self._flash.status]) + details


def _error(code: bytes, work_us: int = 0) -> Answer:
    return Answer(code, work_us, is_error=True)
