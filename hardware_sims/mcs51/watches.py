"""What a real chip lacks: notes of accesses that a correct program never makes."""

from dataclasses import dataclass
from enum import IntEnum

from hardware_sims.mcs51.chip_state import EVENT_COUNT, EVENT_SLOTS
from solvers.foundation.arrays import Int64Array
from solvers.foundation.compiled import kernel


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
