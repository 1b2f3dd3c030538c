"""What a change of level on a pin sets off: external interrupts, counts, a reload of timer 2.

Source: Siemens C515A data sheet, pin functions and "external interrupts": INT0 and INT1 by level or
falling edge (IT0, IT1); INT2 and INT3 by the edge that I2FR and I3FR choose; INT4 to INT6 by a
rising edge; T0, T1 and T2 count falling edges; a falling edge on T2EX reloads timer 2 in mode 1.
"""

from hardware_sims.mcs51.chip_state import CRCH, CRCL, IEN1, IRCON, T2CON, TCON, TH2, TL2, TMOD
from hardware_sims.mcs51.peripherals.interrupts import EXEN2, EXF2, IE0, IE1, IT0, IT1
from hardware_sims.mcs51.peripherals.timers import (
    COUNTER,
    T2I,
    T2R0,
    T2R1,
    TR0,
    count_0_or_1,
    count_2,
)
from solvers.foundation.arrays import Int64Array

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
        counts = int(ram[TMOD]) >> (4 * timer) & COUNTER
        if counts and int(ram[TCON]) & (TR0 << (2 * timer)):
            count_0_or_1(ram, timer, 1)


def _level_or_edge(ram: Int64Array, bit: int, is_high: bool) -> None:
    flag, by_edge = (IE0, IT0) if bit == INT0_PIN else (IE1, IT1)
    if not is_high:
        ram[TCON] |= flag
    elif not int(ram[TCON]) & by_edge:
        ram[TCON] &= ~flag  # a level that is gone asks no more


def _port_1(ram: Int64Array, bit: int, is_high: bool) -> None:
    control = int(ram[T2CON])
    if bit in RISING_EDGE_FLAGS and is_high:
        ram[IRCON] |= RISING_EDGE_FLAGS[bit]
    elif bit == INT3_PIN and is_high == bool(control & I3FR):
        ram[IRCON] |= IEX3
    elif bit == INT2_PIN and is_high == bool(control & I2FR):
        ram[IRCON] |= IEX2
    elif bit == T2_PIN and not is_high and control & T2I == COUNT_EDGES:
        count_2(ram, 1)
    elif bit == T2EX_PIN and not is_high:
        if control & (T2R1 | T2R0) == T2R1 | T2R0:
            ram[TL2], ram[TH2] = ram[CRCL], ram[CRCH]
        if int(ram[IEN1]) & EXEN2:
            ram[IRCON] |= EXF2
