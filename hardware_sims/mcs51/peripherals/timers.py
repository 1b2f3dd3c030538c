"""Timers 0, 1 and 2 with the compare/capture unit, brought up to date only when it matters.

A running timer is not counted cycle by cycle. `advance` adds the cycles since the last call, and
`next_overflow` gives the kernel the time until something can happen. Sources: Intel MCS-51 hardware
description (timers 0 and 1); Siemens C515A data sheet, "timer 2 with compare/capture": it counts
fOSC/12 or fOSC/24 (T2PS) and reloads from CRC.
"""

from hardware_sims.mcs51.chip_state import (
    CCEN,
    CCL1,
    CRCH,
    CRCL,
    CYCLES,
    IRCON,
    P1,
    P3,
    PORTS,
    T2CON,
    TCON,
    TH0,
    TH1,
    TH2,
    TIMER_2_PRESCALE,
    TIMERS_AT,
    TL0,
    TL2,
    TMOD,
    ChipState,
)
from solvers.foundation.arrays import Int64Array
from solvers.foundation.compiled import kernel

NEVER = 1 << 62

# TCON
TF1, TR1, TF0, TR0 = 0x80, 0x40, 0x20, 0x10
# TMOD, of one timer
GATE, COUNTER = 0x08, 0x04
# T2CON
T2PS, T2R1, T2R0, T2CM, T2I = 0x80, 0x10, 0x08, 0x04, 0x03
TF2 = 0x40  # IRCON
PORT_1, PORT_3 = PORTS.index(P1), PORTS.index(P3)


@kernel(inlining="llvm", error_model="numpy")
def is_counting(ram: Int64Array, pins: Int64Array, timer: int) -> bool:
    """Return whether timer 0 or 1 counts machine cycles now."""
    mode = (ram[TMOD] >> (4 * timer)) & 0xF
    if mode & COUNTER or not ram[TCON] & (TR0 << (2 * timer)):
        return False
    return not mode & GATE or (ram[P3] & pins[PORT_3] & (0x04 << timer)) != 0


@kernel(error_model="numpy")
def count_0_or_1(ram: Int64Array, timer: int, ticks: int) -> None:
    """Let timer 0 or 1 count `ticks`, setting its overflow flag."""
    low, high = TL0 + timer, TH0 + timer
    mode = (ram[TMOD] >> (4 * timer)) & 3
    flag = TF0 << (2 * timer)
    if timer == 1 and ram[TMOD] & 3 == 3:
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
        ram[TCON] |= flag


@kernel(error_model="numpy")
def _count_high_half_of_timer_0(ram: Int64Array, ticks: int) -> None:
    total = ram[TH0] + ticks
    ram[TH0] = total & 0xFF
    if total >> 8:
        ram[TCON] |= TF1


@kernel(error_model="numpy")
def count_2(ram: Int64Array, ticks: int) -> None:
    """Let timer 2 count `ticks`: overflow, reload, and the compare outputs on P1.0 to P1.3."""
    control = ram[T2CON]
    start = ram[TH2] << 8 | ram[TL2]
    total = start + ticks
    _compare(ram, start, total)
    if total >> 16:
        ram[IRCON] |= TF2
        if control & (T2R1 | T2R0) == T2R1:
            reload = ram[CRCH] << 8 | ram[CRCL]
            again = (total - 0x10000) % (0x10000 - reload)
            _compare(ram, reload - 1, reload + again)
            total = reload + again
    ram[TL2] = total & 0xFF
    ram[TH2] = (total >> 8) & 0xFF


@kernel(error_model="numpy")
def _compare_value(ram: Int64Array, unit: int) -> int:
    if unit == 0:
        return int(ram[CRCH] << 8 | ram[CRCL])
    low = CCL1 + 2 * (unit - 1)
    return int(ram[low + 1] << 8 | ram[low])


@kernel(error_model="numpy")
def _compare(ram: Int64Array, start: int, total: int) -> None:
    """Compare mode 0: an output goes high when the timer gets to its value, low on overflow."""
    for unit in range(4):
        if (ram[CCEN] >> (2 * unit)) & 3 != 2 or ram[T2CON] & T2CM:
            continue
        value = _compare_value(ram, unit)
        pin = 1 << unit
        matched = start < value <= total
        if matched and not ram[P1] & pin:
            ram[P1] |= pin
            ram[IRCON] |= 0x04 << unit  # IEX3 to IEX6: rising edge on INT3 to INT6
        if total >> 16 and not (matched and value > 0xFFFF):
            ram[P1] &= 0xFF ^ pin


@kernel(inlining="llvm", error_model="numpy")
def advance(chip: ChipState) -> None:
    """Bring all timers up to the cycle counter."""
    ram, scalars = chip.internal, chip.scalars
    ticks = scalars[CYCLES] - scalars[TIMERS_AT]
    if ticks <= 0:
        return
    scalars[TIMERS_AT] = scalars[CYCLES]
    mode_3 = ram[TMOD] & 3 == 3
    if is_counting(ram, chip.pins, 0):
        count_0_or_1(ram, 0, ticks)
    if mode_3 and ram[TCON] & TR1:
        _count_high_half_of_timer_0(ram, ticks)
    if is_counting(ram, chip.pins, 1) or (mode_3 and not ram[TMOD] >> 4 & COUNTER):
        count_0_or_1(ram, 1, ticks)
    source = ram[T2CON] & T2I
    gate_open = ram[P1] & chip.pins[PORT_1] & 0x80
    if source == 1 or (source == 3 and gate_open):
        if ram[T2CON] & T2PS:
            ticks += scalars[TIMER_2_PRESCALE]
            scalars[TIMER_2_PRESCALE] = ticks & 1
            ticks >>= 1
        count_2(ram, ticks)


@kernel(inlining="llvm", error_model="numpy")
def next_overflow(chip: ChipState) -> int:
    """Return the cycle of the next overflow or compare match, or NEVER."""
    ram, scalars = chip.internal, chip.scalars
    soonest = NEVER
    mode_3 = ram[TMOD] & 3 == 3
    for timer in range(2):
        if is_counting(ram, chip.pins, timer):
            soonest = min(soonest, _ticks_to_overflow(ram, timer))
    if mode_3 and ram[TCON] & TR1:
        soonest = min(soonest, 0x100 - ram[TH0])
    source = ram[T2CON] & T2I
    if source in (1, 3):
        ticks = _ticks_of_timer_2(ram)
        if ram[T2CON] & T2PS:
            ticks = 2 * ticks - scalars[TIMER_2_PRESCALE]
        soonest = min(soonest, ticks)
    return soonest + scalars[TIMERS_AT] if soonest < NEVER else NEVER


@kernel(inlining="llvm", error_model="numpy")
def _ticks_to_overflow(ram: Int64Array, timer: int) -> int:
    low, high = ram[TL0 + timer], ram[TH0 + timer]
    mode = (ram[TMOD] >> (4 * timer)) & 3
    if mode == 0:
        return int(0x2000 - (high << 5 | low & 0x1F))
    if mode == 1:
        return int(0x10000 - (high << 8 | low))
    if mode == 3 and timer == 1:
        return NEVER
    return int(0x100 - low)


@kernel(inlining="llvm", error_model="numpy")
def _ticks_of_timer_2(ram: Int64Array) -> int:
    now = ram[TH2] << 8 | ram[TL2]
    soonest = 0x10000 - now
    for unit in range(4):
        if (ram[CCEN] >> (2 * unit)) & 3 == 2:
            value = _compare_value(ram, unit)
            if value > now:
                soonest = min(soonest, value - now)
    return int(soonest)


@kernel(error_model="numpy")
def timer_1_reload_cycles(ram: Int64Array) -> int:
    """Return machine cycles between overflows of timer 1, or 0 while it stands still."""
    mode = (ram[TMOD] >> 4) & 3
    mode_3 = ram[TMOD] & 3 == 3
    if mode == 3 or not (ram[TCON] & TR1 or mode_3):
        return 0
    if mode == 2:
        return int(0x100 - ram[TH1])
    return 0x2000 if mode == 0 else 0x10000
