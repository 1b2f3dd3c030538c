"""Every start of one goal through a solve entry, in compiled code beside the simulated chip."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from numba import njit

from hardware_sims.mcs51 import chip_state as slot
from hardware_sims.mcs51.chip_state import ChipState
from hardware_sims.mcs51.kernel import run
from solvers.sliding_tile.whole_space import distances_to
from tests.benchmarks.puzzle8_runner import SolveEntry, goal_with_blank, unrank

CELLS = 9
POSITIONS = 362_880
# Columns of the totals, one row for each cell of the start's blank.
PAIRS, CYCLES, WORST, WORST_NUMBER, REFUSED, WRONG = range(6)
_LIMIT = 1_000_000
_PC, _CYCLE_COUNT, _SKIP, _BREAK = slot.PC, slot.CYCLES, slot.SKIP_BREAK, slot.EXIT_BREAK
_UNSOLVABLE, _UNREACHED = 255, 255
_U, _D, _L, _R = (ord(letter) for letter in "udlr")

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Totals:
    """What the starts with the blank in one cell gave."""

    goal_blank: int
    start_blank: int
    pairs: int
    cycles: int
    worst: int
    worst_pair: str
    refused: int
    wrong: int


def all_starts(entry: SolveEntry, goal_blank: int) -> list[Totals]:
    """Solve all 362 880 starts of one goal; half of them must be refused."""
    totals = np.zeros((CELLS, 6), dtype=np.int64)
    goal = goal_with_blank(goal_blank)
    letters = np.frombuffer(goal.encode(), dtype=np.uint8).astype(np.int64)
    _run_all(entry.chip_state, entry.call, letters, goal_blank, distances_to(goal_blank), totals)
    return [
        Totals(
            goal_blank,
            cell,
            int(row[PAIRS]),
            int(row[CYCLES]),
            int(row[WORST]),
            f"{unrank(int(row[WORST_NUMBER]), goal_blank)}>{goal}",
            int(row[REFUSED]),
            int(row[WRONG]),
        )
        for cell, row in enumerate(totals)
    ]


@njit(cache=True)
def _unrank(number: int, tiles: Ints) -> None:
    for i in range(8, -1, -1):
        tiles[i] = number % (9 - i)
        number //= 9 - i
    for i in range(7, -1, -1):
        for j in range(i + 1, 9):
            if tiles[j] >= tiles[i]:
                tiles[j] += 1


@njit(cache=True)
def _leads_home(tiles: Ints, blank: int, moves: Ints) -> bool:
    """Tell whether the moves (letters) put every tile into its own cell; changes `tiles`."""
    for move in moves:
        if move == _U and blank > 2:
            target = blank - 3
        elif move == _D and blank < 6:
            target = blank + 3
        elif move == _L and blank % 3 > 0:
            target = blank - 1
        elif move == _R and blank % 3 < 2:
            target = blank + 1
        else:
            return False
        tiles[blank], tiles[target] = tiles[target], tiles[blank]
        blank = target
    return bool(np.all(tiles == np.arange(9)))


@njit(cache=True)
def _run_all(
    chip: ChipState,
    call: tuple[int, int, int, int, int, int, int, int],
    letters: Ints,
    goal_blank: int,
    distances: npt.NDArray[np.uint8],
    totals: Ints,
) -> None:
    entry, back, stack, start, goal, first_move, dpl, sp = call
    memory, scalars = chip.internal, chip.scalars
    tiles = np.empty(9, dtype=np.int64)
    for number in range(362_880):
        _unrank(number, tiles)
        blank = 0
        for cell in range(9):
            memory[start + cell] = letters[tiles[cell]]
            memory[goal + cell] = letters[cell]
            if tiles[cell] == goal_blank:
                blank = cell
        memory[sp] = stack
        memory[stack - 1] = back & 0xFF
        memory[stack] = back >> 8
        scalars[_PC] = entry
        scalars[_SKIP] = -1
        before = scalars[_CYCLE_COUNT]
        finished = run(chip, before + _LIMIT) == _BREAK
        cycles = scalars[_CYCLE_COUNT] - before
        count = memory[dpl]
        row = totals[blank]
        if distances[number] == _UNREACHED:
            row[REFUSED] += 1
            row[WRONG] += not finished or count != _UNSOLVABLE
            continue
        first = memory[first_move]
        right = finished and count == distances[number]
        if not right or not _leads_home(tiles, blank, memory[first : first + count]):
            row[WRONG] += 1
        row[PAIRS] += 1
        row[CYCLES] += cycles
        if cycles > row[WORST]:
            row[WORST] = cycles
            row[WORST_NUMBER] = number
