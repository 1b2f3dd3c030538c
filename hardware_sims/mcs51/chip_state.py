"""The whole state of a chip as arrays, in the form that compiled code takes, and its registers.

Addresses: `regc515c.h` of sdcc, as far as the 80C515A has them (no P7, no second data pointer, no
synchronous serial channel); reset values: Siemens C515A data sheet, table "special function
registers". Internal memory is one array of 384 bytes: 0-255 is the RAM as indirect addressing
sees it, 256-383 are the special-function registers of direct addresses 80h-FFh. A direct address
`d` therefore lives at index `d + (d & 80h)`, without a branch.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solvers.foundation.arrays import Int64Array, UInt8Array
from solvers.foundation.compiled import kernel

SFR_BASE = 0x80
INTERNAL_BYTES = 384

ADDRESSES: dict[str, int] = {
    "P0": 0x80, "SP": 0x81, "DPL": 0x82, "DPH": 0x83, "WDTREL": 0x86, "PCON": 0x87,
    "TCON": 0x88, "TMOD": 0x89, "TL0": 0x8A, "TL1": 0x8B, "TH0": 0x8C, "TH1": 0x8D,
    "P1": 0x90, "XPAGE": 0x91, "SCON": 0x98, "SBUF": 0x99, "P2": 0xA0, "IEN0": 0xA8,
    "IP0": 0xA9, "SRELL": 0xAA, "P3": 0xB0, "SYSCON": 0xB1,
    "IEN1": 0xB8, "IP1": 0xB9, "SRELH": 0xBA, "IRCON": 0xC0, "CCEN": 0xC1, "CCL1": 0xC2,
    "CCH1": 0xC3, "CCL2": 0xC4, "CCH2": 0xC5, "CCL3": 0xC6, "CCH3": 0xC7, "T2CON": 0xC8,
    "CRCL": 0xCA, "CRCH": 0xCB, "TL2": 0xCC, "TH2": 0xCD, "PSW": 0xD0, "ADCON0": 0xD8,
    "ADDATH": 0xD9, "ADDATL": 0xDA, "P6": 0xDB, "ADCON1": 0xDC, "ACC": 0xE0, "P4": 0xE8,
    "B": 0xF0, "P5": 0xF8,
}  # fmt: skip

RESET_VALUES: dict[str, int] = {
    **dict.fromkeys(("P0", "P1", "P2", "P3", "P4", "P5"), 255),
    "SP": 0x07,
    "SRELL": 0xD9,
    "SRELH": 0x03,
    "SYSCON": 0x21,  # XMAP0 = 1: the on-chip XRAM is off after reset
}
"""Registers that do not come out of reset as 00h."""


def index_of(direct_address: int) -> int:
    """Return where a direct address (0-255) lives in the internal memory array."""
    return direct_address + (direct_address & SFR_BASE)


# Indices that the compiled code uses: numba treats module constants as literals.
P0, SP, DPL, DPH = (index_of(ADDRESSES[name]) for name in ("P0", "SP", "DPL", "DPH"))
PCON, TCON, TMOD = (index_of(ADDRESSES[name]) for name in ("PCON", "TCON", "TMOD"))
TL0, TL1, TH0, TH1 = (index_of(ADDRESSES[name]) for name in ("TL0", "TL1", "TH0", "TH1"))
P1, P2, P3, P4, P5 = (index_of(ADDRESSES[name]) for name in ("P1", "P2", "P3", "P4", "P5"))
P6, XPAGE = (index_of(ADDRESSES[name]) for name in ("P6", "XPAGE"))
SCON, SBUF, SRELL, SRELH = (index_of(ADDRESSES[n]) for n in ("SCON", "SBUF", "SRELL", "SRELH"))
IEN0, IEN1 = (index_of(ADDRESSES[name]) for name in ("IEN0", "IEN1"))
IP0, IP1, IRCON, CCEN = (index_of(ADDRESSES[name]) for name in ("IP0", "IP1", "IRCON", "CCEN"))
T2CON, CRCL, CRCH, CCL1 = (index_of(ADDRESSES[n]) for n in ("T2CON", "CRCL", "CRCH", "CCL1"))
CCH3, TL2, TH2, WDTREL = (index_of(ADDRESSES[n]) for n in ("CCH3", "TL2", "TH2", "WDTREL"))
ADCON0, ADDATH, ADDATL = (index_of(ADDRESSES[n]) for n in ("ADCON0", "ADDATH", "ADDATL"))
ADCON1, PSW, ACC, B = (index_of(ADDRESSES[name]) for name in ("ADCON1", "PSW", "ACC", "B"))

PORTS = (P0, P1, P2, P3, P4, P5, P6)
PORT_AT_INDEX: npt.NDArray[np.int64] = np.full(INTERNAL_BYTES, -1, dtype=np.int64)
PORT_AT_INDEX[list(PORTS)] = range(len(PORTS))

# Registers whose reads must first be brought up to date: timers count lazily, a port is read at
# its pins, and the parity in PSW is computed only when it is read.
LIVE_READS: tuple[int, ...] = (*PORTS, TL0, TL1, TH0, TH1, TL2, TH2, PSW)

# Registers whose writes change what the peripherals or the interrupt logic do next.
LIVE_WRITES: tuple[int, ...] = (
    *PORTS, PSW, PCON, TCON, TMOD, TL0, TL1, TH0, TH1, XPAGE, SCON, SBUF, SRELL, SRELH,
    IEN0, IEN1, IP0, IP1, IRCON, CCEN, *range(CCL1, CCH3 + 1), T2CON, CRCL, CRCH, TL2, TH2,
    ADCON0, ADCON1, ADDATH, ADDATL, WDTREL,
)  # fmt: skip


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
    STACK_HIGH, STACK_LOW, LEFT_IMAGE, EVENT_COUNT, SKIP_BREAK, ENTRY_CYCLES,
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
    decoded: Int64Array  # 65536, see hardware_sims.mcs51.instructions
    code_marks: UInt8Array  # 65536
    internal: Int64Array  # 384, index = `index_of`
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


# Watches, which a real chip lacks: events of accesses that a correct program never makes.


class WatchKind(IntEnum):
    """What went wrong."""

    STACK_OVERFLOW = 0
    """A push or call wrapped past FFh, or went below where the program put its stack."""
    UNWRITTEN_IDATA = 1
    """Internal RAM was read before anything was written there; once per address."""
    UNWRITTEN_XDATA = 2
    """External RAM was read before anything was written there; once per address."""
    XDATA_READ_OUTSIDE = 3
    """Nothing answers at this address of external data memory."""
    XDATA_WRITE_OUTSIDE = 4
    """Nothing takes a write at this address of external data memory."""
    OFF_IMAGE = 5
    """Execution left the loaded image; once until it returns."""
    RESERVED_OPCODE = 6
    """A5h was executed, which the chip's makers leave undefined; here it does nothing."""


@dataclass(frozen=True)
class WatchEvent:
    """One such access: the instruction at `pc`, started or ended around `cycle`."""

    kind: WatchKind
    pc: int
    cycle: int
    address: int


STACK_OVERFLOW = int(WatchKind.STACK_OVERFLOW)
UNWRITTEN_IDATA = int(WatchKind.UNWRITTEN_IDATA)
UNWRITTEN_XDATA = int(WatchKind.UNWRITTEN_XDATA)
XDATA_READ_OUTSIDE = int(WatchKind.XDATA_READ_OUTSIDE)
XDATA_WRITE_OUTSIDE = int(WatchKind.XDATA_WRITE_OUTSIDE)
OFF_IMAGE = int(WatchKind.OFF_IMAGE)
RESERVED_OPCODE = int(WatchKind.RESERVED_OPCODE)


@kernel(error_model="numpy")
def note(
    events: Int64Array, scalars: Int64Array, kind: int, pc: int, cycle: int, address: int
) -> None:
    """Append an event; when the list is full, only the count grows."""
    count = scalars[EVENT_COUNT]
    if count < EVENT_SLOTS:
        events[count, 0] = kind
        events[count, 1] = pc
        events[count, 2] = cycle
        events[count, 3] = address
    scalars[EVENT_COUNT] = count + 1
