"""Walks through the machine code of one function and counts what it does to the stack.

Branches are followed; PUSH, POP, calls and moves to SP are counted. Working on machine code covers
the compiler's run-time library too, of which there is no listing.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from firmware_tools.sizes.instruction_lengths import (
    JMP_A_DPTR,
    LENGTHS,
    LJMP,
    SJMP,
    falls_through,
    is_call,
    jump_target,
    signed,
)

STACK_TOP = 256
SP, DPL, DPH = 0x81, 0x82, 0x83
PUSH, POP, INC_DIRECT, DEC_DIRECT = 0xC0, 0xD0, 0x05, 0x15
MOV_A_DIRECT, MOV_DIRECT_A, MOV_DIRECT_DIRECT = 0xE5, 0xF5, 0x85
MOV_DIRECT_REGISTERS = range(0x86, 0x90)  # from @R0, @R1, R0 to R7
ADD_A_IMMEDIATE, MOV_DPTR, INC_DPTR = 0x24, 0x90, 0xA3


@dataclass(frozen=True)
class Call:
    """A call made while `depth` bytes of the caller's own are on the stack."""

    depth: int
    target: int | None  # None: through a pointer


@dataclass
class Walk:
    """What walking through one function showed."""

    depth: int = 0  # bytes pushed at most, without the return address
    calls: set[Call] = field(default_factory=set)
    unknown: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class _State:
    """Bytes on the stack, and where A and the frame pointer point relative to its start."""

    depth: int = 0
    accumulator: int | None = None
    frame: int | None = None
    dptr: int | None = None


class FunctionWalker:
    """Walks through functions of one image.

    `frame_pointer` is the address of sdcc's _bp in internal RAM. `call_through_pointer` is the
    address of sdcc's helper that jumps to DPTR; a call of it counts as a call of the unknown.
    `stack_switches` are the functions that change to another stack on purpose.
    """

    def __init__(
        self,
        image: bytes,
        frame_pointer: int | None = None,
        call_through_pointer: int | None = None,
        stack_switches: frozenset[int] = frozenset(),
    ) -> None:
        self.image = image
        self.frame_pointer = frame_pointer
        self.call_through_pointer = call_through_pointer
        self.stack_switches = stack_switches

    def walk(self, start: int) -> Walk:
        """Return depth, calls and unknowns of the function at `start`."""
        walk = Walk()
        deepest: dict[int, int] = {}
        waiting = [(start, _State())]
        while waiting:
            address, state = waiting.pop()
            if not self._inside(address) or deepest.get(address, -1) >= state.depth:
                continue
            if state.depth >= STACK_TOP:
                walk.unknown.add("a loop that pushes")
                continue
            deepest[address] = state.depth
            waiting.extend(self._step(address, state, walk, start))
        walk.depth = max(deepest.values(), default=0)
        return walk

    def _inside(self, address: int) -> bool:
        return address < len(self.image) and address + LENGTHS[self.image[address]] <= len(
            self.image
        )

    def _step(
        self, address: int, state: _State, walk: Walk, start: int
    ) -> Iterable[tuple[int, _State]]:
        """Yield where the instruction at `address` leads, and the state there."""
        opcode = self.image[address]
        if opcode == JMP_A_DPTR:
            targets = self._jump_table(address, state)
            if not targets:
                walk.calls.add(Call(state.depth, None))
            yield from ((target, _State(state.depth, frame=state.frame)) for target in targets)
            return
        after = self._effect(address, state)
        if after is None:
            if start not in self.stack_switches:
                walk.unknown.add("a change of the stack pointer")
            return
        target = jump_target(self.image, address)
        if is_call(opcode):
            pointer = target == self.call_through_pointer
            walk.calls.add(Call(state.depth, None if pointer else target))
        elif target is not None:
            yield target, after
        if falls_through(opcode):
            yield address + LENGTHS[opcode], after

    def _effect(self, address: int, state: _State) -> _State | None:
        """Return the state after an instruction; None if SP is unknown then.

        Knows the sequences with which sdcc makes room on the stack and gives it back:
        mov a,sp / add a,#n / mov sp,a; mov _bp,sp or mov _bp,a; mov sp,_bp; inc sp; dec sp.
        """
        opcode = self.image[address]
        operand = self.image[address + 1] if LENGTHS[opcode] > 1 else 0
        last = self.image[address + LENGTHS[opcode] - 1]
        known = {SP: state.depth, self.frame_pointer: state.frame}
        if opcode == PUSH:
            return replace(state, depth=state.depth + 1)
        if opcode == POP:
            return _State(state.depth - 1, frame=state.frame, dptr=state.dptr)
        if opcode in (INC_DIRECT, DEC_DIRECT) and operand == SP:
            change = 1 if opcode == INC_DIRECT else -1
            return _State(state.depth + change, frame=state.frame, dptr=state.dptr)
        if opcode == MOV_A_DIRECT:
            return replace(state, accumulator=known.get(operand))
        if opcode == ADD_A_IMMEDIATE and state.accumulator is not None:
            # Taking room of more than 127 bytes looks like giving back more than there is.
            back = state.accumulator + signed(operand)
            return replace(state, accumulator=back if back >= 0 else back + 256)
        if opcode == MOV_DIRECT_A:
            return self._store(operand, state.accumulator, state)
        if opcode == MOV_DIRECT_DIRECT:  # source first in the code
            return self._store(last, known.get(operand), replace(state, accumulator=None))
        if opcode in MOV_DIRECT_REGISTERS:
            return self._store(operand, None, replace(state, accumulator=None))
        dptr = operand << 8 | last if opcode == MOV_DPTR else state.dptr
        changed = opcode == INC_DPTR or is_call(opcode)
        return _State(state.depth, None, state.frame, None if changed else dptr)

    def _store(self, address: int, value: int | None, state: _State) -> _State | None:
        """Return the state after a move of `value` (None: unknown) to a direct address."""
        if address == SP:
            return None if value is None else replace(state, depth=value)
        if address == self.frame_pointer:
            return replace(state, frame=value)
        if address in (DPL, DPH):
            return replace(state, dptr=None)
        return state

    def _jump_table(self, address: int, state: _State) -> list[int]:
        """Return the targets of the computed jump at `address`, as sdcc builds switch tables."""
        image = self.image
        if state.dptr is not None and image[state.dptr : state.dptr + 1]:
            entry, targets = state.dptr, []
            kind = image[entry]
            while kind in (SJMP, LJMP) and self._inside(entry) and image[entry] == kind:
                targets.append(jump_target(image, entry) or 0)
                entry += LENGTHS[kind]
            return targets
        # movc a,@a+pc / mov dph,a / clr a / jmp @a+dptr, then all low bytes, then all high bytes
        if image[address - 4 : address] == b"\x83\xf5\x83\xe4" and image[address - 6] == 0x24:
            low = address + 1
            count = address - 3 + image[address - 5] - low
            high = low + count
            return [
                a | b << 8
                for a, b in zip(image[low:high], image[high : high + count], strict=False)
            ]
        return []
