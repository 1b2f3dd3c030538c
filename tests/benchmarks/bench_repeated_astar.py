"""The 8-puzzle by repeated A* on the AKSEN board

Random pairs through the C files built for the host, some of them on the simulated chip as well.
"""

import subprocess
import tempfile
from pathlib import Path

from firmware_tools.puzzle8.protocol import Answer, Outcome, Puzzle8Algorithm, parse_answer
from firmware_tools.puzzle8.session import host_program
from tests.benchmarks.puzzle8_runner import Pairs, SolveEntry, random_pairs, replay

PAIRS = 20_000
PAIRS_ON_CHIP = 60


def run() -> str:
    """Return the section."""
    pairs = random_pairs(PAIRS, seed=32)
    answers, excess = solve_on_host(pairs)
    if excess > 1.25:
        raise AssertionError(f"{excess:.3f} of the shortest length")
    lengths = [len(answer.moves) for answer in answers]
    with tempfile.TemporaryDirectory() as folder:
        entry = SolveEntry("astar-repeated", Path(folder))
    cycles = []
    for (start, goal, _), answer in zip(pairs[:PAIRS_ON_CHIP], answers, strict=False):
        found = entry.solve(start, goal)
        if found.moves != answer.moves:
            raise AssertionError(f"{start} {goal}: {found} on the chip, {answer} on the host")
        cycles.append(found.cycles)
    return (
        f"{PAIRS:,} random solvable pairs with the C files built for the host, each path "
        f"replayed; the first {PAIRS_ON_CHIP} on the simulated chip, with the same answers. "
        "1 000 000 cycles are a second. `astar` ends at 12 moves, and so gives up on 99 % of "
        "such pairs (section on the network).\n\n"
        "| program | solved within 60 moves | mean of the shortest length | longest "
        "| cycles a pair, mean | cycles a pair, worst | image bytes |\n"
        "|---|---|---|---|---|---|---|\n"
        f"| `astar-repeated` | {len(lengths) / len(pairs):.0%} | {excess:.4f} | {max(lengths)} "
        f"| {sum(cycles) / len(cycles):,.0f} | {max(cycles):,} | {entry.image_bytes:,} |"
    )


def solve_on_host(pairs: Pairs) -> tuple[list[Answer], float]:
    """Return the answers, and the mean length over that of shortest solutions.

    Raises AssertionError unless every pair is solved; paths are replayed.
    """
    lines = "".join(f"{start} {goal}\n" for start, goal, _ in pairs)
    program = host_program(Puzzle8Algorithm.ASTAR_REPEATED)
    answered = subprocess.run([program], input=lines, capture_output=True, text=True, check=True)
    answers = [parse_answer(line) for line in answered.stdout.splitlines()]
    for (start, goal, _), answer in zip(pairs, answers, strict=True):
        if answer.outcome is not Outcome.PATH or replay(start, answer.moves) != goal:
            raise AssertionError(f"{start} {goal}: {answer}")
    found = sum(len(answer.moves) for answer in answers)
    return answers, found / sum(distance for _, _, distance in pairs)
