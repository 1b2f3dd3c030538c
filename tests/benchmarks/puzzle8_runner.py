"""Runs the solve entry of a puzzle8 image, as it was built for the board, on the simulated chip.

Start-up code and main program run up to the first call of solve(): the silent line makes them take
the compiled-in example. From there on every task is one call: the boards are put into internal RAM,
the program counter is set to the entry, and the chip runs until it returns. The machine cycles are
those from the first instruction of solve() to the one after its RET. Interrupts are off, as the
programs themselves have them while a policy solver works.
"""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np

from firmware_tools.boards.facts import load_board
from firmware_tools.building.build import build, require_within_budget
from firmware_tools.puzzle8.protocol import Puzzle8Algorithm
from firmware_tools.puzzle8.session import puzzle8_program
from hardware_sims.mcs51 import chip_state as slot
from hardware_sims.mcs51.chip_state import ADDRESSES, ChipState, index_of
from hardware_sims.mcs51.kernel import run
from hardware_sims.mcs51.microcontroller import Microcontroller
from solvers.sliding_tile.whole_space import UNREACHED, distances_to

UNSOLVABLE, GAVE_UP = 255, 254
CELLS = 9
START_UP_CYCLES = 10_000_000
LONGEST_SEARCH_CYCLES = 2_000_000_000
# A global name and its address in the linker's map: code (C:), data (no letter or D:).
_SYMBOL = re.compile(r"^(?:[A-Z]:)?\s+([0-9A-F]{8})\s+(_\w+)", re.M)


Pairs: TypeAlias = list[tuple[str, str, int]]
"""Start, goal and distance."""


@dataclass(frozen=True)
class Run:
    """What one call gave: number of moves (or UNSOLVABLE, GAVE_UP), the moves, the cycles."""

    count: int
    moves: str
    cycles: int


class SolveEntry:
    """The solve() of one image."""

    def __init__(self, algorithm: str, folder: Path, network: Path | None = None) -> None:
        program = puzzle8_program(Puzzle8Algorithm(algorithm), network)
        result = build(program, load_board(), folder)
        self.report = result.report
        image = require_within_budget(result)
        self.image = image
        listing = image.with_suffix(".map").read_text(encoding="latin-1")
        addresses = {name: int(digits, 16) for digits, name in _SYMBOL.findall(listing)}
        self._symbols = addresses
        self._chip = Microcontroller(watch=False)
        self._chip.load(image)
        if not self._chip.run_until(pc=addresses["_solve"], limit_cycles=START_UP_CYCLES):
            raise AssertionError("the program never called solve()")
        self._state = self._chip.state
        self._memory = self._state.internal
        self._stack = self._chip.register("SP")
        self._back = int(self._memory[self._stack - 1]) | int(self._memory[self._stack]) << 8
        self._chip.add_breakpoint(self._back)
        self._memory[index_of(ADDRESSES["IEN0"])] = 0
        self.step_cycles: list[int] = []

    @property
    def chip_state(self) -> ChipState:
        """Return the chip's memory, for compiled code."""
        return self._state

    @property
    def call(self) -> tuple[int, int, int, int, int, int, int, int]:
        """Return entry, return address, stack, and where start, goal, first move, DPL, SP are."""
        symbols = self._symbols
        return (
            symbols["_solve"],
            self._back,
            self._stack,
            symbols["_start"],
            symbols["_goal"],
            symbols["_first_move"],
            index_of(ADDRESSES["DPL"]),
            index_of(ADDRESSES["SP"]),
        )

    def solve(
        self, start: str, goal: str, *, step_width: int = 1, parent_heuristic: bool = False
    ) -> Run:
        """Call solve() with these boards (nine letters each)."""
        memory, symbols = self._memory, self._symbols
        memory[symbols["_start"] : symbols["_start"] + CELLS] = list(start.encode())
        memory[symbols["_goal"] : symbols["_goal"] + CELLS] = list(goal.encode())
        self._chip.xdata[symbols["_step_width"]] = step_width
        self._chip.xdata[symbols["_parent_heuristic"]] = parent_heuristic
        cycles = self._run("_solve")
        count = int(memory[index_of(ADDRESSES["DPL"])])
        first = int(memory[symbols["_first_move"]])
        moves = memory[first : first + count] if count < GAVE_UP else memory[:0]
        return Run(count, moves.astype(np.uint8).tobytes().decode("ascii"), cycles)

    def rate(self, place: Sequence[int]) -> tuple[list[int], int]:
        """Return the ratings of `neural` for a position, and the cycles they took.

        `place` has the cell of each tile, named by its cell in the goal.
        """
        memory, address = self._memory, self._symbols["_place"]
        memory[address : address + CELLS] = place
        cycles = self._run("_rate_moves")
        found = self._symbols["_ratings"]
        ratings = memory[found : found + 8].astype(np.uint8).view("<i2")
        return [int(each) for each in ratings], cycles

    def _run(self, function: str) -> int:
        """Call a function without arguments; return its machine cycles."""
        memory, scalars = self._memory, self._state.scalars
        memory[index_of(ADDRESSES["SP"])] = self._stack
        memory[self._stack - 1 : self._stack + 1] = [self._back & 0xFF, self._back >> 8]
        scalars[slot.PC] = self._symbols[function]
        scalars[slot.SKIP_BREAK] = -1
        before = int(scalars[slot.CYCLES])
        self.step_cycles.clear()
        last = before
        while run(self._state, before + LONGEST_SEARCH_CYCLES) == slot.EXIT_BREAK:
            now = int(scalars[slot.CYCLES])
            self.step_cycles.append(now - last)
            last = now
            if scalars[slot.PC] == self._back:
                return now - before
            scalars[slot.SKIP_BREAK] = now
        raise AssertionError(f"{function} did not return")

    def watch(self, function: str) -> None:
        """Note in `step_cycles`, from the next call on, the cycles between calls of a function."""
        self._chip.add_breakpoint(self._symbols[function])

    @property
    def image_bytes(self) -> int:
        """Return the address behind the last byte of the image."""
        return int(np.flatnonzero(self._state.code_marks & slot.CODE_IN_IMAGE).max()) + 1


def letters(tiles: tuple[int, ...]) -> str:
    """Return a board of tiles 0 to 8, 8 being the blank, as letters."""
    return "".join("abcdefgho"[tile] for tile in tiles)


def goal_with_blank(cell: int) -> str:
    """Return the board with its letters in order and the blank in `cell`."""
    tiles = list("abcdefgh")
    tiles.insert(cell, "o")
    return "".join(tiles)


def unrank(number: int, goal_blank: int) -> str:
    """Return the board with that number in whole_space's order, for the goal above."""
    remaining, tiles = list(range(CELLS)), []
    for divisor in (40320, 5040, 720, 120, 24, 6, 2, 1, 1):
        digit, number = divmod(number, divisor)
        tiles.append(remaining.pop(digit))
    goal = goal_with_blank(goal_blank)
    return "".join(goal[tile] for tile in tiles)


_OFFSETS = {"u": -3, "d": 3, "l": -1, "r": 1}


def random_pairs(count: int, seed: int) -> Pairs:
    """Return start, goal and distance of random solvable pairs."""
    chance = random.Random(seed)
    pairs: Pairs = []
    while len(pairs) < count:
        goal_blank, number = chance.randrange(9), chance.randrange(362_880)
        distance = int(distances_to(goal_blank)[number])
        if distance != UNREACHED:
            pairs.append((unrank(number, goal_blank), goal_with_blank(goal_blank), distance))
    return pairs


def replay(board: str, moves: str) -> str | None:
    """Return the board after the moves, or None if one of them leaves it."""
    cells = list(board)
    blank = board.index("o")
    for move in moves:
        target = blank + _OFFSETS[move]
        if not 0 <= target < CELLS or (move in "lr" and target // 3 != blank // 3):
            return None
        cells[blank], cells[target] = cells[target], "o"
        blank = target
    return "".join(cells)
