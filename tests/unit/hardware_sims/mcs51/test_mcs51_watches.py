"""What the simulated chip tells about programs that a real one would let pass."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hardware_sims.mcs51.chip_state import WatchKind
from hardware_sims.mcs51.microcontroller import Microcontroller
from tests.oracles.assembler import assemble


def events(
    source: str, cycles: int = 100, *, xdata_bytes: int = 0x10000
) -> list[tuple[WatchKind, int, int]]:
    chip = Microcontroller(xdata_bytes=xdata_bytes)
    chip.load(assemble(source))
    chip.run_cycles(cycles)
    return [(event.kind, event.pc, event.address) for event in chip.watch_events()]


def test_a_clean_program_causes_no_event() -> None:
    assert events("MOV R0,#1\nMOV A,R0\nMOV DPTR,#5\nMOVX @DPTR,A\nMOVX A,@DPTR\nx:\nSJMP x") == []


def test_internal_ram_read_before_written_is_told_once() -> None:
    assert events("x:\nMOV A,0x44\nSJMP x") == [(WatchKind.UNWRITTEN_IDATA, 0, 0x44)]


def test_external_ram_read_before_written_is_told_once() -> None:
    assert events("MOV DPTR,#0x123\nx:\nMOVX A,@DPTR\nSJMP x") == [
        (WatchKind.UNWRITTEN_XDATA, 3, 0x123)
    ]


def test_accesses_outside_external_ram_are_told() -> None:
    source = "MOV DPTR,#0x2000\nMOVX @DPTR,A\nMOVX A,@DPTR\nx:\nSJMP x"
    assert events(source, xdata_bytes=0x2000) == [
        (WatchKind.XDATA_WRITE_OUTSIDE, 3, 0x2000),
        (WatchKind.XDATA_READ_OUTSIDE, 4, 0x2000),
    ]


def test_running_off_the_image_is_told_once_per_excursion() -> None:
    found = events("MOV A,#1\nNOP", cycles=50)
    assert found[0] == (WatchKind.OFF_IMAGE, 3, 3)
    assert [kind for kind, _, _ in found].count(WatchKind.OFF_IMAGE) == 1


def test_a_wrapping_stack_is_told_with_the_call_that_did_it() -> None:
    kinds = events("MOV SP,#0xFC\nx:\nLCALL x", cycles=9)
    assert (WatchKind.STACK_OVERFLOW, 3, 0) in kinds


def test_the_stack_pointers_highest_place_is_kept() -> None:
    chip = Microcontroller()
    chip.load(assemble("MOV SP,#0x40\nPUSH ACC\nPUSH ACC\nPOP B\nPOP B\nx:\nSJMP x"))
    chip.run_cycles(50)
    assert chip.stack_high_water == 0x42


def test_the_reserved_opcode_does_nothing_and_is_told() -> None:
    chip = Microcontroller()
    chip.load(bytes([0xA5, 0x80, 0xFE]))
    chip.run_cycles(5)
    assert [event.kind for event in chip.watch_events()] == [WatchKind.RESERVED_OPCODE]


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=60)
@given(st.binary(min_size=1, max_size=400))
def test_random_code_never_stops_the_simulator(code: bytes) -> None:
    chip = Microcontroller(xdata_bytes=0x2000, io_windows=[range(0x8000, 0x8100)])
    chip.load(code)
    assert 20_000 <= chip.run_cycles(20_000) <= 20_005
    chip.watch_events()
