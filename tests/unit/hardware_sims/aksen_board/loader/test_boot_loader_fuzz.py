"""Whatever arrives, the loader neither crashes nor lets a wrong image run."""

import random
import zlib

from hypothesis import given, settings
from hypothesis import strategies as st

from hardware_sims.aksen_board.facts import board_facts
from hardware_sims.aksen_board.loader.boot_loader import BootLoader
from hardware_sims.aksen_board.loader.flash import Flash

FLASH_BYTES = board_facts().code_bytes

NASTY = st.sampled_from([b"\x00", b"\x01", b"\x02", b":", b"\n", b"\x55", b"\x00\x05\x00\x00\x0e"])
PIECES = st.lists(
    st.tuples(st.one_of(NASTY, st.binary(max_size=140)), st.integers(0, 150_000)), max_size=30
)


@settings(deadline=None)
@given(PIECES)
def test_any_bytes_at_any_time(pieces: list[tuple[bytes, int]]) -> None:
    loader, now_us = BootLoader(Flash(FLASH_BYTES)), 0
    for data, pause_us in pieces:
        loader.receive(data, now_us)
        now_us += pause_us
        loader.take_output(now_us)
        assert loader.next_due_us is None or loader.next_due_us > now_us or loader.started(now_us)
    # After a silence it always answers the test byte again, unless a program was started.
    now_us += 300_000
    loader.take_output(now_us)
    loader.receive(b"\0", now_us)
    assert loader.take_output(now_us + 100_000) == b"\x55" or loader.started(now_us)
    assert loader.flash.info is None or _is_right(loader.flash)


def _is_right(flash: Flash) -> bool:
    assert flash.info is not None
    return zlib.crc32(flash.data[: flash.info.length]) == flash.info.crc32


def test_a_damaged_session_never_seals_a_wrong_image() -> None:
    chance = random.Random(5)
    image = chance.randbytes(500)
    blocks = [image[start : start + 100].ljust(100, b"\0") for start in range(0, 500, 100)]
    headers = [(0, 4, 0, 0, 0, 0, 0), (0, 2, 0, 0, 102, 0, 0)]
    info = b"AKSN\0\0" + (500).to_bytes(2) + zlib.crc32(image).to_bytes(4)
    session = [bytes(h) for h in headers] + [b"\1" + block for block in blocks]
    session += [bytes((0, 5, 0, 0, 14, 0, 0)), b"\1" + info]
    for _ in range(200):
        loader, now_us = BootLoader(Flash(FLASH_BYTES)), 0
        for body in session:
            frame = bytearray(body + bytes([_xor(body)]))
            if chance.random() < 0.2:
                frame[chance.randrange(len(frame))] ^= 1 << chance.randrange(8)
            if chance.random() < 0.1:
                del frame[chance.randrange(len(frame))]
            loader.receive(bytes(frame), now_us)
            now_us += 250_000
            loader.take_output(now_us)
        assert loader.flash.info is None or bytes(loader.flash.data[:500]) == image


def _xor(data: bytes) -> int:
    result = 0
    for value in data:
        result ^= value
    return result
