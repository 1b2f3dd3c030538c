"""The serial port: baud rate, transmitter and receiver.

Bit times are counted in oscillator clocks. Source: Siemens C515A data sheet, table "baud rates":
mode 0 runs at fOSC/12, mode 2 at fOSC/64 or fOSC/32, modes 1 and 3 from the baud rate generator
(BD = 1: 2^SMOD * fOSC / (64 * (1024 - SREL))) or from timer 1 (2^SMOD/32 of its overflow rate).
"""

from hardware_sims.mcs51.chip_state import (
    ADCON0,
    CLOCKS_PER_CYCLE,
    CYCLES,
    PCON,
    RECEIVED,
    RX_HEAD,
    RX_SLOTS,
    RX_TAIL,
    SBUF,
    SCON,
    SRELH,
    SRELL,
    TX_BUSY,
    TX_BYTE,
    TX_COUNT,
    TX_DONE_CLOCK,
    TX_SLOTS,
    ChipState,
)
from hardware_sims.mcs51.peripherals.timers import NEVER, timer_1_reload_cycles
from solvers.foundation.arrays import Int64Array
from solvers.foundation.compiled import kernel

# SCON
RI, TI, RB8, TB8, REN, SM2 = 0x01, 0x02, 0x04, 0x08, 0x10, 0x20
SMOD = 0x80  # PCON
NINTH_BIT = 0x100  # in the receive ring: the ninth data bit, in mode 1 the stop bit
BD = 0x80  # ADCON0


@kernel(error_model="numpy")
def bit_clocks(ram: Int64Array) -> int:
    """Return the length of one bit in oscillator clocks, 0 while the baud rate source is off."""
    mode = ram[SCON] >> 6
    double = 1 if ram[PCON] & SMOD else 0
    if mode == 0:
        return CLOCKS_PER_CYCLE
    if mode == 2:
        return 64 >> double
    if ram[ADCON0] & BD:
        reload = (ram[SRELH] & 3) << 8 | ram[SRELL]
        return int((64 * (1024 - reload)) >> double)
    return (32 >> double) * timer_1_reload_cycles(ram) * CLOCKS_PER_CYCLE


@kernel(error_model="numpy")
def frame_bits(ram: Int64Array) -> int:
    """Return the bits of a frame with start and stop bit: 8, 10 or 11 by mode."""
    mode = ram[SCON] >> 6
    if mode == 0:
        return 8
    return 10 if mode == 1 else 11


@kernel(error_model="numpy")
def start_transmission(chip: ChipState) -> None:
    """Take the byte just written to SBUF, which keeps showing the receiver's."""
    ram, scalars = chip.internal, chip.scalars
    scalars[TX_BYTE] = ram[SBUF]
    ram[SBUF] = scalars[RECEIVED]
    now = scalars[CYCLES] * CLOCKS_PER_CYCLE
    bit = bit_clocks(ram)
    scalars[TX_BUSY] = 1
    if bit == 0:
        scalars[TX_DONE_CLOCK] = NEVER
        return
    # A frame starts with the next tick of the bit clock, which runs freely.
    start = (now + bit - 1) // bit * bit if frame_bits(ram) > 8 else now
    scalars[TX_DONE_CLOCK] = start + frame_bits(ram) * bit


@kernel(inlining="llvm", error_model="numpy")
def transmit(chip: ChipState) -> None:
    """Set TI at the start of the stop bit; the byte goes out stamped with the stop bit's end."""
    ram, scalars = chip.internal, chip.scalars
    if not scalars[TX_BUSY] or scalars[CYCLES] < _flag_cycle(chip):
        return
    slot = scalars[TX_COUNT] % TX_SLOTS
    chip.tx_bytes[slot] = scalars[TX_BYTE]
    chip.tx_clocks[slot] = scalars[TX_DONE_CLOCK]
    scalars[TX_COUNT] += 1
    scalars[TX_BUSY] = 0
    ram[SCON] |= TI


@kernel(inlining="llvm", error_model="numpy")
def _flag_cycle(chip: ChipState) -> int:
    """Return the cycle at which TI rises: one bit before the frame's end, except in mode 0."""
    ram, scalars = chip.internal, chip.scalars
    if scalars[TX_DONE_CLOCK] == NEVER:
        return NEVER
    stop_bit = bit_clocks(ram) if frame_bits(ram) > 8 else 0
    clock = scalars[TX_DONE_CLOCK] - stop_bit
    return int((clock + CLOCKS_PER_CYCLE - 1) // CLOCKS_PER_CYCLE)


@kernel(inlining="llvm", error_model="numpy")
def receive(chip: ChipState) -> None:
    """Take in every byte whose stop bit has ended; one that finds RI still set is lost."""
    ram, scalars = chip.internal, chip.scalars
    now = scalars[CYCLES] * CLOCKS_PER_CYCLE
    while scalars[RX_HEAD] != scalars[RX_TAIL]:
        slot = scalars[RX_HEAD] % RX_SLOTS
        if chip.rx_clocks[slot] > now:
            return
        scalars[RX_HEAD] += 1
        control = ram[SCON]
        if control & REN and not control & RI:
            scalars[RECEIVED] = chip.rx_bytes[slot] & 0xFF
            ram[SBUF] = scalars[RECEIVED]
            ninth = RB8 if chip.rx_bytes[slot] & NINTH_BIT and control >> 6 else 0
            ram[SCON] = control & (0xFF ^ RB8) | RI | ninth


@kernel(inlining="llvm", error_model="numpy")
def next_serial_event(chip: ChipState) -> int:
    """Return the cycle at which a byte has gone out or come in, or NEVER."""
    scalars = chip.scalars
    soonest = _flag_cycle(chip) if scalars[TX_BUSY] else NEVER
    if scalars[RX_HEAD] != scalars[RX_TAIL]:
        clock = chip.rx_clocks[scalars[RX_HEAD] % RX_SLOTS]
        soonest = min(soonest, (clock + CLOCKS_PER_CYCLE - 1) // CLOCKS_PER_CYCLE)
    return soonest
