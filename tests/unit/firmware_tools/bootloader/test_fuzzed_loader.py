"""A boot loader that answers nonsense: every job ends in an error with a sentence, none crashes."""

import random

import pytest

from firmware_tools.boards.facts import Board
from firmware_tools.bootloader import PROTOCOLS
from firmware_tools.errors import BoardError
from firmware_tools.flashing import Flasher, Image, plan_flash
from solvers.foundation.progress import run_job

# Bytes that mean something to a session; the rest of an answer is random.
MEANINGFUL = b"\x55\xff\xfe\xfd\xfc\xfb0123457:\n"
IMAGE = Image("test.ihx", b"\x02" * 300, 300)


class Babbler:
    """Answers every write with random bytes, or with nothing."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._input = bytearray()

    def write(self, data: bytes) -> None:
        for _ in range(self._random.choice([0, 1, 1, 1, 2, 6, 12])):
            is_meaningful = self._random.random() < 0.8
            self._input.append(self._random.choice(MEANINGFUL) if is_meaningful else data[-1])

    def read(self, count: int, timeout_s: float) -> bytes:  # noqa: ARG002 - no time here
        data = bytes(self._input[:count])
        del self._input[:count]
        return data

    def discard_input(self) -> None:
        self._input.clear()

    def close(self) -> None:
        pass


class Agreeable(Babbler):
    """Says yes to every test byte and question for the chip, babbles afterwards."""

    def write(self, data: bytes) -> None:
        if data == b"\x00":
            self._input += b"\x55"
        elif data[:2] == b"\x00\x0a":
            self._input += bytes.fromhex("55 C5 15 0C 01 DD")
        elif data == b":00000027D9\n":
            self._input += b"0:04000027C5150C01EE\n"
        else:
            super().write(data)


@pytest.mark.parametrize("peer", [Babbler, Agreeable])
@pytest.mark.parametrize("name", PROTOCOLS)
def test_every_job_ends_in_an_error_with_a_sentence(
    aksen: Board, name: str, peer: type[Babbler]
) -> None:
    protocol = PROTOCOLS[name]
    plan = plan_flash(IMAGE, aksen, protocol)
    for seed in range(60):
        flasher = Flasher(peer(seed), aksen, protocol)
        with pytest.raises(BoardError) as caught:
            run_job(flasher.flash(plan))
        assert len(str(caught.value)) > 20


@pytest.mark.parametrize("name", PROTOCOLS)
def test_an_endless_stream_of_bytes_is_no_boot_loader(aksen: Board, name: str) -> None:
    class Hose(Babbler):
        def read(self, count: int, timeout_s: float) -> bytes:  # noqa: ARG002 - no time here
            return b"\x11" * count

    with pytest.raises(BoardError):
        Flasher(Hose(0), aksen, PROTOCOLS[name]).connect()
