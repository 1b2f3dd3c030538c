"""Blocks of the `block` protocol as bytes. Source of every number: docs/bootloader.md."""

from enum import IntEnum
from functools import reduce
from operator import xor

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
