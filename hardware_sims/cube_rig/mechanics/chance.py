"""Whether a fault strikes on an occasion: by its number, or by chance from a seed."""

from typing import Final

from hardware_sims.cube_rig.rig_state import FaultTable, RigRecord
from solvers.foundation.compiled import kernel

# The "minimal standard" generator of Park and Miller (CACM 31, 1988) with its later multiplier
# (CACM 36, 1993): no product leaves 64 bits, so compiled and plain Python draw the same.
MODULUS: Final = 2147483647
MULTIPLIER: Final = 48271


@kernel
def draw(rig: RigRecord) -> float:
    """Return a number above 0 and below 1; a rig that draws none stays the same."""
    rig.random = rig.random * MULTIPLIER % MODULUS
    return float(rig.random / MODULUS)


@kernel
def strikes(rig: RigRecord, faults: FaultTable, kind: int, occasion: int) -> bool:
    """Return whether a fault of this kind strikes on this occasion, and how much as `drawn`."""
    for index in range(len(faults)):
        fault = faults[index]
        if fault.kind != kind:
            continue
        struck = draw(rig) < fault.chance if fault.number == 0 else fault.number == occasion
        if struck:
            rig.drawn = fault.least
            if fault.most != fault.least:
                rig.drawn += draw(rig) * (fault.most - fault.least)
            return True
    return False
