"""Machine cycles of the policy solver: our chip and the system's s51 simulator count the same."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.benchmarks.bench_puzzle8 import sample
from tests.benchmarks.puzzle8_runner import SolveEntry

pytestmark = [pytest.mark.needs_sdcc, pytest.mark.needs_s51]

CLOCKS_PER_CYCLE = 12  # of a standard 8052, which s51 counts
RETURN_ADDRESS = 0xFFF0


def cycles_in_s51(image: Path, addresses: dict[str, int], start: str, goal: str) -> int:
    """Call solve() in s51 and return the cycles until it is back."""
    s51 = shutil.which("s51")
    assert s51 is not None

    def cells(board: str) -> str:
        return " ".join(map(hex, board.encode("ascii")))

    stack = addresses["stack"]
    commands = [
        f"set mem iram {addresses['start']:#x} {cells(start)}",
        f"set mem iram {addresses['goal']:#x} {cells(goal)}",
        f"set mem sfr 0x81 {stack:#x}",
        f"set mem iram {stack - 1:#x} {RETURN_ADDRESS & 0xFF:#x} {RETURN_ADDRESS >> 8:#x}",
        f"pc {addresses['solve']:#x}",
        f"break {RETURN_ADDRESS:#x}",
        "run",
        "state",
        "quit",
    ]
    result = subprocess.run(
        [s51, "-t", "C52", "-X", "12M", "-b", str(image)],
        input="\n".join(commands) + "\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert f"PC= 0x00{RETURN_ADDRESS:04x}" in result.stdout
    clocks = max(int(digits) for digits in re.findall(r"\((\d+) clks\)", result.stdout))
    cycles, rest = divmod(clocks, CLOCKS_PER_CYCLE)
    assert rest == 0
    return cycles


@pytest.fixture(scope="module")
def pairs() -> list[tuple[str, str]]:
    """Return the paper's example, the longest one, and some by chance."""
    drawn = [(start, goal) for start, goal, _ in sample(1, seed=9)[::180]]
    return [("gaefdboch", "doefgbcah"), ("hgfeodcba", "abcdoefgh"), *drawn]


@pytest.mark.skipif(shutil.which("s51") is None, reason="s51 is not installed")
@pytest.mark.parametrize("algorithm", ["policy", "policy-c", "policy-small", "neural"])
def test_both_simulators_count_the_same_cycles(
    algorithm: str,
    pairs: list[tuple[str, str]],
    tmp_path: Path,
    firmware_cache: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(firmware_cache))
    entry = SolveEntry(algorithm, tmp_path)
    solve, _, stack, start_at, goal_at, *_ = entry.call
    addresses = {"solve": solve, "stack": stack, "start": start_at, "goal": goal_at}
    for start, goal in pairs:
        cycles = cycles_in_s51(entry.image, addresses, start, goal)
        assert cycles == entry.solve(start, goal).cycles, (start, goal)
