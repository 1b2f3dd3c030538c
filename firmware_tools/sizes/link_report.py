"""Readers of the linker's reports: memory sizes (.mem) and symbols (.map)."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field

from firmware_tools.errors import ToolchainError

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
