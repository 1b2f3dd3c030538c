"""NUMBA_DISABLE_JIT=1, for whoever steps through a kernel: everything imports and runs."""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import importlib, pkgutil
import solvers

for module in pkgutil.walk_packages(solvers.__path__, "solvers."):
    source = open(module.module_finder.find_spec(module.name).origin).read()
    if "foundation.compiled import" in source:
        importlib.import_module(module.name)

import numpy as np
from solvers.foundation.progress import run_job
from solvers.search.exact_cover.search import solutions
from solvers.search.exact_cover.model import ExactCover
from solvers.sliding_tile.solver import Algorithm
from solvers.sliding_tile.board import Board
from solvers.sliding_tile.solver import solve
from solvers.rubik.cubies import SOLVED
from solvers.rubik.notation import Move
from solvers.rubik.two_phase.distances import pair_distances
from solvers.rubik.two_phase.cube_arrays import compose

print(sorted(solutions(ExactCover.of([[0, 1], [2], [0], [1, 2], [1]]))))
goal = Board(3, 3, tuple(range(9)))
start = goal.moved("drdluurd")
for algorithm in Algorithm:
    if algorithm not in (Algorithm.AUTO, Algorithm.WHOLE_SPACE, Algorithm.PATTERN_DATABASE):
        print(algorithm, run_job(solve(start, goal, algorithm)).moves)
first, second = (np.array(SOLVED.apply([move]).numbers(), np.int8) for move in (Move.R1, Move.U1))
turned = np.zeros(40, np.int8)
compose(first, second, turned)
print(tuple(turned.tolist()) == SOLVED.apply([Move.R1, Move.U1]).numbers())
print(pair_distances(np.array([[1], [0]], np.uint16), np.array([[0]], np.uint16)).tolist())
"""


def test_kernels_run_uncompiled(tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", PROGRAM],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == [
        "[(0, 1), (1, 2, 4), (2, 3)]",
        "policy ulddrulu",
        "manhattan ulddrulu",
        "linear-conflict ulddrulu",
        "walking-distance ulddrulu",
        "True",
        "[0, 1]",
    ]
