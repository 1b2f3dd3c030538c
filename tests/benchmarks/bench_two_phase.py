"""Two-phase search: 200 uniformly random cubes, beside PyPI's kociemba.

CPU time of one core, in one run on the same cubes; each solution is replayed before it counts.
The first three take turns, and of each cube the least of their times counts, since other programs
on the machine lengthen CPU times as well.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import mean, median, quantiles

from solvers.foundation.progress import run_job
from solvers.rubik.cubies import CubieCube
from solvers.rubik.facelets import format_facelets
from solvers.rubik.notation import Move, parse_moves
from solvers.rubik.scramble import random_state
from solvers.rubik.two_phase.solver import solve, warm_up
from solvers.rubik.two_phase.tables import SearchTables, build_exact_tables
from tests.benchmarks.record import import_rival

CUBES = 200
SLOW_CUBES = 40
ROUNDS = 5
FIRST_SEED = 1

Solver = Callable[[CubieCube], tuple[Move, ...]]


@dataclass(frozen=True)
class Row:
    """Times and lengths of one way to solve all the cubes."""

    name: str
    times_ms: list[float]
    lengths: list[int]

    def __str__(self) -> str:
        times = (mean(self.times_ms), median(self.times_ms), percentile_99(self.times_ms))
        cells = [self.name, *(f"{value:.2f}" for value in times)]
        cells += [
            f"{mean(self.lengths):.2f}",
            f"{median(self.lengths):.0f}",
            f"{percentile_99(self.lengths):.0f}",
            str(max(self.lengths)),
        ]
        return f"| {' | '.join(cells)} |"


def percentile_99(values: list[float] | list[int]) -> float:
    """Return the 99th percentile."""
    return quantiles(values, n=100, method="inclusive")[98]


def measure(name: str, solver: Solver, cubes: list[CubieCube]) -> Row:
    """Solve all cubes and replay the solutions."""
    times_ms, lengths = [], []
    for cube in cubes:
        before = time.process_time()
        moves = solver(cube)
        times_ms.append(1000 * (time.process_time() - before))
        lengths.append(len(moves))
        if not cube.apply(moves).is_solved:
            raise AssertionError(f"{name} gave a wrong solution of {format_facelets(cube)}")
    return Row(name, times_ms, lengths)


def in_turns(solvers: dict[str, Solver], cubes: list[CubieCube]) -> list[Row]:
    """Measure all solvers in turn, several times; return the least time of each cube."""
    rounds = [
        [measure(name, solver, cubes) for name, solver in solvers.items()] for _ in range(ROUNDS)
    ]
    return [
        Row(
            rows[0].name,
            [min(times) for times in zip(*(row.times_ms for row in rows), strict=True)],
            rows[0].lengths,
        )
        for rows in zip(*rounds, strict=True)
    ]


def within(max_moves: int, tables: SearchTables) -> Solver:
    """Return a solver that stops at its first solution of that length."""
    return lambda cube: (
        next(
            solve(
                cube, max_moves=max_moves, time_limit_s=600, clock=time.process_time, tables=tables
            )
        ).moves
    )


def best_in(time_s: float, tables: SearchTables) -> Solver:
    """Return a solver that uses all of its time."""
    return lambda cube: (
        list(solve(cube, time_limit_s=time_s, clock=time.process_time, tables=tables))[-1].moves
    )


def rival(cube: CubieCube) -> tuple[Move, ...]:
    """Solve with PyPI's kociemba and its defaults."""
    return parse_moves(import_rival("kociemba").solve(format_facelets(cube)))


def run() -> str:
    """Return the table of all solvers."""
    run_job(warm_up())
    tables = run_job(build_exact_tables())
    cubes = [random_state(FIRST_SEED + number) for number in range(CUBES)]
    rival(cubes[0])
    rows = [
        *in_turns(
            {
                "kociemba, its defaults": rival,
                "ours, at most 21 moves": within(21, tables),
                "ours, at most 20 moves": within(20, tables),
            },
            cubes,
        ),
        measure("ours, 10 ms", best_in(0.01, tables), cubes),
        measure("ours, 100 ms", best_in(0.1, tables), cubes),
        measure(f"ours, 1 s (first {SLOW_CUBES} cubes)", best_in(1.0, tables), cubes[:SLOW_CUBES]),
    ]
    ratio = mean(rows[0].times_ms) / mean(rows[1].times_ms)
    ratio_20 = mean(rows[0].times_ms) / mean(rows[2].times_ms)
    head = "| solver | mean ms | median ms | p99 ms | mean moves | median | p99 | max |"
    table = "\n".join([head, "|---|---|---|---|---|---|---|---|", *map(str, rows)])
    return (
        f"Cubes: `random_state({FIRST_SEED})` to `random_state({FIRST_SEED + CUBES - 1})`; "
        f"both exact tables; times include replaying. The first three rows: the least of {ROUNDS} "
        f"times a cube, in turns.\n\n{table}\n\n"
        f"kociemba's mean time is {ratio:.0f} times ours for at most 21 moves, "
        f"{ratio_20:.0f} times ours for at most 20."
    )
