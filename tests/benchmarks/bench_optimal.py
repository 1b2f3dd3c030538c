"""Shortest solutions, proven, beside Reid's optimal solver.

CPU time of one core, in one run on the same cubes; each solution is replayed. The rival is Michael
Reid's `optimal.c`, of Debian's package `rubiks`, which counts quarter turns there. It counts face
turns, and ends at the first shortest solution as ours does, where its source says so (`deb-src` has
to be among the computer's sources of packages):

    apt-get source --download-only rubiks && tar xf rubiks_*.orig.tar.bz2 && cd rubiks-*/reid
    sed -e '/USE_METRIC/s/QUARTER_TURN_METRIC$/FACE_TURN_METRIC/' \\
        -e '/define *ONE_SOLUTION_ONLY/s/0$/1/' optimal.c > face.c
    cc -O3 -march=native -w -o optimal_face face.c
    RUBIKS_OPTIMAL=$PWD/optimal_face    # for python -m tests.benchmarks optimal

One that counts quarter turns proves something else and is refused. OPTIMAL_CUBES is the number of
cubes and OPTIMAL_MOVES that of the random moves before; after 40 a cube is as good as drawn from
all, and Reid's program takes more than a quarter of an hour for most.

OPTIMAL_RANDOM uniformly random cubes follow, with the large table and without a rival: CPU time of
the whole command, from its start with a table that was built before. On some of them the search
without that table has to agree.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import IO, Final

from solvers.foundation.progress import run_job
from solvers.rubik.cubies import CORNER_NAMES, EDGE_NAMES, SOLVED, CubieCube
from solvers.rubik.facelets import format_facelets
from solvers.rubik.notation import Move, cancel, parse_moves
from solvers.rubik.optimal.large_table import SIZE
from solvers.rubik.optimal.solver import OptimalSolution, solve_optimally
from solvers.rubik.scramble import random_state
from solvers.rubik.two_phase.solver import warm_up
from solvers.rubik.two_phase.tables import build_exact_tables
from tests.benchmarks.record import MissingRivalError
from tests.cpu_time import children_cpu_s

FIRST_SEED: Final = 1
CUBES: Final = int(os.environ.get("OPTIMAL_CUBES", "5"))
MOVES: Final = int(os.environ.get("OPTIMAL_MOVES", "16"))
RANDOM: Final = int(os.environ.get("OPTIMAL_RANDOM", "20"))
WITHOUT_LARGE: Final = 1
"""Random cubes that are also searched without the large table."""

_EDGES: Final = ["UF", "UR", "UB", "UL", "DF", "DR", "DB", "DL", "FR", "FL", "BR", "BL"]
_CORNERS: Final = ["UFR", "URB", "UBL", "ULF", "DRF", "DFL", "DLB", "DBR"]


def scrambled(seed: int) -> CubieCube:
    """Return the cube after MOVES random moves, none of which joins the one before."""
    draw = Random(seed)
    moves: list[Move] = []
    while len(moves) < MOVES:
        moves.append(draw.choice(list(Move)))
        if len(cancel(moves)) < len(moves):
            moves.pop()
    return SOLVED.apply(moves)


def ours(cube: CubieCube) -> tuple[OptimalSolution, float]:
    """Return the solution, proven without the large table, and the CPU seconds of search."""
    tables = run_job(build_exact_tables())
    before = time.process_time()
    report = run_job(solve_optimally(cube, tables=tables, clock=time.process_time))
    seconds = time.process_time() - before
    if not (report.is_proven and cube.apply(report.moves).is_solved):
        raise AssertionError("a solution that is wrong or not proven")
    return report, seconds


class Reid:
    """The rival's process, which builds its tables first and then reads cubes."""

    def __init__(self, program: Path) -> None:
        self._process = subprocess.Popen(
            ["stdbuf", "-o0", str(program)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.counts_face_turns = "face turn" in _line_with(self._out, "metric")
        _line_with(self._out, "enter cube")
        self.table_seconds = self._cpu_seconds()

    @property
    def _out(self) -> IO[str]:
        assert self._process.stdout is not None
        return self._process.stdout

    def solve(self, cube: CubieCube) -> tuple[tuple[Move, ...], float]:
        """Return the first shortest solution and the CPU seconds until it came."""
        assert self._process.stdin is not None
        before = self._cpu_seconds()
        self._process.stdin.write(reid_text(cube) + "\n")
        self._process.stdin.flush()
        text = _line_with(self._out, "f*")
        moves = parse_moves(text[: text.index("(")])
        return moves, self._cpu_seconds() - before

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()

    def _cpu_seconds(self) -> float:
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _line_with(out: IO[str], part: str) -> str:
    text = ""
    while part not in text:
        letter = out.read(1)
        if not letter:
            raise RuntimeError("Reid's program ended before it answered")
        text = letter if text.endswith("\n") else text + letter
    while not text.endswith("\n"):
        text += out.read(1)
        if part == "enter cube" and text.endswith(":"):
            break
    return text


def reid_text(cube: CubieCube) -> str:
    """Return the cube as Reid's program reads it: the colours at each place in its order."""
    words = []
    for name in _EDGES + _CORNERS:
        names, permutation, turned = (
            (EDGE_NAMES, cube.edge_permutation, cube.edge_flip)
            if len(name) == 2
            else (CORNER_NAMES, cube.corner_permutation, cube.corner_twist)
        )
        place = next(i for i, each in enumerate(names) if set(each) == set(name))
        piece = names[permutation[place]]
        sides = len(name)
        seen = {names[place][(side + turned[place]) % sides]: piece[side] for side in range(sides)}
        words.append("".join(seen[face] for face in name))
    return " ".join(words)


def run() -> str:
    """Return the table of all cubes."""
    reid = _start_reid()
    run_job(warm_up())
    lines = [
        "| seed | moves | ours, CPU s | million positions | Reid, CPU s |",
        "|---|---|---|---|---|",
    ]
    times: list[tuple[float, float]] = []
    for seed in range(FIRST_SEED, FIRST_SEED + CUBES):
        cube = scrambled(seed)
        report, seconds = ours(cube)
        moves, rival_seconds = reid.solve(cube)
        if len(moves) != len(report.moves) or not cube.apply(moves).is_solved:
            raise AssertionError("the two solvers do not agree")
        times.append((seconds, rival_seconds))
        lines.append(
            f"| {seed} | {len(report.moves)} | {seconds:.1f} | {report.nodes / 1e6:.0f} "
            f"| {rival_seconds:.1f} |"
        )
    reid.close()
    random_cubes = _random_cubes()
    table = "\n".join(lines)
    ours_mean, rival_mean = (mean(each) for each in zip(*times, strict=True))
    return (
        f"Cubes: {MOVES} random moves from solved, half turns counting as one.\n\n{table}\n\n"
        f"Means: {ours_mean:.1f} s and {rival_mean:.1f} s. Tables: ours are those of the "
        f"two-phase search (35 MB); Reid's takes {reid.table_seconds:.0f} CPU s at each start."
        f"\n\n{random_cubes}"
    )


def _command(*words: str) -> tuple[str, float]:
    """Run `puzzle cube` and return what it prints and its CPU seconds."""
    before = children_cpu_s()
    command = [str(Path(sys.executable).with_name("puzzle")), "cube", *words]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return output, children_cpu_s() - before


def _random_cubes() -> str:
    """Return the table of uniformly random cubes, searched with the large table."""
    _, table_s = _command("prepare", "--large")
    lines = [
        "| seed | moves | large table, CPU s | million positions | without, CPU s |",
        "|---|---|---|---|---|",
    ]
    times = []
    for seed in range(FIRST_SEED, FIRST_SEED + RANDOM):
        cube = random_state(seed)
        output, seconds = _command("solve", "--optimal", "--json", format_facelets(cube))
        answer = json.loads(output)
        moves = parse_moves(answer["moves"])
        if not (answer["optimal"] and cube.apply(moves).is_solved):
            raise AssertionError("a solution that is wrong or not proven")
        without = ""
        if seed < FIRST_SEED + WITHOUT_LARGE:
            other, other_seconds = ours(cube)
            if len(other.moves) != len(moves):
                raise AssertionError("the two tables do not agree")
            without = f"{other_seconds:.1f}"
        times.append(seconds)
        lines.append(
            f"| {seed} | {len(moves)} | {seconds:.1f} | {answer['nodes'] / 1e6:.1f} | {without} |"
        )
    table = "\n".join(lines)
    return (
        f"Uniformly random cubes, with the large table of {SIZE / 1e6:.0f} MB; CPU time of the "
        f"whole command:\n\n{table}\n\n"
        f"Mean: {mean(times):.1f} s, median {median(times):.1f} s. "
        f"Building or loading the table: {table_s:.0f} CPU s."
    )


def _start_reid() -> Reid:
    """Return the rival's process. Raises MissingRivalError."""
    path = os.environ.get("RUBIKS_OPTIMAL")
    if path is None:
        raise MissingRivalError(
            "RUBIKS_OPTIMAL does not name Reid's optimal solver; the benchmark's docstring says "
            "how to build it."
        )
    reid = Reid(Path(path))
    if not reid.counts_face_turns:
        reid.close()
        raise MissingRivalError(
            f"{path} counts quarter turns and proves something else; the benchmark's docstring "
            "says how to build one that counts face turns."
        )
    return reid
