"""Records of the `hex-ack` protocol as bytes. Source of every number: docs/bootloader.md."""

from dataclasses import dataclass
from enum import IntEnum

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
