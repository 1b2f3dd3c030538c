"""Interrupt sources, priorities and vectors of the SAB 80C515A.

Source: Siemens C515A data sheet, "interrupt system": six groups, each of one source of IEN0 and
one of IEN1; two bits per group (IP1.x, IP0.x) give a level from 0 to 3; within one level, group 0
comes first and within a group the IEN0 source.
"""

import numpy as np

from hardware_sims.mcs51.chip_state import (
    BLOCK_INTERRUPTS,
    CYCLES,
    ENTRY_CYCLES,
    IEN0,
    IEN1,
    IP0,
    IP1,
    IRCON,
    LEVELS_IN_SERVICE,
    PC,
    SCON,
    SP,
    STACK_HIGH,
    STACK_LOW,
    TCON,
    ChipState,
)
from hardware_sims.mcs51.watches import STACK_OVERFLOW, note
from solvers.foundation.arrays import Int64Array
from solvers.foundation.compiled import kernel

EA = 0x80
GROUPS = 6
VECTORS = np.array(
    (0x03, 0x0B, 0x13, 0x1B, 0x23, 0x2B, 0x43, 0x4B, 0x53, 0x5B, 0x63, 0x6B), dtype=np.int64
)
"""IE0 TF0 IE1 TF1 RI+TI TF2+EXF2, then IADC IEX2 IEX3 IEX4 IEX5 IEX6."""

IE0, IT0, IE1, IT1, TF0, TF1 = 0x02, 0x01, 0x08, 0x04, 0x20, 0x80  # TCON
RI_TI = 0x03  # SCON
TF2, EXF2 = 0x40, 0x80  # IRCON
EXEN2 = 0x80  # IEN1


@kernel(inlining="llvm", error_model="numpy")
def requests(ram: Int64Array) -> int:
    """Return enabled requests as bits in the order of VECTORS."""
    enable = ram[IEN0]
    if not enable & EA:
        return 0
    flags, more = ram[TCON], ram[IRCON]
    pending = 0
    pending |= 0x01 if flags & IE0 else 0
    pending |= 0x02 if flags & TF0 else 0
    pending |= 0x04 if flags & IE1 else 0
    pending |= 0x08 if flags & TF1 else 0
    pending |= 0x10 if ram[SCON] & RI_TI else 0
    pending |= 0x20 if more & TF2 or (more & EXF2 and ram[IEN1] & EXEN2) else 0
    return int(pending & enable & 0x3F | (more & ram[IEN1] & 0x3F) << GROUPS)


@kernel(inlining="llvm", error_model="numpy")
def _winner(ram: Int64Array, pending: int, above_level: int) -> tuple[int, int]:
    """Return the request to serve and its level, or (-1, -1) if none is above `above_level`."""
    best, best_level = -1, above_level
    for group in range(GROUPS):
        level = (ram[IP1] >> group & 1) << 1 | ram[IP0] >> group & 1
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
    flags = ram[TCON]
    if source == 0 and flags & IT0:
        ram[TCON] = flags & ~IE0
    elif source == 1:
        ram[TCON] = flags & ~TF0
    elif source == 2 and flags & IT1:
        ram[TCON] = flags & ~IE1
    elif source == 3:
        ram[TCON] = flags & ~TF1
    elif source > GROUPS:
        ram[IRCON] &= 0xFF ^ 1 << (source - GROUPS)


@kernel(inlining="llvm", error_model="numpy")
def _push(chip: ChipState, value: int) -> None:
    pointer = (chip.internal[SP] + 1) & 0xFF
    chip.internal[SP] = pointer
    chip.internal[pointer] = value
    chip.internal_seen[pointer] = 1
    scalars = chip.scalars
    scalars[STACK_HIGH] = max(scalars[STACK_HIGH], pointer)
    if pointer <= scalars[STACK_LOW]:
        note(chip.events, scalars, STACK_OVERFLOW, scalars[PC], scalars[CYCLES], pointer)


@kernel(inlining="llvm", error_model="numpy")
def enter_interrupt(chip: ChipState, pending: int) -> None:
    """Start the most urgent pending request, if it is above what is in service now."""
    ram, scalars = chip.internal, chip.scalars
    current = -1
    for level in range(4):
        if scalars[LEVELS_IN_SERVICE] >> level & 1:
            current = level
    source, level = _winner(ram, pending, current)
    if source < 0:
        return
    _acknowledge(ram, source)
    scalars[LEVELS_IN_SERVICE] |= 1 << level
    _push(chip, scalars[PC] & 0xFF)
    _push(chip, (scalars[PC] >> 8) & 0xFF)
    scalars[PC] = VECTORS[source]
    scalars[CYCLES] += scalars[ENTRY_CYCLES]


@kernel(error_model="numpy")
def end_of_interrupt(scalars: Int64Array) -> None:
    """RETI: leave the highest level; one more instruction runs before the next interrupt."""
    scalars[BLOCK_INTERRUPTS] = 1
    for level in range(3, -1, -1):
        if scalars[LEVELS_IN_SERVICE] >> level & 1:
            scalars[LEVELS_IN_SERVICE] &= ~(1 << level)
            return
