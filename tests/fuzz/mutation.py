"""Damages input as disks, lines and people do, and as who wants to break a reader would."""

import random
from collections.abc import Callable, Sequence
from typing import Final

TRAPS: Final[tuple[bytes, ...]] = (
    b"0", b"-1", b"1e999", b"nan", b"-0.0", b"1.5", b"9" * 30, b"9" * 5000, b"999999999",
    "²".encode(), "٣".encode(), "ß".encode(), b"\x7f", b"\x1b[2J", b"[bold]", b"[/]", b"\0",
    b"\xff", b"\xed\xa0\x80", b"true", b"null", b"[]", b"{}", b'""', b"[" * 3000, b"{" * 3000,
    b"(" * 3000, b"'", b'"', b"\\", b"\r\n", b"\t", b" ", b"=", b":", b"<", b">", b"&", b"%s",
    b"../",
)  # fmt: skip
MOST_BYTES: Final = 200_000


def mutated(seed: bytes, others: Sequence[bytes], choose: random.Random) -> bytes:
    """Return `seed` with one to four damages; pieces of `others` may be put in."""
    data = seed
    for _ in range(choose.randint(1, 4)):
        data = choose.choice(_DAMAGES)(data, others, choose)
    return data[:MOST_BYTES]


def _flip(data: bytes, _: Sequence[bytes], choose: random.Random) -> bytes:
    if not data:
        return data
    at = choose.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << choose.randrange(8)]) + data[at + 1 :]


def _cut(data: bytes, _: Sequence[bytes], choose: random.Random) -> bytes:
    return data[: choose.randint(0, len(data))]


def _drop(data: bytes, _: Sequence[bytes], choose: random.Random) -> bytes:
    start, end = _span(data, choose)
    return data[:start] + data[end:]


def _double(data: bytes, _: Sequence[bytes], choose: random.Random) -> bytes:
    start, end = _span(data, choose)
    return data[:end] + data[start:end] * choose.choice((1, 2, 50)) + data[end:]


def _trap(data: bytes, _: Sequence[bytes], choose: random.Random) -> bytes:
    at = choose.randint(0, len(data))
    return data[:at] + choose.choice(TRAPS) + data[at:]


def _replace_word(data: bytes, _: Sequence[bytes], choose: random.Random) -> bytes:
    """Put a trap in the place of a whole word or number, so that the rest stays well formed."""
    start = end = choose.randint(0, len(data))
    while start and _is_word(data[start - 1]):
        start -= 1
    while end < len(data) and _is_word(data[end]):
        end += 1
    return data[:start] + choose.choice(TRAPS) + data[end:]


def _swap_lines(data: bytes, _: Sequence[bytes], choose: random.Random) -> bytes:
    lines = data.split(b"\n")
    choose.shuffle(lines)
    return b"\n".join(lines)


def _splice(data: bytes, others: Sequence[bytes], choose: random.Random) -> bytes:
    start, end = _span(other := choose.choice(others), choose)
    at = choose.randint(0, len(data))
    return data[:at] + other[start:end] + data[at:]


def _noise(data: bytes, _: Sequence[bytes], choose: random.Random) -> bytes:
    at = choose.randint(0, len(data))
    return data[:at] + choose.randbytes(choose.randint(1, 40)) + data[at:]


def _span(data: bytes, choose: random.Random) -> tuple[int, int]:
    start = choose.randint(0, len(data))
    return start, min(len(data), start + choose.randint(0, 1 << choose.randint(0, 8)))


def _is_word(byte: int) -> bool:
    return byte > 0x7F or chr(byte).isalnum() or byte in b"._-"


_DAMAGES: Final[tuple[Callable[[bytes, Sequence[bytes], random.Random], bytes], ...]] = (
    _flip,
    _cut,
    _drop,
    _double,
    _trap,
    _replace_word,
    _replace_word,
    _swap_lines,
    _splice,
    _noise,
)
