"""200 flashes over a line with random faults, in virtual time.

Each ends verified or in an error with a sentence, and never does a board call an image valid that
is neither the old one nor the new one. Afterwards a clean line always brings the image across.
"""

import random
from collections import deque
from dataclasses import dataclass, field

import pytest

from firmware_tools.boards.facts import Board
from firmware_tools.bootloader import PROTOCOLS
from firmware_tools.errors import NoAnswerError, PortError
from firmware_tools.flashing import Flasher, Image, plan_flash
from hardware_sims.aksen_board.facts import board_facts
from hardware_sims.aksen_board.loader.boot_loader import BootLoader
from hardware_sims.aksen_board.loader.flash import Flash, LoaderTiming
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import run_job

FLASH_BYTES = board_facts().code_bytes

BYTE_US = 1042  # ten bits at 9600 baud
FLASHES = 200
KINDS = ("lost", "flipped", "doubled", "late")
OLD = bytes(range(1, 200))


@dataclass
class Faults:
    """Faults of a session: random byte faults, and one event after some bytes from the host."""

    seed: int = 0
    per_byte: float = 0.0
    event: str = ""  # disconnect, reset
    event_after: int = 0
    wrong_baud: bool = False


@dataclass
class VirtualLine:
    """A byte link to a simulated boot loader; time passes only when the host reads or writes."""

    loader: BootLoader
    faults: Faults
    now_us: int = 0
    sent: int = 0
    arriving: deque[tuple[int, int]] = field(default_factory=deque)

    def __post_init__(self) -> None:
        self.random = random.Random(self.faults.seed)

    def write(self, data: bytes) -> None:
        for byte in data:
            self.sent += 1
            if self.sent == self.faults.event_after:
                self._event()
            if self.faults.wrong_baud:
                self._pass(BYTE_US)
                continue
            for damaged, delay_us in self._damage(byte):
                self._pass(BYTE_US + delay_us)
                self.loader.receive(bytes([damaged]), self.now_us)

    def read(self, count: int, timeout_s: float) -> bytes:
        deadline_us = self.now_us + round(timeout_s * 1e6)
        data = bytearray()
        while len(data) < count:
            self._collect()
            if self.arriving and self.arriving[0][0] <= deadline_us:
                due_us, byte = self.arriving.popleft()
                self._pass(due_us - self.now_us)
                data.append(byte)
                continue
            due = self.loader.next_due_us
            if due is None or due >= deadline_us:
                self._pass(deadline_us - self.now_us)
                self._collect()
                if not self.arriving or self.arriving[0][0] > deadline_us:
                    break
            else:
                self._pass(max(due - self.now_us, 1))
        return bytes(data)

    def discard_input(self) -> None:
        self._collect()
        while self.arriving and self.arriving[0][0] <= self.now_us:
            self.arriving.popleft()

    def close(self) -> None:
        pass

    def _pass(self, duration_us: int) -> None:
        self.now_us += max(duration_us, 0)
        self.loader.advance(self.now_us)

    def _collect(self) -> None:
        """Move what the loader has sent onto the line, damaged as the faults say."""
        for byte in self.loader.take_output(self.now_us):
            for damaged, delay_us in self._damage(byte):
                last_us = self.arriving[-1][0] if self.arriving else self.now_us
                self.arriving.append((max(last_us, self.now_us) + delay_us, damaged))

    def _damage(self, byte: int) -> list[tuple[int, int]]:
        """Return the bytes that arrive instead of `byte`, each with its delay in us."""
        if self.random.random() >= self.faults.per_byte:
            return [(byte, 0)]
        kind = self.random.choice(KINDS)
        if kind == "lost":
            return []
        if kind == "flipped":
            return [(byte ^ 1 << self.random.randrange(8), 0)]
        if kind == "doubled":
            return [(byte, 0), (byte, 0)]
        return [(byte, self.random.randrange(20_000, 900_000))]

    def _event(self) -> None:
        if self.faults.event == "disconnect":
            raise PortError("The connection broke off.")
        self.loader = boot_loader(self.loader.flash)
        self.loader.advance(self.now_us)


def boot_loader(memory: Flash) -> BootLoader:
    """Return a loader that takes its time to erase, program and add up."""
    return BootLoader(memory, timing=LoaderTiming())


def image(data: bytes) -> Image:
    return Image("test.ihx", data, len(data))


def flash(line: VirtualLine, board: Board, protocol: str, wanted: Image) -> None:
    named = PROTOCOLS[protocol]
    plan = plan_flash(wanted, board, named)
    run_job(Flasher(line, board, named).flash(plan))


def flash_error(
    line: VirtualLine, board: Board, protocol: str, wanted: Image
) -> PuzzlerigError | None:
    try:
        flash(line, board, protocol, wanted)
    except PuzzlerigError as error:
        return error
    return None


def valid_image(memory: Flash) -> bytes | None:
    """Return what the board would run, or None."""
    info = memory.info
    return bytes(memory.data[: info.length]) if info is not None else None


def random_faults(seed: int) -> Faults:
    chance = random.Random(seed)
    kind = seed % 8
    if kind == 0:
        return Faults(seed, wrong_baud=True)
    if kind in (1, 2):
        event = "disconnect" if kind == 1 else "reset"
        return Faults(seed, 0.0005, event, chance.randrange(1, 900))
    return Faults(seed, chance.choice([0.0005, 0.002, 0.01, 0.05]))


@pytest.mark.parametrize("protocol", ["block", "hex-ack"])
def test_a_clean_line_needs_no_repetition(aksen: Board, protocol: str) -> None:
    memory = Flash(FLASH_BYTES)
    line = VirtualLine(boot_loader(memory), Faults())
    flash(line, aksen, protocol, image(OLD))
    assert valid_image(memory) == OLD


def test_a_flash_over_a_bad_line_ends_verified_or_in_an_error(aksen: Board) -> None:
    for seed in range(FLASHES):
        protocol = ("block", "hex-ack")[seed // 8 % 2]
        memory = Flash(FLASH_BYTES)
        flash(VirtualLine(boot_loader(memory), Faults()), aksen, protocol, image(OLD))
        new = random.Random(seed).randbytes(300 + seed)
        faults = random_faults(seed)
        error = flash_error(VirtualLine(boot_loader(memory), faults), aksen, protocol, image(new))
        if error is None:
            assert valid_image(memory) == new, seed
        else:
            assert len(str(error)) > 20, seed
            assert valid_image(memory) in (None, OLD, new), seed
        assert not faults.wrong_baud or isinstance(error, NoAnswerError), seed
        flash(VirtualLine(boot_loader(memory), Faults()), aksen, protocol, image(new))
        assert valid_image(memory) == new, seed
