"""Programs whose bytes are wrong: each is refused, or runs, or ends with a sentence; none hangs.

What an instruction may work on is counted in parts of arrays, so no test here looks at a clock.
"""

import struct
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware_sims.nxt_vm.codes import ERR_BEYOND
from hardware_sims.nxt_vm.dataspace import MOST_WORK, vector_count, vector_place
from hardware_sims.nxt_vm.drawing import Screen, draw_picture
from hardware_sims.nxt_vm.interpreter.slices import (
    MOST_INSTRUCTIONS_PER_MS,
    MOST_WORK_PER_MS,
    ProgramState,
)
from hardware_sims.nxt_vm.program_file import InvalidProgramError
from tests.oracles.lone_brick import LoneBrick
from tests.oracles.nxt_golden import DATA

PROGRAMS = {path.stem: path.read_bytes() for path in sorted((DATA / "programs").glob("*.rxe"))}
TICKS = 20
INTERESTING_WORDS = (0, 1, 2, 100, 255, 256, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF)


def run(brick: LoneBrick) -> str:
    """Run some milliseconds; return how that went, as a sentence."""
    machine = brick.command.state.machine
    for brick.tick in range(1, TICKS + 1):
        brick.run_program()
        assert int(machine["work_in_slice"][0]) <= MOST_WORK_PER_MS + 2 * MOST_WORK
        assert int(machine["executed_in_slice"][0]) <= MOST_INSTRUCTIONS_PER_MS
    assert all(event.text for event in brick.command.events)
    return "" if brick.command.is_active else str(brick.command.end)


def describe_all_arrays_as(state: ProgramState, size: int, count: int) -> None:
    """Overwrite element size and count of all arrays but that of the descriptions itself."""
    machine = state.machine[0]
    for vector in range(1, vector_count(machine, 0)):
        at = vector_place(machine, vector) + 2
        machine.memory[at : at + 4] = list(struct.pack("<HH", size, count))


@pytest.mark.parametrize(
    ("size", "count"), [(2, 0xFFFF), (0, 0xFFFF), (0xFFFF, 0xFFFF), (1, 40000), (0xFFFF, 1)]
)
def test_arrays_of_any_size_end_a_program_and_not_the_simulator(size: int, count: int) -> None:
    beyond = 0
    for image in PROGRAMS.values():
        brick = LoneBrick(100)
        brick.command.start(b"x.rxe", image, 0)
        describe_all_arrays_as(brick.command.state, size, count)
        ending = run(brick)
        if brick.command.end.code == ERR_BEYOND:
            assert "more than the memory can hold" in ending
            beyond += 1
    assert beyond >= (20 if count == 0xFFFF else 0)


@pytest.mark.parametrize("link", [None, 0xFFFE, 0xFFFF])
def test_arrays_chained_in_a_circle_or_to_nothing_are_refused(link: int | None) -> None:
    image = bytearray(PROGRAMS["arrays1"])
    entries, _, static_size, _, dynamic_at = struct.unpack_from("<5H", image, 16)
    head, _, vectors_at = struct.unpack_from("<3H", image, 28)
    vector_at = 38 + 4 * entries + dynamic_at + vectors_at - static_size + 10 * head
    struct.pack_into("<H", image, vector_at + 8, head if link is None else link)
    with pytest.raises(InvalidProgramError, match="chain of its array descriptions is broken"):
        LoneBrick(100).command.start(b"x.rxe", bytes(image), 0)


@st.composite
def corrupt_images(draw: st.DrawFn) -> bytes:
    """A real program with some words changed in one of its parts."""
    image = bytearray(draw(st.sampled_from(sorted(PROGRAMS.values()))))
    entries, _, _, defaults = struct.unpack_from("<4H", image, 16)
    clumps, words = struct.unpack_from("<2H", image, 34)
    defaults_at, code_at = 38 + 4 * entries, len(image) - 2 * words
    parts = {
        "header": (14, 38),
        "variables": (38, defaults_at),
        "defaults": (defaults_at, defaults_at + defaults),
        "clumps": (code_at - 4 * clumps, code_at),
        "code": (code_at, len(image)),
    }
    start, end = draw(st.sampled_from(sorted(parts.values())))
    for _ in range(draw(st.integers(1, 20))):
        at = draw(st.integers(start, max(start, end - 2))) & ~1
        value = draw(st.sampled_from(INTERESTING_WORDS) | st.integers(0, 0xFFFF))
        struct.pack_into("<H", image, min(at, len(image) - 2), value)
    return bytes(image[: draw(st.just(len(image)) | st.integers(0, len(image)))])


@settings(max_examples=300, deadline=None)
@given(corrupt_images())
def test_a_corrupt_program_is_refused_or_runs_or_ends(image: bytes) -> None:
    brick = LoneBrick(100)
    with suppress(InvalidProgramError):
        brick.command.start(b"x.rxe", image, 0)
    run(brick)


def test_a_picture_of_any_size_takes_only_the_pixels_of_the_screen() -> None:
    drawn: list[tuple[int, int]] = []

    class CountingScreen(Screen):
        def point(self, x: int, y: int, black: bool = True) -> None:
            del black
            drawn.append((x, y))

    def operation(code: int, *values: int) -> bytes:
        return struct.pack(f"<{len(values) + 2}H", 2 * len(values) + 2, code, *values)

    sprite = operation(1, 1, 0x7FFF, 2, 0xFFFF)
    copied = operation(3, 0, 1, 0, 0, 0x7FFF, 0x7FFF, 0x8000, 0)
    lines = operation(6, 0, 0, 0, 0x7FFF, 0x7FFF) + operation(5, 0, 0x8000, 0x8000, 0x7FFF, 0x7FFE)
    draw_picture(CountingScreen(bytearray(800)), sprite + copied + lines, 0, 0, [])
    assert 0 < len(drawn) <= 100 * 64 + 5 * 100
