"""Worst-case stack of a linked program: the deepest chain of calls, plus each interrupt once.

What cannot be known is named instead of guessed: recursion, calls through a pointer to something
outside the program, and stack pointers set to computed values.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from firmware_tools.boards.facts import LibraryFacts
from firmware_tools.sizes.function_walk import FunctionWalker, Walk
from firmware_tools.sizes.instruction_lengths import LJMP, RETI, jump_target
from firmware_tools.sizes.link_report import Function, SymbolTable

RETURN_ADDRESS_BYTES = 2
FIRST_VECTOR, VECTOR_DISTANCE = 0x0003, 8
# sdcc's printf calls a wrapper of putchar through a pointer; the wrapper has no symbol of its own.
PRINTF_MODULE, PRINTF_OUTPUT = "printf_large", "putchar"


@dataclass(frozen=True)
class StackUsage:
    """Worst case in bytes; `unknown` says in words what could not be counted."""

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
