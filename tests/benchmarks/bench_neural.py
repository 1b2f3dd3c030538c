"""The 8-puzzle by a neural network on the AKSEN board

The lengths are those of all 1 632 960 pairs by the model of the inference in numpy, which the
images on the simulated chip are compared with here: ratings of every position, and whole pairs.
"""

import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from firmware_tools.boards.facts import load_board
from firmware_tools.building.build import build
from firmware_tools.building.program import applications_folder, find_program
from firmware_tools.puzzle8.network import (
    UNIT_BYTES,
    Network,
    centre_positions,
    read_network,
    shipped_network_path,
    solve,
)
from firmware_tools.puzzle8.training import UNITS, PairReport, measure_pairs, train
from firmware_tools.sizes import SizeReport
from solvers.foundation.progress import run_job
from solvers.sliding_tile.board import parse_board
from tests.benchmarks.puzzle8_runner import (
    GAVE_UP,
    SolveEntry,
    random_pairs,
    replay,
)

OTHER_UNITS = (32, 64)
PAIRS = 500
TABLE_BYTES = 3 * 20_160 * 2 // 8  # blank in a corner, on an edge, in the centre; 2 bits a position
_NO_SOLVER = """
#include "solver.h"
const CODE char solver_name[] = "none";
const CODE char solver_tables[] = "none";
const CODE unsigned char solver_is_short = 0;
const CODE unsigned char solver_step_width = 1;
unsigned char solve(void)
{
    first_move = moves + 1;
    return GAVE_UP;
}
"""


def run() -> str:
    """Return the section."""
    with tempfile.TemporaryDirectory() as folder:
        return _section(Path(folder))


def _section(folder: Path) -> str:
    shipped = read_network(shipped_network_path())
    empty = _image_bytes_without_solver(folder)
    rating = _compare_every_rating(SolveEntry("neural", folder), shipped)
    trained = {units: _train(units) for units in (UNITS, *OTHER_UNITS)}
    same = "the same" if trained[UNITS][0].rows == shipped.rows else "another network"
    everything = measure_pairs(shipped.choices())
    if everything.solved < everything.pairs or everything.excess > 1.01 or everything.longest > 34:
        raise AssertionError(f"the shipped network: {everything}")
    space = centre_positions()
    perfect = measure_pairs(np.argsort(~space.optimal, axis=1, kind="stable"))
    pairs = random_pairs(PAIRS, seed=31)
    rows = [_row("neural", everything, folder, empty, pairs, shipped)]
    for name in ("policy", "policy-small", "astar", "astar-repeated"):
        rows.append(_row(name, None, folder, empty, pairs, None))
    rows.append(
        f"| exact moves of the centre goal (not built) | {_lengths(perfect)} | | "
        f"{TABLE_BYTES:,} for the table | | | |"
    )
    sizes = [
        f"| {units} | {units * UNIT_BYTES:,} | {_lengths(report)} | {seconds:.0f} |"
        for units, (_, report, seconds) in sorted(trained.items())
    ]
    return "\n".join(
        [
            "Lengths over all 1 632 960 solvable pairs for `neural` and the exact table, over "
            f"{PAIRS} random ones for `astar` (12 moves at most) and `astar-repeated`; the other "
            "two are optimal for every pair (section above). Cycles of a pair are those of "
            f"{PAIRS} random pairs on the simulated chip; every answer of `neural` there is the "
            "model's. The paper's iterative deepening takes 471 million cycles for 18 moves. Bytes "
            f"of the solver are what the image has over one that solves nothing ({empty:,}).",
            "",
            "| program | solved | mean of the shortest length | longest | cycles a pair, mean "
            "| code and tables of the solver | image bytes | cycles a step, worst "
            "| cycles a pair, worst |",
            "|---|---|---|---|---|---|---|---|---|",
            *rows,
            "",
            f"Rating the moves of a position takes {rating:,} cycles at worst, over all 181 440 "
            "positions on the simulated chip; all ratings are the model's. A step is that, the "
            "mask, the guard against circles and the move.",
            "",
            "Training from nothing, and what comes of it:",
            "",
            "| units | weights, bytes | solved | mean of the shortest length | longest | CPU s |",
            "|---|---|---|---|---|---|",
            *sizes,
            "",
            f"With the shipped network's {UNITS} units and seed, this gave {same} as shipped.",
        ]
    )


def _image_bytes_without_solver(folder: Path) -> int:
    stub = folder / "no_solver.c"
    stub.write_text(_NO_SOLVER, encoding="ascii")
    apps = applications_folder() / "puzzle8"
    names = [str(apps / name) for name in ("main.c", "board_console.c", "task.c")]
    return _code(build(find_program([*names, str(stub)]), load_board(), folder).report)


def _code(report: SizeReport) -> int:
    return next(row.used for row in report.rows if row.name == "code")


def _compare_every_rating(entry: SolveEntry, network: Network) -> int:
    """Return the worst cycles of a rating; every one is compared with the model's."""
    space, worst = centre_positions(), 0
    ratings = network.ratings(space.inputs)[1]
    for position, tiles in enumerate(space.tiles):
        if position % 20_000 == 0:
            print(f"neural: position {position:,} of 181,440", file=sys.stderr, flush=True)
        found, cycles = entry.rate(np.argsort(tiles).tolist())
        if found != ratings[space.images[position]].tolist():
            raise AssertionError(f"position {position}: {found}")
        worst = max(worst, cycles)
    return worst


def _train(units: int) -> tuple[Network, PairReport, float]:
    print(f"neural: train {units} units", file=sys.stderr, flush=True)
    started = time.process_time()
    network = run_job(train(units)).network
    seconds = time.process_time() - started
    return network, measure_pairs(network.choices()), seconds


def _lengths(report: PairReport) -> str:
    return f"{report.solved / report.pairs:.0%} | {report.excess:.4f} | {report.longest}"


def _row(
    name: str,
    everything: PairReport | None,
    folder: Path,
    empty: int,
    pairs: list[tuple[str, str, int]],
    network: Network | None,
) -> str:
    print(f"neural: {name} on the chip", file=sys.stderr, flush=True)
    entry = SolveEntry(name, folder)
    plain = [entry.solve(*pair[:2], step_width=12) for pair in pairs]
    lengths, shortest, step = [], 0, 0
    for (start, goal, distance), found in zip(pairs, plain, strict=True):
        if found.count != GAVE_UP:
            if replay(start, found.moves) != goal:
                raise AssertionError(f"{name} {start} {goal}: {found}")
            lengths.append(found.count)
            shortest += distance
        if network and found.moves != solve(network, parse_board(start), parse_board(goal)):
            raise AssertionError(f"{name} {start} {goal}: {found} is not the model's answer")
    if network:
        entry.watch("_step")
        for start, goal, _ in pairs:
            entry.solve(start, goal)
            step = max(step, *entry.step_cycles) if entry.step_cycles else step
    if everything is not None:
        quality = _lengths(everything)
    else:
        solved = len(lengths) / len(pairs)
        quality = f"{solved:.1%} | {sum(lengths) / max(shortest, 1):.4f} | {max(lengths)}"
    cycles = [found.cycles for found in plain]
    code, worst_step = _code(entry.report), f" {step:,}" if step else ""
    return (
        f"| `{name}` | {quality} | {sum(cycles) / len(cycles):,.0f} "
        f"| {code - empty:,} | {code:,} |{worst_step} | {max(cycles):,} |"
    )
