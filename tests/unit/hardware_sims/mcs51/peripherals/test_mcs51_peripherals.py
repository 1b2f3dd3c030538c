"""Timers, interrupts, serial port, converter and ports against the C515A data sheet's figures."""

import pytest

from hardware_sims.mcs51.microcontroller import INTERRUPT_ENTRY_CYCLES, Microcontroller
from tests.oracles.assembler import assemble

VECTORS = {"IE0": 0x03, "TF0": 0x0B, "IE1": 0x13, "TF1": 0x1B, "SERIAL": 0x23, "TF2": 0x2B}


def chip_with(
    source: str, *, interrupt_entry_cycles: int = INTERRUPT_ENTRY_CYCLES
) -> Microcontroller:
    chip = Microcontroller(interrupt_entry_cycles=interrupt_entry_cycles)
    chip.load(assemble(source))
    return chip


def run_to_end(source: str) -> Microcontroller:
    chip = Microcontroller()
    code = assemble(source)
    chip.load(code + b"\x80\xfe")
    assert chip.run_until(pc=len(code), limit_cycles=200_000)
    return chip


@pytest.mark.parametrize(("mode", "ticks"), [(0, 32 * 256), (1, 65536), (2, 256)])
def test_timers_overflow_after_their_width(mode: int, ticks: int) -> None:
    chip = chip_with(f"MOV TMOD,#{mode}\nSETB TCON.4\nwait:\nJNB TCON.5,wait\nhere:\nSJMP here")
    chip.run_cycles(2 + ticks - 1)  # MOV takes two cycles; SETB's own one counts already
    assert not chip.register("TCON") & 0x20
    chip.run_cycles(3)
    assert chip.register("TCON") & 0x20


def test_mode_2_reloads_itself_from_th() -> None:
    chip = chip_with(
        "MOV TMOD,#0x20\nMOV TH1,#0x9C\nMOV TL1,#0x9C\nSETB TCON.6\n"
        "wait:\nJNB TCON.7,wait\nCLR TCON.7\nINC R2\nSJMP wait"
    )
    chip.run_cycles(10_050)
    assert chip.idata[2] == 100  # 100h - 9Ch is 100 cycles


def test_timer_2_reloads_from_crc_once_a_millisecond() -> None:
    # What the board's library does: 16-bit auto-reload, 10000h - FC18h is 1000 cycles.
    chip = chip_with(
        "LJMP start\n.org 0x2B\nCLR IRCON.6\nINC R5\nRETI\nstart:\n"
        "MOV CRCL,#0x18\nMOV CRCH,#0xFC\nMOV TL2,#0x18\nMOV TH2,#0xFC\n"
        "MOV IEN0,#0xA0\nMOV T2CON,#0x11\nhere:\nSJMP here"
    )
    chip.run_cycles(50_500)
    assert chip.idata[5] == 50


def test_timer_2_compares_for_pulse_width() -> None:
    # CC1 in compare mode 0: P1.1 rises at the match, falls at the overflow.
    chip = chip_with(
        "MOV CRCH,#0xFF\nMOV CRCL,#0x00\nMOV CCH1,#0xFF\nMOV CCL1,#0xC0\nMOV TH2,#0xFF\n"
        "MOV CCEN,#0x08\nMOV P1,#0\nMOV T2CON,#0x11\nhere:\nSJMP here"
    )
    chip.run_cycles(1000)
    high = 0
    for _ in range(1024):
        chip.step()
        high += chip.register("P1") >> 1 & 1
    assert high == pytest.approx(256, abs=4)  # 40h of 100h counts


@pytest.mark.parametrize(
    ("ends_with", "waiting"),
    [("RETI", False), ("RET", True)],
)
def test_only_reti_lets_the_next_interrupt_in(ends_with: str, waiting: bool) -> None:
    chip = chip_with(
        f"LJMP start\n.org 0x0B\nINC R2\n{ends_with}\nstart:\nMOV TMOD,#2\nSETB TCON.4\n"
        "MOV IEN0,#0x82\nhere:\nSJMP here"
    )
    chip.run_cycles(3000)
    assert bool(chip.idata[2] == 1) is waiting


@pytest.mark.parametrize(
    ("ip0", "ip1", "first"),
    [(0, 0, "TF0"), (0x08, 0, "TF1"), (0, 0x20, "TF2"), (0x08, 0x20, "TF2"), (0x2A, 0x20, "TF2")],
)
def test_two_priority_bits_order_simultaneous_requests(ip0: int, ip1: int, first: str) -> None:
    chip = chip_with(
        "LJMP start\n.org 0x80\nstart:\n"
        f"MOV IP0,#{ip0}\nMOV IP1,#{ip1}\nMOV IRCON,#0x40\nMOV TCON,#0xA0\nMOV IEN0,#0xAA\n"
        "NOP\nNOP\nNOP"
    )
    for _ in range(8):  # one instruction follows the write to IEN0 before anything may interrupt
        chip.step()
        if chip.pc in VECTORS.values():
            break
    assert chip.pc == VECTORS[first]


def test_a_higher_level_interrupts_a_lower_one() -> None:
    chip = chip_with(
        "LJMP start\n.org 0x0B\nlow:\nINC R2\nSJMP low\n.org 0x1B\nINC R3\nRETI\nstart:\n"
        "MOV IP0,#0x08\nMOV TMOD,#0x22\nMOV TCON,#0x50\nMOV IEN0,#0x8A\nhere:\nSJMP here"
    )
    chip.run_cycles(2000)
    assert chip.idata[3] >= 6
    assert chip.register("SP") == 0x07 + 2  # the low one has never returned


def test_an_interrupt_takes_two_cycles_to_enter() -> None:
    chip = chip_with(
        "LJMP start\n.org 0x0B\nhere:\nSJMP here\nstart:\nMOV TMOD,#2\nMOV TL0,#0xE0\n"
        "MOV IEN0,#0x82\nSETB TCON.4\n" + "NOP\n" * 40
    )
    # Timer starts with SETB in cycle 9 and overflows at 8 + 32; the flag is polled in the next
    # cycle (data sheet, interrupt response), and two more go into the call.
    assert chip.run_until(pc=0x0B)
    assert chip.cycles == 8 + 32 + 1 + 2


def test_published_serial_setup_gives_9615_baud() -> None:
    # FHB's serielle_init: BD = 1, SMOD = 1, SREL = 3D9h at 12 MHz is 104 us a bit.
    chip = chip_with(
        "MOV SCON,#0x50\nMOV SRELH,#3\nMOV SRELL,#0xD9\nSETB ADCON0.7\nORL PCON,#0x80\n"
        "SETB SCON.1\nagain:\nJNB SCON.1,again\nCLR SCON.1\nMOV SBUF,#0x41\nSJMP again"
    )
    chip.run_cycles(20_000)
    sent = chip.take_sent()
    assert {value for value, _ in sent} == {0x41}
    assert chip.uart_bit_clocks / 12 == 104
    assert sent[5][1] - sent[4][1] == 10 * 104 * 12


@pytest.mark.parametrize(("smod", "th1", "cycles"), [(0, 0xFD, 96), (1, 0xFD, 48), (0, 0xE8, 768)])
def test_timer_1_may_set_the_baud_rate(smod: int, th1: int, cycles: int) -> None:
    # 2^SMOD / 32 of the overflow rate.
    chip = chip_with(
        f"MOV SCON,#0x50\nMOV PCON,#{smod << 7}\nMOV TMOD,#0x20\nMOV TH1,#{th1}\nSETB TCON.6\nNOP"
    )
    chip.run_cycles(10)
    assert chip.uart_bit_clocks / 12 == cycles


def test_received_bytes_wait_for_ri_and_overruns_are_lost() -> None:
    chip = chip_with(
        "MOV SCON,#0x50\nwait:\nJNB SCON.0,wait\nMOV A,SBUF\nMOV R4,A\nstop:\nSJMP stop"
    )
    chip.receive_byte(0x5A, end_clock=1200)
    chip.receive_byte(0xA5, end_clock=1400)
    chip.run_cycles(90)
    assert chip.idata[4] == 0
    chip.run_cycles(100)
    assert chip.idata[4] == 0x5A
    assert chip.register("SBUF") == 0x5A  # RI was never cleared, so the second one is lost


def test_sbuf_reads_what_was_received_not_what_was_sent() -> None:
    chip = chip_with(
        "MOV SCON,#0x50\nwait:\nJNB SCON.0,wait\nMOV SBUF,#1\nMOV A,SBUF\nhere:\nSJMP here"
    )
    chip.receive_byte(0x77, end_clock=120)
    chip.run_cycles(40)
    assert chip.register("ACC") == 0x77


def test_converter_needs_8_cycles_and_sets_busy_and_iadc() -> None:
    chip = chip_with("MOV ADCON0,#3\nMOV ADDATL,#0\nhere:\nSJMP here")
    chip.state.analog[3] = 0x2AB
    chip.run_cycles(4)
    assert chip.register("ADCON0") & 0x10
    chip.run_cycles(12)
    assert not chip.register("ADCON0") & 0x10
    assert (chip.register("ADDATH"), chip.register("ADDATL")) == (0xAA, 0xC0)
    assert chip.register("IRCON") & 1


def test_a_port_reads_its_pins_but_changes_its_latch() -> None:
    chip = chip_with("MOV A,P4\nANL P4,#0xF0\nSETB P4.0\nMOV R2,P4\nhere:\nSJMP here")
    chip.state.pins[4] = 0x3C
    chip.run_cycles(10)
    assert chip.register("ACC") == 0x3C
    assert chip.register("P4") == 0xF1
    assert chip.idata[2] == 0x30


def test_xpage_is_the_page_of_movx_at_ri() -> None:
    chip = run_to_end("MOV XPAGE,#0x12\nMOV R1,#0x34\nMOV A,#0x99\nMOVX @R1,A\nCLR A\nMOVX A,@R1")
    assert chip.xdata[0x1234] == 0x99
    assert chip.register("ACC") == 0x99


def pulse(chip: Microcontroller, port: int, bit: int) -> None:
    for level in (False, True):
        chip.set_pin(port, bit, level)
        chip.run_cycles(20)


@pytest.mark.parametrize(
    ("setup", "port", "bit", "vector"),
    [
        ("SETB TCON.0\nMOV IEN0,#0x81", 3, 2, 0x03),  # INT0, falling edge
        ("SETB TCON.2\nMOV IEN0,#0x84", 3, 3, 0x13),  # INT1
        ("MOV IEN1,#0x02\nMOV IEN0,#0x80", 1, 4, 0x4B),  # INT2
        ("MOV IEN1,#0x04\nMOV IEN0,#0x80", 1, 0, 0x53),  # INT3
        ("MOV T2CON,#0x40\nMOV IEN1,#0x04\nMOV IEN0,#0x80", 1, 0, 0x53),  # INT3, rising edge
        ("MOV IEN1,#0x08\nMOV IEN0,#0x80", 1, 1, 0x5B),  # INT4
        ("MOV IEN1,#0x10\nMOV IEN0,#0x80", 1, 2, 0x63),  # INT5
        ("MOV IEN1,#0x20\nMOV IEN0,#0x80", 1, 3, 0x6B),  # INT6
    ],
)
def test_each_edge_on_a_pin_interrupts_once(setup: str, port: int, bit: int, vector: int) -> None:
    chip = chip_with(
        f"LJMP start\n.org {vector}\nINC R2\nRETI\n.org 0x80\nstart:\n{setup}\nhere:\nSJMP here"
    )
    chip.run_cycles(20)
    for _ in range(3):
        pulse(chip, port, bit)
    assert chip.idata[2] == 3


def test_a_low_level_interrupts_until_it_is_gone() -> None:
    chip = chip_with(
        "LJMP start\n.org 0x03\nINC R2\nRETI\n.org 0x80\nstart:\nMOV IEN0,#0x81\nhere:\nSJMP here"
    )
    chip.run_cycles(20)
    pulse(chip, 3, 2)
    count = chip.idata[2]
    assert count > 2
    chip.run_cycles(100)
    assert chip.idata[2] == count


@pytest.mark.parametrize(
    ("setup", "port", "bit", "low_byte"),
    [
        ("MOV TMOD,#0x05\nSETB TCON.4", 3, 4, "TL0"),
        ("MOV TMOD,#0x50\nSETB TCON.6", 3, 5, "TL1"),
        ("MOV T2CON,#0x02", 1, 7, "TL2"),
    ],
)
def test_counters_count_falling_edges(setup: str, port: int, bit: int, low_byte: str) -> None:
    chip = chip_with(f"{setup}\nhere:\nSJMP here")
    chip.run_cycles(20)
    for _ in range(5):
        pulse(chip, port, bit)
    assert chip.register(low_byte) == 5


def test_t2ex_reloads_timer_2() -> None:
    chip = chip_with("MOV CRCH,#0x80\nMOV T2CON,#0x19\nhere:\nSJMP here")
    chip.run_cycles(100)
    chip.set_pin(1, 5, False)
    assert (chip.register("TH2"), chip.register("TL2")) == (0x80, 0x00)
