"""What happens between instructions: written registers take effect, time passes, interrupts."""

from hardware_sims.mcs51.chip_state import (
    ADC_BUSY,
    ADCON0,
    ADCON1,
    ADDATL,
    BLOCK_INTERRUPTS,
    CODE_BREAKPOINT,
    CODE_IN_IMAGE,
    CYCLES,
    IEN0,
    IEN1,
    IP0,
    IP1,
    LIMIT,
    P2,
    PORT_AT_INDEX,
    RESTORE,
    RESTORE_VALUE,
    SBUF,
    SKIP_BREAK,
    WRITTEN,
    XPAGE,
    ChipState,
)
from hardware_sims.mcs51.chip_state import OFF_IMAGE as LEFT_IMAGE
from hardware_sims.mcs51.instructions.decoder import ACCESS_OF_OPERATION
from hardware_sims.mcs51.instructions.opcodes import (
    READS_FIRST,
    READS_SECOND,
    WRITES_FIRST,
    XCH_DIR,
)
from hardware_sims.mcs51.peripherals.converter import (
    convert,
    next_conversion,
    select_channel,
    start_conversion,
)
from hardware_sims.mcs51.peripherals.interrupts import enter_interrupt, requests
from hardware_sims.mcs51.peripherals.timers import advance, next_overflow
from hardware_sims.mcs51.peripherals.uart import (
    next_serial_event,
    receive,
    start_transmission,
    transmit,
)
from hardware_sims.mcs51.watches import OFF_IMAGE, note
from solvers.foundation.compiled import kernel

NOTHING = -1


@kernel(error_model="numpy")
def before_care(chip: ChipState, pc: int, operation: int, first: int, second: int) -> bool:
    """Prepare an instruction that needs care; return whether a breakpoint stops it instead."""
    scalars = chip.scalars
    marks = chip.code_marks[pc]
    if marks & CODE_BREAKPOINT and scalars[SKIP_BREAK] != scalars[CYCLES]:
        return True
    if marks & CODE_IN_IMAGE:
        scalars[LEFT_IMAGE] = 0
    elif not scalars[LEFT_IMAGE]:
        scalars[LEFT_IMAGE] = 1
        note(chip.events, scalars, OFF_IMAGE, pc, scalars[CYCLES], pc)
    _pass_time(chip)
    access = ACCESS_OF_OPERATION[operation]
    if access & READS_SECOND:
        _look_at_pins(chip, second)
    elif access & READS_FIRST and (not access & WRITES_FIRST or operation == XCH_DIR):
        _look_at_pins(chip, first)
    if access & WRITES_FIRST:
        scalars[WRITTEN] = first
    return False


@kernel(inlining="llvm", error_model="numpy")
def _look_at_pins(chip: ChipState, index: int) -> None:
    """Let a port show its pins for one instruction: a 0 in the latch or from outside wins."""
    port = PORT_AT_INDEX[index]
    if port >= 0:
        chip.scalars[RESTORE] = index
        chip.scalars[RESTORE_VALUE] = chip.internal[index]
        chip.internal[index] &= chip.pins[port]


@kernel(inlining="llvm", error_model="numpy")
def _take_effect(chip: ChipState, written: int) -> None:
    """Do what writing a register sets off."""
    ram, scalars = chip.internal, chip.scalars
    if written == SBUF:
        start_transmission(chip)
    elif written == XPAGE:
        # Writing XPAGE also puts the page on port 2, which external memory sees.
        ram[P2] = ram[XPAGE]
    elif written == ADDATL:
        start_conversion(chip)
    elif written in (ADCON0, ADCON1):
        select_channel(chip, written)
    elif written in (IEN0, IEN1, IP0, IP1):
        scalars[BLOCK_INTERRUPTS] = 1


@kernel(inlining="llvm", error_model="numpy")
def _pass_time(chip: ChipState) -> None:
    advance(chip)
    transmit(chip)
    receive(chip)
    if chip.scalars[ADC_BUSY]:
        convert(chip)


@kernel(error_model="numpy")
def service(chip: ChipState, target: int) -> None:
    """Settle the last instruction and set LIMIT to the cycle at which something happens next."""
    scalars = chip.scalars
    written = scalars[WRITTEN]
    if scalars[RESTORE] != NOTHING:
        if scalars[RESTORE] != written:
            chip.internal[scalars[RESTORE]] = scalars[RESTORE_VALUE]
        scalars[RESTORE] = NOTHING
    if written != NOTHING:
        _take_effect(chip, written)
        scalars[WRITTEN] = NOTHING
    # Flags are sampled at the end of each cycle and polled in the next, so the poll in the last
    # cycle of an instruction sees those of the cycle before (data sheet, "interrupt response").
    scalars[CYCLES] -= 1
    _pass_time(chip)
    polled = requests(chip.internal)
    scalars[CYCLES] += 1
    _pass_time(chip)
    if polled and not scalars[BLOCK_INTERRUPTS]:
        enter_interrupt(chip, polled)
    scalars[BLOCK_INTERRUPTS] = 0
    if requests(chip.internal):
        scalars[LIMIT] = scalars[CYCLES] + 1
        return
    soonest = min(next_overflow(chip), next_serial_event(chip), next_conversion(chip))
    scalars[LIMIT] = min(soonest, target)
