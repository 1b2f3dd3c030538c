"""The whole state of a chip as arrays, in the form that compiled code takes."""

from typing import NamedTuple

import numpy as np

from hardware_sims.mcs51.registers import INTERNAL_BYTES
from solvers.foundation.arrays import Int64Array, UInt8Array

# Slots of `ChipState.scalars`. Times are machine cycles since the chip was made unless they say
# oscillator clocks ("_CLOCK"), which UART bits are counted in: a bit need not be whole cycles.
(
    PC, CYCLES, LIMIT, EXIT,
    BLOCK_INTERRUPTS, LEVELS_IN_SERVICE,
    WRITTEN, RESTORE, RESTORE_VALUE,
    IO_ADDRESS, IO_VALUE, IO_READY, IO_CYCLE,
    TIMERS_AT, TIMER_2_PRESCALE,
    RECEIVED, TX_BUSY, TX_BYTE, TX_DONE_CLOCK, RX_HEAD, RX_TAIL, TX_COUNT,
    ADC_BUSY, ADC_DONE,
    STACK_HIGH, STACK_LOW, OFF_IMAGE, EVENT_COUNT, SKIP_BREAK, ENTRY_CYCLES,
    SCALARS,
) = range(31)  # fmt: skip

CLOCKS_PER_CYCLE = 12
"""Oscillator clocks of a machine cycle: Siemens C515A data sheet."""

# Why the kernel came back.
EXIT_TARGET, EXIT_BREAK, EXIT_IO_READ, EXIT_IO_WRITE = range(4)

# Kinds of external data memory, per address.
XDATA_READY, XDATA_UNWRITTEN, XDATA_IO, XDATA_NONE = range(4)

# Marks per code address.
CODE_IN_IMAGE, CODE_BREAKPOINT = 1, 2

RX_SLOTS = 1024
TX_SLOTS = 4096
EVENT_SLOTS = 1024
PORT_COUNT = 7


class ChipState(NamedTuple):
    """Arrays that the kernel reads and writes; sizes in elements."""

    code: UInt8Array  # 65536
    decoded: Int64Array  # 65536, see hardware_sims.mcs51.instructions.decoder
    code_marks: UInt8Array  # 65536
    internal: Int64Array  # 384, see hardware_sims.mcs51.registers
    internal_seen: UInt8Array  # 384: 0 never written, 1 written, 2 read before it was written
    unwritten_reads: Int64Array  # 384: where `internal_seen` is 2, that read's cycle << 16 | PC
    xdata: UInt8Array  # 65536
    xdata_kind: UInt8Array  # 65536
    pins: Int64Array  # 7: levels that the outside drives on P0-P6; 1 where nothing pulls down
    analog: Int64Array  # 8: inputs AN0-AN7, 0 to 1023
    rx_bytes: Int64Array  # ring: bytes on their way into the UART
    rx_clocks: Int64Array  # ring: oscillator clock at which each one's stop bit ends
    tx_bytes: Int64Array  # ring: bytes sent by the UART
    tx_clocks: Int64Array  # ring: oscillator clock at which each one's stop bit ended
    events: Int64Array  # (1024, 4): kind, PC, cycle, address
    scalars: Int64Array


def new_chip_state() -> ChipState:
    """Return a chip without power: all memory zero, nothing counted as written."""
    return ChipState(
        code=np.full(0x10000, 0xFF, dtype=np.uint8),
        decoded=np.zeros(0x10000, dtype=np.int64),
        code_marks=np.zeros(0x10000, dtype=np.uint8),
        internal=np.zeros(INTERNAL_BYTES, dtype=np.int64),
        internal_seen=np.zeros(INTERNAL_BYTES, dtype=np.uint8),
        unwritten_reads=np.zeros(INTERNAL_BYTES, dtype=np.int64),
        xdata=np.zeros(0x10000, dtype=np.uint8),
        xdata_kind=np.full(0x10000, XDATA_UNWRITTEN, dtype=np.uint8),
        pins=np.full(PORT_COUNT, 0xFF, dtype=np.int64),
        analog=np.zeros(8, dtype=np.int64),
        rx_bytes=np.zeros(RX_SLOTS, dtype=np.int64),
        rx_clocks=np.zeros(RX_SLOTS, dtype=np.int64),
        tx_bytes=np.zeros(TX_SLOTS, dtype=np.int64),
        tx_clocks=np.zeros(TX_SLOTS, dtype=np.int64),
        events=np.zeros((EVENT_SLOTS, 4), dtype=np.int64),
        scalars=np.zeros(SCALARS, dtype=np.int64),
    )
