"""The A/D converter: 10 bits, eight inputs on port 6.

Source: Siemens C515A data sheet, "10-bit A/D converter". A write to ADDATL starts it; BSY is set
meanwhile; at the end the result is in ADDATH (8 bits) and ADDATL (2 bits, at the top) and IADC is
set. With ADM it starts again by itself. A conversion takes 96 oscillator clocks, 192 with ADCL.
"""

from hardware_sims.mcs51.chip_state import (
    ADC_BUSY,
    ADC_DONE,
    ADCON0,
    ADCON1,
    ADDATH,
    ADDATL,
    CYCLES,
    IRCON,
    ChipState,
)
from hardware_sims.mcs51.peripherals.timers import NEVER
from solvers.foundation.compiled import kernel

MX, ADM, BSY = 0x07, 0x08, 0x10  # ADCON0
ADCL = 0x80  # ADCON1
IADC = 0x01  # IRCON
FAST_CYCLES, SLOW_CYCLES = 96 // 12, 192 // 12


@kernel(error_model="numpy")
def start_conversion(chip: ChipState) -> None:
    """Start a conversion, or restart it."""
    ram, scalars = chip.internal, chip.scalars
    ram[ADCON0] |= BSY
    scalars[ADC_BUSY] = 1
    duration = SLOW_CYCLES if ram[ADCON1] & ADCL else FAST_CYCLES
    scalars[ADC_DONE] = scalars[CYCLES] + duration


@kernel(inlining="llvm", error_model="numpy")
def convert(chip: ChipState) -> None:
    """Finish a conversion whose time has come."""
    ram, scalars = chip.internal, chip.scalars
    if not scalars[ADC_BUSY] or scalars[CYCLES] < scalars[ADC_DONE]:
        return
    level = chip.analog[ram[ADCON0] & MX]
    ram[ADDATH] = level >> 2
    ram[ADDATL] = (level & 3) << 6
    ram[IRCON] |= IADC
    ram[ADCON0] &= 0xFF ^ BSY
    scalars[ADC_BUSY] = 0
    if ram[ADCON0] & ADM:
        start_conversion(chip)


@kernel(error_model="numpy")
def select_channel(chip: ChipState, written: int) -> None:
    """Mirror the channel bits, which both control registers show; BSY is read-only."""
    ram = chip.internal
    other = ADCON1 if written == ADCON0 else ADCON0
    ram[other] = ram[other] & (0xFF ^ MX) | ram[written] & MX
    busy = BSY if chip.scalars[ADC_BUSY] else 0
    ram[ADCON0] = ram[ADCON0] & (0xFF ^ BSY) | busy


@kernel(inlining="llvm", error_model="numpy")
def next_conversion(chip: ChipState) -> int:
    """Return the cycle at which a conversion ends, or NEVER."""
    return chip.scalars[ADC_DONE] if chip.scalars[ADC_BUSY] else NEVER
