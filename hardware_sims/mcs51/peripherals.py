"""The chip around its core: timers, serial port, A/D converter, interrupts, pins, and `service`.

The kernel calls `service` between instructions, when the cycle counter reaches its limit.
"""

import numpy as np

from hardware_sims.mcs51 import chip_state as layout
from hardware_sims.mcs51.instructions import (
    ACCESS_OF_OPERATION,
    READS_FIRST,
    READS_SECOND,
    WRITES_FIRST,
    XCH_DIR,
)
from solvers.foundation.arrays import Int64Array
from solvers.foundation.compiled import kernel

NEVER = 1 << 62


# Timers 0, 1 and 2 with the compare/capture unit, brought up to date only when it matters.
#
# A running timer is not counted cycle by cycle. `advance` adds the cycles since the last call, and
# `next_overflow` gives the kernel the time until something can happen. Sources: Intel MCS-51
# hardware description (timers 0 and 1); Siemens C515A data sheet, "timer 2 with compare/capture":
# it counts fOSC/12 or fOSC/24 (T2PS) and reloads from CRC.

# TCON
TF1, TR1, TF0, TR0 = 0x80, 0x40, 0x20, 0x10
# TMOD, of one timer
GATE, COUNTER = 0x08, 0x04
# T2CON
T2PS, T2R1, T2R0, T2CM, T2I = 0x80, 0x10, 0x08, 0x04, 0x03
TF2 = 0x40  # IRCON
PORT_1, PORT_3 = layout.PORTS.index(layout.P1), layout.PORTS.index(layout.P3)


@kernel(inlining="llvm", error_model="numpy")
def is_counting(ram: Int64Array, pins: Int64Array, timer: int) -> bool:
    """Return whether timer 0 or 1 counts machine cycles now."""
    mode = (ram[layout.TMOD] >> (4 * timer)) & 0xF
    if mode & COUNTER or not ram[layout.TCON] & (TR0 << (2 * timer)):
        return False
    return not mode & GATE or (ram[layout.P3] & pins[PORT_3] & (0x04 << timer)) != 0


@kernel(error_model="numpy")
def count_0_or_1(ram: Int64Array, timer: int, ticks: int) -> None:
    """Let timer 0 or 1 count `ticks`, setting its overflow flag."""
    low, high = layout.TL0 + timer, layout.TH0 + timer
    mode = (ram[layout.TMOD] >> (4 * timer)) & 3
    flag = TF0 << (2 * timer)
    if timer == 1 and ram[layout.TMOD] & 3 == 3:
        flag = 0  # timer 0 in mode 3 has taken TF1
    if mode == 0:  # 13 bits: 8 in TH, 5 in TL
        total = (ram[high] << 5 | ram[low] & 0x1F) + ticks
        ram[low] = total & 0x1F
        ram[high] = (total >> 5) & 0xFF
        overflowed = total >> 13
    elif mode == 1:
        total = (ram[high] << 8 | ram[low]) + ticks
        ram[low] = total & 0xFF
        ram[high] = (total >> 8) & 0xFF
        overflowed = total >> 16
    elif mode == 2:  # 8 bits, reloaded from TH
        total = ram[low] + ticks
        overflowed = total >> 8
        if overflowed:
            reload = ram[high]
            total = reload + (total - 0x100) % (0x100 - reload)
        ram[low] = total
    elif timer == 0:  # mode 3: TL0 alone; TH0 counts with TR1
        total = ram[low] + ticks
        ram[low] = total & 0xFF
        overflowed = total >> 8
    else:  # timer 1 holds its count in mode 3
        overflowed = 0
    if overflowed:
        ram[layout.TCON] |= flag


@kernel(error_model="numpy")
def _count_high_half_of_timer_0(ram: Int64Array, ticks: int) -> None:
    total = ram[layout.TH0] + ticks
    ram[layout.TH0] = total & 0xFF
    if total >> 8:
        ram[layout.TCON] |= TF1


@kernel(error_model="numpy")
def count_2(ram: Int64Array, ticks: int) -> None:
    """Let timer 2 count `ticks`: overflow, reload, and the compare outputs on P1.0 to P1.3."""
    control = ram[layout.T2CON]
    start = ram[layout.TH2] << 8 | ram[layout.TL2]
    total = start + ticks
    _compare(ram, start, total)
    if total >> 16:
        ram[layout.IRCON] |= TF2
        if control & (T2R1 | T2R0) == T2R1:
            reload = ram[layout.CRCH] << 8 | ram[layout.CRCL]
            again = (total - 0x10000) % (0x10000 - reload)
            _compare(ram, reload - 1, reload + again)
            total = reload + again
    ram[layout.TL2] = total & 0xFF
    ram[layout.TH2] = (total >> 8) & 0xFF


@kernel(error_model="numpy")
def _compare_value(ram: Int64Array, unit: int) -> int:
    if unit == 0:
        return int(ram[layout.CRCH] << 8 | ram[layout.CRCL])
    low = layout.CCL1 + 2 * (unit - 1)
    return int(ram[low + 1] << 8 | ram[low])


@kernel(error_model="numpy")
def _compare(ram: Int64Array, start: int, total: int) -> None:
    """Compare mode 0: an output goes high when the timer gets to its value, low on overflow."""
    for unit in range(4):
        if (ram[layout.CCEN] >> (2 * unit)) & 3 != 2 or ram[layout.T2CON] & T2CM:
            continue
        value = _compare_value(ram, unit)
        pin = 1 << unit
        matched = start < value <= total
        if matched and not ram[layout.P1] & pin:
            ram[layout.P1] |= pin
            ram[layout.IRCON] |= 0x04 << unit  # IEX3 to IEX6: rising edge on INT3 to INT6
        if total >> 16 and not (matched and value > 0xFFFF):
            ram[layout.P1] &= 0xFF ^ pin


@kernel(inlining="llvm", error_model="numpy")
def advance(chip: layout.ChipState) -> None:
    """Bring all timers up to the cycle counter."""
    ram, scalars = chip.internal, chip.scalars
    ticks = scalars[layout.CYCLES] - scalars[layout.TIMERS_AT]
    if ticks <= 0:
        return
    scalars[layout.TIMERS_AT] = scalars[layout.CYCLES]
    mode_3 = ram[layout.TMOD] & 3 == 3
    if is_counting(ram, chip.pins, 0):
        count_0_or_1(ram, 0, ticks)
    if mode_3 and ram[layout.TCON] & TR1:
        _count_high_half_of_timer_0(ram, ticks)
    if is_counting(ram, chip.pins, 1) or (mode_3 and not ram[layout.TMOD] >> 4 & COUNTER):
        count_0_or_1(ram, 1, ticks)
    source = ram[layout.T2CON] & T2I
    gate_open = ram[layout.P1] & chip.pins[PORT_1] & 0x80
    if source == 1 or (source == 3 and gate_open):
        if ram[layout.T2CON] & T2PS:
            ticks += scalars[layout.TIMER_2_PRESCALE]
            scalars[layout.TIMER_2_PRESCALE] = ticks & 1
            ticks >>= 1
        count_2(ram, ticks)


@kernel(inlining="llvm", error_model="numpy")
def next_overflow(chip: layout.ChipState) -> int:
    """Return the cycle of the next overflow or compare match, or NEVER."""
    ram, scalars = chip.internal, chip.scalars
    soonest = NEVER
    mode_3 = ram[layout.TMOD] & 3 == 3
    for timer in range(2):
        if is_counting(ram, chip.pins, timer):
            soonest = min(soonest, _ticks_to_overflow(ram, timer))
    if mode_3 and ram[layout.TCON] & TR1:
        soonest = min(soonest, 0x100 - ram[layout.TH0])
    source = ram[layout.T2CON] & T2I
    if source in (1, 3):
        ticks = _ticks_of_timer_2(ram)
        if ram[layout.T2CON] & T2PS:
            ticks = 2 * ticks - scalars[layout.TIMER_2_PRESCALE]
        soonest = min(soonest, ticks)
    return soonest + scalars[layout.TIMERS_AT] if soonest < NEVER else NEVER


@kernel(inlining="llvm", error_model="numpy")
def _ticks_to_overflow(ram: Int64Array, timer: int) -> int:
    low, high = ram[layout.TL0 + timer], ram[layout.TH0 + timer]
    mode = (ram[layout.TMOD] >> (4 * timer)) & 3
    if mode == 0:
        return int(0x2000 - (high << 5 | low & 0x1F))
    if mode == 1:
        return int(0x10000 - (high << 8 | low))
    if mode == 3 and timer == 1:
        return NEVER
    return int(0x100 - low)


@kernel(inlining="llvm", error_model="numpy")
def _ticks_of_timer_2(ram: Int64Array) -> int:
    now = ram[layout.TH2] << 8 | ram[layout.TL2]
    soonest = 0x10000 - now
    for unit in range(4):
        if (ram[layout.CCEN] >> (2 * unit)) & 3 == 2:
            value = _compare_value(ram, unit)
            if value > now:
                soonest = min(soonest, value - now)
    return int(soonest)


@kernel(error_model="numpy")
def timer_1_reload_cycles(ram: Int64Array) -> int:
    """Return machine cycles between overflows of timer 1, or 0 while it stands still."""
    mode = (ram[layout.TMOD] >> 4) & 3
    mode_3 = ram[layout.TMOD] & 3 == 3
    if mode == 3 or not (ram[layout.TCON] & TR1 or mode_3):
        return 0
    if mode == 2:
        return int(0x100 - ram[layout.TH1])
    return 0x2000 if mode == 0 else 0x10000


# The serial port: baud rate, transmitter and receiver.
#
# Bit times are counted in oscillator clocks. Source: Siemens C515A data sheet, table "baud rates":
# mode 0 runs at fOSC/12, mode 2 at fOSC/64 or fOSC/32, modes 1 and 3 from the baud rate generator
# (BD = 1: 2^SMOD * fOSC / (64 * (1024 - SREL))) or from timer 1 (2^SMOD/32 of its overflow rate).


# SCON
RI, TI, RB8, TB8, REN, SM2 = 0x01, 0x02, 0x04, 0x08, 0x10, 0x20
SMOD = 0x80  # PCON
NINTH_BIT = 0x100  # in the receive ring: the ninth data bit, in mode 1 the stop bit
BD = 0x80  # ADCON0


@kernel(error_model="numpy")
def bit_clocks(ram: Int64Array) -> int:
    """Return the length of one bit in oscillator clocks, 0 while the baud rate source is off."""
    mode = ram[layout.SCON] >> 6
    double = 1 if ram[layout.PCON] & SMOD else 0
    if mode == 0:
        return layout.CLOCKS_PER_CYCLE
    if mode == 2:
        return 64 >> double
    if ram[layout.ADCON0] & BD:
        reload = (ram[layout.SRELH] & 3) << 8 | ram[layout.SRELL]
        return int((64 * (1024 - reload)) >> double)
    return (32 >> double) * timer_1_reload_cycles(ram) * layout.CLOCKS_PER_CYCLE


@kernel(error_model="numpy")
def frame_bits(ram: Int64Array) -> int:
    """Return the bits of a frame with start and stop bit: 8, 10 or 11 by mode."""
    mode = ram[layout.SCON] >> 6
    if mode == 0:
        return 8
    return 10 if mode == 1 else 11


@kernel(error_model="numpy")
def start_transmission(chip: layout.ChipState) -> None:
    """Take the byte just written to SBUF, which keeps showing the receiver's."""
    ram, scalars = chip.internal, chip.scalars
    scalars[layout.TX_BYTE] = ram[layout.SBUF]
    ram[layout.SBUF] = scalars[layout.RECEIVED]
    now = scalars[layout.CYCLES] * layout.CLOCKS_PER_CYCLE
    bit = bit_clocks(ram)
    scalars[layout.TX_BUSY] = 1
    if bit == 0:
        scalars[layout.TX_DONE_CLOCK] = NEVER
        return
    # A frame starts with the next tick of the bit clock, which runs freely.
    start = (now + bit - 1) // bit * bit if frame_bits(ram) > 8 else now
    scalars[layout.TX_DONE_CLOCK] = start + frame_bits(ram) * bit


@kernel(inlining="llvm", error_model="numpy")
def transmit(chip: layout.ChipState) -> None:
    """Set TI at the start of the stop bit; the byte goes out stamped with the stop bit's end."""
    ram, scalars = chip.internal, chip.scalars
    if not scalars[layout.TX_BUSY] or scalars[layout.CYCLES] < _flag_cycle(chip):
        return
    slot = scalars[layout.TX_COUNT] % layout.TX_SLOTS
    chip.tx_bytes[slot] = scalars[layout.TX_BYTE]
    chip.tx_clocks[slot] = scalars[layout.TX_DONE_CLOCK]
    scalars[layout.TX_COUNT] += 1
    scalars[layout.TX_BUSY] = 0
    ram[layout.SCON] |= TI


@kernel(inlining="llvm", error_model="numpy")
def _flag_cycle(chip: layout.ChipState) -> int:
    """Return the cycle at which TI rises: one bit before the frame's end, except in mode 0."""
    ram, scalars = chip.internal, chip.scalars
    if scalars[layout.TX_DONE_CLOCK] == NEVER:
        return NEVER
    stop_bit = bit_clocks(ram) if frame_bits(ram) > 8 else 0
    clock = scalars[layout.TX_DONE_CLOCK] - stop_bit
    return int((clock + layout.CLOCKS_PER_CYCLE - 1) // layout.CLOCKS_PER_CYCLE)


@kernel(inlining="llvm", error_model="numpy")
def receive(chip: layout.ChipState) -> None:
    """Take in every byte whose stop bit has ended; one that finds RI still set is lost."""
    ram, scalars = chip.internal, chip.scalars
    now = scalars[layout.CYCLES] * layout.CLOCKS_PER_CYCLE
    while scalars[layout.RX_HEAD] != scalars[layout.RX_TAIL]:
        slot = scalars[layout.RX_HEAD] % layout.RX_SLOTS
        if chip.rx_clocks[slot] > now:
            return
        scalars[layout.RX_HEAD] += 1
        control = ram[layout.SCON]
        if control & REN and not control & RI:
            scalars[layout.RECEIVED] = chip.rx_bytes[slot] & 0xFF
            ram[layout.SBUF] = scalars[layout.RECEIVED]
            ninth = RB8 if chip.rx_bytes[slot] & NINTH_BIT and control >> 6 else 0
            ram[layout.SCON] = control & (0xFF ^ RB8) | RI | ninth


@kernel(inlining="llvm", error_model="numpy")
def next_serial_event(chip: layout.ChipState) -> int:
    """Return the cycle at which a byte has gone out or come in, or NEVER."""
    scalars = chip.scalars
    soonest = _flag_cycle(chip) if scalars[layout.TX_BUSY] else NEVER
    if scalars[layout.RX_HEAD] != scalars[layout.RX_TAIL]:
        clock = chip.rx_clocks[scalars[layout.RX_HEAD] % layout.RX_SLOTS]
        soonest = min(soonest, (clock + layout.CLOCKS_PER_CYCLE - 1) // layout.CLOCKS_PER_CYCLE)
    return soonest


# The A/D converter: 10 bits, eight inputs on port 6.
#
# Source: Siemens C515A data sheet, "10-bit A/D converter". A write to ADDATL starts it; BSY is set
# meanwhile; at the end the result is in ADDATH (8 bits) and ADDATL (2 bits, at the top) and IADC is
# set. With ADM it starts again by itself. A conversion takes 96 oscillator clocks, 192 with ADCL.


MX, ADM, BSY = 0x07, 0x08, 0x10  # ADCON0
ADCL = 0x80  # ADCON1
IADC = 0x01  # IRCON
FAST_CYCLES, SLOW_CYCLES = 96 // 12, 192 // 12


@kernel(error_model="numpy")
def start_conversion(chip: layout.ChipState) -> None:
    """Start a conversion, or restart it."""
    ram, scalars = chip.internal, chip.scalars
    ram[layout.ADCON0] |= BSY
    scalars[layout.ADC_BUSY] = 1
    duration = SLOW_CYCLES if ram[layout.ADCON1] & ADCL else FAST_CYCLES
    scalars[layout.ADC_DONE] = scalars[layout.CYCLES] + duration


@kernel(inlining="llvm", error_model="numpy")
def convert(chip: layout.ChipState) -> None:
    """Finish a conversion whose time has come."""
    ram, scalars = chip.internal, chip.scalars
    if not scalars[layout.ADC_BUSY] or scalars[layout.CYCLES] < scalars[layout.ADC_DONE]:
        return
    level = chip.analog[ram[layout.ADCON0] & MX]
    ram[layout.ADDATH] = level >> 2
    ram[layout.ADDATL] = (level & 3) << 6
    ram[layout.IRCON] |= IADC
    ram[layout.ADCON0] &= 0xFF ^ BSY
    scalars[layout.ADC_BUSY] = 0
    if ram[layout.ADCON0] & ADM:
        start_conversion(chip)


@kernel(error_model="numpy")
def select_channel(chip: layout.ChipState, written: int) -> None:
    """Mirror the channel bits, which both control registers show; BSY is read-only."""
    ram = chip.internal
    other = layout.ADCON1 if written == layout.ADCON0 else layout.ADCON0
    ram[other] = ram[other] & (0xFF ^ MX) | ram[written] & MX
    busy = BSY if chip.scalars[layout.ADC_BUSY] else 0
    ram[layout.ADCON0] = ram[layout.ADCON0] & (0xFF ^ BSY) | busy


@kernel(inlining="llvm", error_model="numpy")
def next_conversion(chip: layout.ChipState) -> int:
    """Return the cycle at which a conversion ends, or NEVER."""
    return chip.scalars[layout.ADC_DONE] if chip.scalars[layout.ADC_BUSY] else NEVER


# Interrupt sources, priorities and vectors of the SAB 80C515A.
#
# Source: Siemens C515A data sheet, "interrupt system": six groups, each of one source of IEN0 and
# one of IEN1; two bits per group (IP1.x, IP0.x) give a level from 0 to 3; within one level, group 0
# comes first and within a group the IEN0 source.


EA = 0x80
GROUPS = 6
VECTORS = np.array(
    (0x03, 0x0B, 0x13, 0x1B, 0x23, 0x2B, 0x43, 0x4B, 0x53, 0x5B, 0x63, 0x6B), dtype=np.int64
)
"""IE0 TF0 IE1 TF1 RI+TI TF2+EXF2, then IADC IEX2 IEX3 IEX4 IEX5 IEX6."""

IE0, IT0, IE1, IT1 = 0x02, 0x01, 0x08, 0x04  # TCON
RI_TI = 0x03  # SCON
EXF2 = 0x80  # IRCON
EXEN2 = 0x80  # IEN1


@kernel(inlining="llvm", error_model="numpy")
def requests(ram: Int64Array) -> int:
    """Return enabled requests as bits in the order of VECTORS."""
    enable = ram[layout.IEN0]
    if not enable & EA:
        return 0
    flags, more = ram[layout.TCON], ram[layout.IRCON]
    pending = 0
    pending |= 0x01 if flags & IE0 else 0
    pending |= 0x02 if flags & TF0 else 0
    pending |= 0x04 if flags & IE1 else 0
    pending |= 0x08 if flags & TF1 else 0
    pending |= 0x10 if ram[layout.SCON] & RI_TI else 0
    pending |= 0x20 if more & TF2 or (more & EXF2 and ram[layout.IEN1] & EXEN2) else 0
    return int(pending & enable & 0x3F | (more & ram[layout.IEN1] & 0x3F) << GROUPS)


@kernel(inlining="llvm", error_model="numpy")
def _winner(ram: Int64Array, pending: int, above_level: int) -> tuple[int, int]:
    """Return the request to serve and its level, or (-1, -1) if none is above `above_level`."""
    best, best_level = -1, above_level
    for group in range(GROUPS):
        level = (ram[layout.IP1] >> group & 1) << 1 | ram[layout.IP0] >> group & 1
        if level <= best_level:
            continue
        if pending >> group & 1:
            best, best_level = group, level
        elif pending >> (group + GROUPS) & 1:
            best, best_level = group + GROUPS, level
    return best, best_level


@kernel(inlining="llvm", error_model="numpy")
def _acknowledge(ram: Int64Array, source: int) -> None:
    """Clear the flags that hardware clears on entry; RI, TI, TF2, EXF2 and IADC stay."""
    flags = ram[layout.TCON]
    if source == 0 and flags & IT0:
        ram[layout.TCON] = flags & ~IE0
    elif source == 1:
        ram[layout.TCON] = flags & ~TF0
    elif source == 2 and flags & IT1:
        ram[layout.TCON] = flags & ~IE1
    elif source == 3:
        ram[layout.TCON] = flags & ~TF1
    elif source > GROUPS:
        ram[layout.IRCON] &= 0xFF ^ 1 << (source - GROUPS)


@kernel(inlining="llvm", error_model="numpy")
def _push(chip: layout.ChipState, value: int) -> None:
    pointer = (chip.internal[layout.SP] + 1) & 0xFF
    chip.internal[layout.SP] = pointer
    chip.internal[pointer] = value
    chip.internal_seen[pointer] = 1
    scalars = chip.scalars
    scalars[layout.STACK_HIGH] = max(scalars[layout.STACK_HIGH], pointer)
    if pointer <= scalars[layout.STACK_LOW]:
        layout.note(
            chip.events,
            scalars,
            layout.STACK_OVERFLOW,
            scalars[layout.PC],
            scalars[layout.CYCLES],
            pointer,
        )


@kernel(inlining="llvm", error_model="numpy")
def enter_interrupt(chip: layout.ChipState, pending: int) -> None:
    """Start the most urgent pending request, if it is above what is in service now."""
    ram, scalars = chip.internal, chip.scalars
    current = -1
    for level in range(4):
        if scalars[layout.LEVELS_IN_SERVICE] >> level & 1:
            current = level
    source, level = _winner(ram, pending, current)
    if source < 0:
        return
    _acknowledge(ram, source)
    scalars[layout.LEVELS_IN_SERVICE] |= 1 << level
    _push(chip, scalars[layout.PC] & 0xFF)
    _push(chip, (scalars[layout.PC] >> 8) & 0xFF)
    scalars[layout.PC] = VECTORS[source]
    scalars[layout.CYCLES] += scalars[layout.ENTRY_CYCLES]


@kernel(error_model="numpy")
def end_of_interrupt(scalars: Int64Array) -> None:
    """RETI: leave the highest level; one more instruction runs before the next interrupt."""
    scalars[layout.BLOCK_INTERRUPTS] = 1
    for level in range(3, -1, -1):
        if scalars[layout.LEVELS_IN_SERVICE] >> level & 1:
            scalars[layout.LEVELS_IN_SERVICE] &= ~(1 << level)
            return


# Changes of level on a pin: external interrupts, counts, a reload of timer 2.
#
# Source: Siemens C515A data sheet, pin functions and "external interrupts": INT0 and INT1 by level
# or falling edge (IT0, IT1); INT2 and INT3 by the edge that I2FR and I3FR choose; INT4 to INT6 by a
# rising edge; T0, T1 and T2 count falling edges; a falling edge on T2EX reloads timer 2 in mode 1.


I3FR, I2FR = 0x40, 0x20  # T2CON: 1 for the rising edge
COUNT_EDGES = 2  # T2I1, T2I0
# Port 1 pins of INT3 to INT6 and INT2, with their flags in IRCON.
RISING_EDGE_FLAGS = {1: 0x08, 2: 0x10, 3: 0x20}  # INT4, INT5, INT6
INT3_PIN, INT2_PIN, T2EX_PIN, T2_PIN = 0, 4, 5, 7
IEX3, IEX2 = 0x04, 0x02
INT0_PIN, INT1_PIN, T0_PIN, T1_PIN = 2, 3, 4, 5


def change_level(ram: Int64Array, port: int, bit: int, is_high: bool) -> None:
    """Note in the registers that this pin has just changed; timers must be up to date."""
    if port == 1:
        _port_1(ram, bit, is_high)
    elif port == 3 and bit in (INT0_PIN, INT1_PIN):
        _level_or_edge(ram, bit, is_high)
    elif port == 3 and bit in (T0_PIN, T1_PIN) and not is_high:
        timer = bit - T0_PIN
        counts = int(ram[layout.TMOD]) >> (4 * timer) & COUNTER
        if counts and int(ram[layout.TCON]) & (TR0 << (2 * timer)):
            count_0_or_1(ram, timer, 1)


def _level_or_edge(ram: Int64Array, bit: int, is_high: bool) -> None:
    flag, by_edge = (IE0, IT0) if bit == INT0_PIN else (IE1, IT1)
    if not is_high:
        ram[layout.TCON] |= flag
    elif not int(ram[layout.TCON]) & by_edge:
        ram[layout.TCON] &= ~flag  # a level that is gone asks no more


def _port_1(ram: Int64Array, bit: int, is_high: bool) -> None:
    control = int(ram[layout.T2CON])
    if bit in RISING_EDGE_FLAGS and is_high:
        ram[layout.IRCON] |= RISING_EDGE_FLAGS[bit]
    elif bit == INT3_PIN and is_high == bool(control & I3FR):
        ram[layout.IRCON] |= IEX3
    elif bit == INT2_PIN and is_high == bool(control & I2FR):
        ram[layout.IRCON] |= IEX2
    elif bit == T2_PIN and not is_high and control & T2I == COUNT_EDGES:
        count_2(ram, 1)
    elif bit == T2EX_PIN and not is_high:
        if control & (T2R1 | T2R0) == T2R1 | T2R0:
            ram[layout.TL2], ram[layout.TH2] = ram[layout.CRCL], ram[layout.CRCH]
        if int(ram[layout.IEN1]) & EXEN2:
            ram[layout.IRCON] |= EXF2


# Between instructions: written registers take effect, time passes, interrupts are entered.


NOTHING = -1


@kernel(error_model="numpy")
def before_care(chip: layout.ChipState, pc: int, operation: int, first: int, second: int) -> bool:
    """Prepare an instruction that needs care; return whether a breakpoint stops it instead."""
    scalars = chip.scalars
    marks = chip.code_marks[pc]
    if marks & layout.CODE_BREAKPOINT and scalars[layout.SKIP_BREAK] != scalars[layout.CYCLES]:
        return True
    if marks & layout.CODE_IN_IMAGE:
        scalars[layout.LEFT_IMAGE] = 0
    elif not scalars[layout.LEFT_IMAGE]:
        scalars[layout.LEFT_IMAGE] = 1
        layout.note(chip.events, scalars, layout.OFF_IMAGE, pc, scalars[layout.CYCLES], pc)
    _pass_time(chip)
    access = ACCESS_OF_OPERATION[operation]
    if access & READS_SECOND:
        _look_at_pins(chip, second)
    elif access & READS_FIRST and (not access & WRITES_FIRST or operation == XCH_DIR):
        _look_at_pins(chip, first)
    if access & WRITES_FIRST:
        scalars[layout.WRITTEN] = first
    return False


@kernel(inlining="llvm", error_model="numpy")
def _look_at_pins(chip: layout.ChipState, index: int) -> None:
    """Let a port show its pins for one instruction: a 0 in the latch or from outside wins."""
    port = layout.PORT_AT_INDEX[index]
    if port >= 0:
        chip.scalars[layout.RESTORE] = index
        chip.scalars[layout.RESTORE_VALUE] = chip.internal[index]
        chip.internal[index] &= chip.pins[port]


@kernel(inlining="llvm", error_model="numpy")
def _take_effect(chip: layout.ChipState, written: int) -> None:
    """Do what writing a register sets off."""
    ram, scalars = chip.internal, chip.scalars
    if written == layout.SBUF:
        start_transmission(chip)
    elif written == layout.XPAGE:
        # Writing XPAGE also puts the page on port 2, which external memory sees.
        ram[layout.P2] = ram[layout.XPAGE]
    elif written == layout.ADDATL:
        start_conversion(chip)
    elif written in (layout.ADCON0, layout.ADCON1):
        select_channel(chip, written)
    elif written in (layout.IEN0, layout.IEN1, layout.IP0, layout.IP1):
        scalars[layout.BLOCK_INTERRUPTS] = 1


@kernel(inlining="llvm", error_model="numpy")
def _pass_time(chip: layout.ChipState) -> None:
    advance(chip)
    transmit(chip)
    receive(chip)
    if chip.scalars[layout.ADC_BUSY]:
        convert(chip)


@kernel(error_model="numpy")
def service(chip: layout.ChipState, target: int) -> None:
    """Settle the last instruction and set LIMIT to the cycle at which something happens next."""
    scalars = chip.scalars
    written = scalars[layout.WRITTEN]
    if scalars[layout.RESTORE] != NOTHING:
        if scalars[layout.RESTORE] != written:
            chip.internal[scalars[layout.RESTORE]] = scalars[layout.RESTORE_VALUE]
        scalars[layout.RESTORE] = NOTHING
    if written != NOTHING:
        _take_effect(chip, written)
        scalars[layout.WRITTEN] = NOTHING
    # Flags are sampled at the end of each cycle and polled in the next, so the poll in the last
    # cycle of an instruction sees those of the cycle before (data sheet, "interrupt response").
    scalars[layout.CYCLES] -= 1
    _pass_time(chip)
    polled = requests(chip.internal)
    scalars[layout.CYCLES] += 1
    _pass_time(chip)
    if polled and not scalars[layout.BLOCK_INTERRUPTS]:
        enter_interrupt(chip, polled)
    scalars[layout.BLOCK_INTERRUPTS] = 0
    if requests(chip.internal):
        scalars[layout.LIMIT] = scalars[layout.CYCLES] + 1
        return
    soonest = min(next_overflow(chip), next_serial_event(chip), next_conversion(chip))
    scalars[layout.LIMIT] = min(soonest, target)
