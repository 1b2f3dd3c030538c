"""Memory budget of a linked program: code, xdata, internal RAM and the worst case of the stack.

Sizes come from the linker's reports (.mem, .map), the stack from the machine code.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from firmware_tools.boards.facts import Board, LibraryFacts, Memory
from firmware_tools.errors import InvalidImageError, ToolchainError
from firmware_tools.flashing import load_image
from solvers.foundation.typed_files import read_json

_STACK = re.compile(r"Stack starts at: 0x([0-9a-f]{1,8})")
_AREA = re.compile(
    r"^\s+(PAGED EXT\. RAM|EXTERNAL RAM|ROM/EPROM/FLASH)\s.*?([0-9]{1,9})\s+([0-9]{1,9})\s*$", re.M
)
_SYMBOL = re.compile(r"^C:\s+([0-9A-F]{8})\s+(\S+)\s+(\S+)", re.M)
_DATA_SYMBOL = re.compile(r"^\s{5}([0-9A-F]{8})\s{2}(\S+)", re.M)
_REL_AREA = re.compile(r"^A (\w+) size ([0-9A-F]+) flags", re.M)
# Names that stand for code: a global (_name), and a static function's debug name (Fmodule$name$..)
_STATIC_FUNCTION = re.compile(r"^F\w+\$(\w+)\$0[_0]*\$0$")
# sdcc names string literals the same way, at the end of their module's code.
_TEXT = re.compile(r"__str_[0-9]+")
XDATA_AREAS = ("XSEG", "XISEG", "XABS", "PSEG")


@dataclass(frozen=True)
class MemorySizes:
    """Sizes in bytes, as linked."""

    code: int
    xdata: int
    stack_start: int  # address of the first stack byte in internal RAM


def parse_mem(text: str) -> MemorySizes:
    """Return the sizes in the text of a .mem file."""
    stack = _STACK.search(text)
    areas = {name: int(size) for name, size, _ in _AREA.findall(text)}
    if stack is None or len(areas) < 2:
        raise ToolchainError("The linker's memory report cannot be read: is this sdcc 4?")
    return MemorySizes(
        code=areas["ROM/EPROM/FLASH"],
        xdata=areas["EXTERNAL RAM"] + areas.get("PAGED EXT. RAM", 0),
        stack_start=int(stack[1], 16),
    )


def object_xdata_bytes(rel_texts: Iterable[str]) -> int:
    """Return the bytes of xdata that the objects with these texts (.rel) define."""
    return sum(
        int(size, 16)
        for text in rel_texts
        for area, size in _REL_AREA.findall(text)
        if area in XDATA_AREAS
    )


@dataclass(frozen=True)
class Function:
    """A symbol in code memory."""

    address: int
    name: str  # as in C, without the underscore
    module: str


@dataclass(frozen=True)
class SymbolTable:
    """Code symbols by address, and the addresses of all symbols by their assembler name."""

    functions: tuple[Function, ...]
    addresses: dict[str, int]
    _starts: tuple[int, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_starts", tuple(f.address for f in self.functions))

    def at(self, address: int) -> Function:
        """Return the function that contains `address`."""
        index = bisect_right(self._starts, address) - 1
        return self.functions[index] if index >= 0 else Function(0, "start-up code", "crt")

    def named(self, name: str) -> Function | None:
        """Return the function called `name` in C."""
        return next((f for f in self.functions if f.name == name), None)


def parse_map(text: str) -> SymbolTable:
    """Return the symbols in the text of a .map file."""
    functions: dict[int, Function] = {}
    addresses: dict[str, int] = {}
    for digits, symbol, module in _SYMBOL.findall(text):
        address = int(digits, 16)
        addresses.setdefault(symbol, address)
        name = _function_name(symbol)
        if name is not None:
            functions.setdefault(address, Function(address, name, module))
    for digits, symbol in _DATA_SYMBOL.findall(text):
        addresses.setdefault(symbol, int(digits, 16))
    return SymbolTable(tuple(sorted(functions.values(), key=lambda f: f.address)), addresses)


def _function_name(symbol: str) -> str | None:
    static = _STATIC_FUNCTION.match(symbol)
    if static:
        return None if _TEXT.fullmatch(static[1]) else static[1]
    if "$" in symbol or symbol.startswith(("s_", "l_", ".")):
        return None  # debug lines; starts and lengths of areas
    return symbol.removeprefix("_")


# Worst-case stack of a linked program: the deepest chain of calls, plus each interrupt once.
#
# It is read from machine code, because the compiler's run-time library has no listing. What cannot
# be known is named instead of guessed: recursion, calls through a pointer to something outside the
# program, and stack pointers set to computed values.


# One digit per opcode, one line per high nibble.
_LENGTHS = (
    "1231121111111111"
    "3231121111111111"
    "3211221111111111"
    "3211221111111111"
    "2223221111111111"
    "2223221111111111"
    "2223221111111111"
    "2221232222222222"
    "2221132222222222"
    "3221221111111111"
    "2221112222222222"
    "2221333333333333"
    "2221121111111111"
    "2221131122222222"
    "1211121111111111"
    "1211121111111111"
)
LENGTHS = tuple(int(digit) for digit in _LENGTHS)

LJMP, LCALL, RET, RETI, SJMP, JMP_A_DPTR = 0x02, 0x12, 0x22, 0x32, 0x80, 0x73
AJMP_BITS, ACALL_BITS = 0x01, 0x11  # low five bits; the upper three belong to the address
# Branches whose last byte is a signed distance: JBC JB JNB JC JNC JZ JNZ, CJNE, DJNZ.
BRANCHES = frozenset(
    {0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70, 0xD5, *range(0xB4, 0xC0), *range(0xD8, 0xE0)}
)


def signed(byte: int) -> int:
    """Return a byte as a two's-complement number."""
    return byte - 256 if byte > 127 else byte


def jump_target(image: bytes, address: int) -> int | None:
    """Return where the jump, branch or call at `address` leads; None if it is none or computed."""
    opcode = image[address]
    following = address + LENGTHS[opcode]
    if opcode in (LJMP, LCALL):
        return image[address + 1] << 8 | image[address + 2]
    if opcode & 0x1F in (AJMP_BITS, ACALL_BITS):
        return (following & 0xF800) | (opcode >> 5) << 8 | image[address + 1]
    if opcode == SJMP or opcode in BRANCHES:
        return (following + signed(image[following - 1])) & 0xFFFF
    return None


def is_call(opcode: int) -> bool:
    """Return whether the opcode is LCALL or ACALL."""
    return opcode == LCALL or opcode & 0x1F == ACALL_BITS


def falls_through(opcode: int) -> bool:
    """Return whether the next instruction may follow."""
    leaves = (LJMP, RET, RETI, SJMP, JMP_A_DPTR)
    return opcode not in leaves and opcode & 0x1F != AJMP_BITS


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
    """Stack use and calls of one function."""

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
    """Follows the machine code of functions of one image: branches, PUSH, POP, calls, moves to SP.

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


RETURN_ADDRESS_BYTES = 2
FIRST_VECTOR, VECTOR_DISTANCE = 0x0003, 8
# sdcc's printf calls a wrapper of putchar through a pointer; the wrapper has no symbol.
PRINTF_MODULE, PRINTF_OUTPUT = "printf_large", "putchar"


@dataclass(frozen=True)
class StackUsage:
    """Worst case in bytes; `unknown` names what could not be counted."""

    program_bytes: int
    interrupt_bytes: int
    chain: tuple[str, ...]  # the deepest chain of calls, by name
    recursion: tuple[str, ...]
    unknown: tuple[str, ...]

    @property
    def total_bytes(self) -> int:
        """Return the stack in use at the worst moment, as far as it can be counted."""
        return self.program_bytes + self.interrupt_bytes

    @property
    def bounded(self) -> bool:
        """Return whether the count is certain to be the worst case."""
        return not self.recursion and not self.unknown


@dataclass(frozen=True)
class _Chain:
    depth: int
    functions: tuple[int, ...]


class CallGraph:
    """Deepest chains of calls from any function; collects recursion and unknowns on the way."""

    def __init__(
        self, walk: Callable[[int], Walk], pointed_at: Callable[[int], Sequence[int] | None]
    ) -> None:
        self._walk = walk
        self._pointed_at = pointed_at
        self._known: dict[int, _Chain] = {}
        self.cycles: set[tuple[int, ...]] = set()
        self.unknown: set[tuple[int, str]] = set()

    def deepest(self, function: int, callers: tuple[int, ...] = ()) -> _Chain:
        """Return the deepest chain that starts with `function`."""
        if function in self._known:
            return self._known[function]
        walk = self._walk(function)
        self.unknown.update((function, what) for what in walk.unknown)
        best = _Chain(walk.depth, (function,))
        path = (*callers, function)
        for call in walk.calls:
            targets = (call.target,) if call.target is not None else self._pointed_at(function)
            if targets is None:
                self.unknown.add((function, "a call through a pointer"))
                continue
            for target in targets:
                if target in path:
                    self.cycles.add(path[path.index(target) :])
                    continue
                inner = self.deepest(target, path)
                depth = call.depth + RETURN_ADDRESS_BYTES + inner.depth
                if depth > best.depth:
                    best = _Chain(depth, (function, *inner.functions))
        self._known[function] = best
        return best


def analyse_stack(
    image: bytes, symbols: SymbolTable, pointed_at: Iterable[str], library: LibraryFacts
) -> StackUsage:
    """Return the worst-case stack of the program in `image`.

    `pointed_at` names the program's functions whose address it uses: calls through a pointer may
    reach them, and so may process_start.
    """
    by_name = {function.name: function for function in symbols.functions}
    graph = _graph(image, symbols, by_name, pointed_at, library)
    roots = ["main"] + ([*pointed_at] if "process_start" in by_name else [])
    chains = [graph.deepest(by_name[name].address) for name in roots if name in by_name]
    deepest = max(chains, key=lambda chain: chain.depth)
    interrupts = [graph.deepest(handler).depth for handler in _interrupt_handlers(image)]
    return StackUsage(
        program_bytes=RETURN_ADDRESS_BYTES + deepest.depth,
        interrupt_bytes=sum(RETURN_ADDRESS_BYTES + depth for depth in interrupts),
        chain=_names(symbols, deepest.functions),
        recursion=tuple(
            sorted(" -> ".join(symbols.at(a).name for a in (*c, c[0])) for c in graph.cycles)
        ),
        unknown=tuple(sorted(f"{what} in {symbols.at(a).name}" for a, what in graph.unknown)),
    )


def _graph(
    image: bytes,
    symbols: SymbolTable,
    by_name: dict[str, Function],
    pointed_at: Iterable[str],
    library: LibraryFacts,
) -> CallGraph:
    def addresses(names: Iterable[str]) -> tuple[int, ...]:
        return tuple(by_name[name].address for name in names if name in by_name)

    walker = FunctionWalker(
        image,
        frame_pointer=symbols.addresses.get("_bp"),
        call_through_pointer=symbols.addresses.get("__sdcc_call_dptr"),
        stack_switches=frozenset(addresses(library.tick_calls)),
    )
    reached = {
        "library": addresses(library.tick_calls),
        PRINTF_MODULE: addresses((PRINTF_OUTPUT,)),
        "program": addresses(pointed_at),
    }

    def pointer_targets(caller: int) -> tuple[int, ...] | None:
        module, name = symbols.at(caller).module, symbols.at(caller).name
        if name in library.tick_calls:  # one calls those that stand behind it
            return addresses(library.tick_calls[library.tick_calls.index(name) + 1 :])
        if module.startswith(library.prefix):
            return reached["library"]  # none if neither infrared nor processes are linked
        return reached.get(module, reached["program"]) or None

    return CallGraph(walker.walk, pointer_targets)


def _names(symbols: SymbolTable, addresses: Iterable[int]) -> tuple[str, ...]:
    """Return the functions' names; a function's local subroutines count as itself."""
    names = [symbols.at(address).name for address in addresses]
    return tuple(name for i, name in enumerate(names) if i == 0 or name != names[i - 1])


def _interrupt_handlers(image: bytes) -> list[int]:
    """Return where the interrupt vectors in use lead; sdcc writes RETI into the others."""
    handlers = []
    vector = FIRST_VECTOR
    while vector + 2 < len(image) and image[vector] in (LJMP, RETI):
        target = jump_target(image, vector)
        if target is not None:
            handlers.append(target)
        vector += VECTOR_DISTANCE
    return handlers


# The budget table: bytes used of each of the board's memories.


REPORT_SUFFIX = ".size.json"


@dataclass(frozen=True)
class BudgetRow:
    """One kind of memory, in bytes."""

    name: str
    used: int
    limit: int
    note: str = ""

    @property
    def over(self) -> bool:
        """Return whether the program needs more than there is."""
        return self.used > self.limit


@dataclass(frozen=True)
class SizeReport:
    """The budget table of one program."""

    program: str
    board: str
    rows: tuple[BudgetRow, ...]
    stack: StackUsage | None  # None if the program could not be linked

    @property
    def over_budget(self) -> bool:
        """Return whether any row is over its limit."""
        return any(row.over for row in self.rows)


def budget(
    memory: Memory, sizes: MemorySizes, program_xdata_bytes: int, stack: StackUsage | None
) -> tuple[BudgetRow, ...]:
    """Return the rows of the table."""
    library = max(0, sizes.xdata - program_xdata_bytes)
    stack_limit = memory.idata_bytes - sizes.stack_start
    rows = [
        BudgetRow("code", sizes.code, memory.code_bytes),
        BudgetRow("xdata", sizes.xdata, memory.xdata_bytes, f"{library} of them the library's"),
        BudgetRow(
            "internal RAM",
            sizes.stack_start,
            memory.idata_bytes,
            "register banks and variables; the stack has the rest",
        ),
    ]
    if stack is not None:
        certain = "" if stack.bounded else "at least; see below"
        note = certain or f"{stack.interrupt_bytes} of them for interrupts"
        rows.append(BudgetRow("stack, worst case", stack.total_bytes, stack_limit, note))
    return tuple(rows)


def read_report(path: Path) -> SizeReport:
    """Return the report that a build wrote. Raises InvalidImageError if it cannot be read."""
    try:
        return read_json(path, SizeReport, "The size report", InvalidImageError)
    except InvalidImageError as error:
        raise InvalidImageError(f"{error} Build the program again.") from error


def measure(path: Path, board: Board) -> list[SizeReport]:
    """Return the reports of the image `path`, or of every program built into the folder `path`.

    Of an image without its build's report only the code size can be said.
    Raises InvalidImageError if there is nothing to measure.
    """
    if path.is_dir():
        reports = sorted(path.glob(f"*{REPORT_SUFFIX}"))
        if not reports:
            raise InvalidImageError(f"No program was built into {path}.")
        return [read_report(report) for report in reports]
    image = load_image(path, board)
    report = path.with_name(path.stem + REPORT_SUFFIX)
    if report.is_file():
        return [read_report(report)]
    row = BudgetRow("code", image.used_bytes, board.memory.code_bytes)
    return [SizeReport(path.stem, board.title, (row,), None)]
