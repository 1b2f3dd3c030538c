"""Soak: a thousand cubes with everything that may go wrong

Half of them on a fresh brick each, half in rows of ten on one that stays on; in virtual time.
`SOAK_KEEP=FOLDER python -m tests.benchmarks soak` keeps what is done there and goes on with it the
next time; of which commits the figures are stands in the section.
"""

import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Final, TypeAlias

import msgspec

from solvers.foundation.files import write_text
from solvers.foundation.progress import run_job
from solvers.rubik.two_phase.solver import prepare
from tests.benchmarks.record import commit
from tests.soak.judge import IN_A_ROW, Outcome, Verdict, judged, judged_in_a_row
from tests.soak.troubles import BY_HAND, MENDABLE

CUBES: Final = 1000
MOST_NAMED: Final = 30

KEEP: Final = os.environ.get("SOAK_KEEP")

Task: TypeAlias = Callable[[], "Judged"]


class Judged(msgspec.Struct):
    """What became of some cubes, and with which commit."""

    commit: str
    outcomes: list[Outcome]


def kept(name: str, judge_all: Callable[[], "list[Outcome]"], folder: str | None = KEEP) -> Judged:
    """Judge, unless that was done and kept under this name."""
    path = None if folder is None else Path(folder) / f"{name}.json"
    if path is not None and path.exists():
        return msgspec.json.decode(path.read_bytes(), type=Judged)
    judged_now = Judged(commit(), judge_all())
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, msgspec.json.encode(judged_now).decode())
    return judged_now


def fresh(first: int, *, with_camera: bool) -> list[Outcome]:
    """Judge some cubes, each with a robot of its own."""
    with tempfile.TemporaryDirectory() as folder:
        seeds = range(first, first + IN_A_ROW)
        return [judged(seed, Path(folder), with_camera=with_camera) for seed in seeds]


def row(first: int) -> list[Outcome]:
    """Judge as many on one brick that stays on."""
    with tempfile.TemporaryDirectory() as folder:
        return judged_in_a_row(first, Path(folder))


def all_of(name: str, tasks: Iterable[Task], commits: set[str]) -> list[Outcome]:
    """Do the tasks in a process for each core; say now and then how far that is."""
    outcomes: list[Outcome] = []
    began_s = time.monotonic()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for done in as_completed([pool.submit(task) for task in tasks]):
            outcomes += done.result().outcomes
            commits.add(done.result().commit)
            counts = Counter(outcome.verdict.name for outcome in outcomes)
            minutes = (time.monotonic() - began_s) / 60
            print(f"{name}: {len(outcomes)} of {CUBES}, {minutes:.0f} min, {counts}", flush=True)
    return sorted(outcomes, key=lambda outcome: outcome.seed)


def verdicts(name: str, outcomes: list[Outcome]) -> list[str]:
    """Return the lines of a table with what became of the cubes."""
    counts = Counter(outcome.verdict for outcome in outcomes)
    lines = [f"| {name} | cubes |", "|---|---:|"]
    lines += [f"| {verdict} | {counts[verdict]} |" for verdict in Verdict]
    return [
        *lines,
        f"| motors left on | {sum(outcome.motors_left_on for outcome in outcomes)} |",
        f"| truly solved in the end | {sum(outcome.is_solved for outcome in outcomes)} |",
        f"| robot seconds, mean | {mean(outcome.robot_s for outcome in outcomes):.0f} |",
    ]


def by_trouble(outcomes: list[Outcome]) -> list[str]:
    """Return the lines of a table with each trouble that came alone."""
    lines = [
        "| the only trouble | cubes | by itself | advised | else |",
        "|---|---:|---:|---:|---:|",
    ]
    for name in ("none", *sorted(MENDABLE), *sorted(BY_HAND)):
        wanted = () if name == "none" else (name,)
        counts = Counter(each.verdict for each in outcomes if each.troubles == wanted)
        itself, advised = counts[Verdict.SOLVED], counts[Verdict.ADVISED]
        total = counts.total()
        lines.append(f"| {name} | {total} | {itself} | {advised} | {total - itself - advised} |")
    return lines


def named(outcomes: Iterable[Outcome]) -> str:
    """Return the seeds that did not come out by themselves, as `tests.soak.judge` takes them."""
    seeds = [str(each.seed) for each in outcomes if each.verdict is not Verdict.SOLVED]
    more = f" and {len(seeds) - MOST_NAMED} more" if len(seeds) > MOST_NAMED else ""
    return f"Not by itself: {' '.join(seeds[:MOST_NAMED])}{more}."


def run(cubes: int = CUBES) -> str:
    """Return the section of RESULTS.md."""
    run_job(prepare())
    firsts = range(0, cubes, IN_A_ROW)
    alone, rows = firsts[: len(firsts) // 2], firsts[len(firsts) // 2 :]
    tasks = [
        partial(kept, f"seen-{each}", partial(fresh, each, with_camera=True)) for each in alone
    ]
    tasks += [partial(kept, f"row-{each}", partial(row, each)) for each in rows]
    blind = [
        partial(kept, f"unseen-{each}", partial(fresh, each, with_camera=False)) for each in firsts
    ]
    commits: set[str] = set()
    seen, unseen = all_of("camera on", tasks, commits), all_of("no camera", blind, commits)
    lone = [outcome for outcome in seen if outcome.seed < rows.start]
    return "\n".join(
        [
            f"Cubes `random_state(0)` to `random_state({cubes - 1})`, the first half on a fresh "
            f"brick each, the others {IN_A_ROW} in a row on one that stays on. What goes wrong is "
            "drawn by `tests/soak/troubles.py` from the same number; the owner does what the "
            "sentences say. Frames of 320 x 240 in levels 1 and 2 through the real reader. "
            "`python -m tests.soak.judge N` shows one of the first half again. "
            f"Judged at {', '.join(sorted(commits))}.",
            "",
            *verdicts("camera on", seen),
            "",
            named(seen),
            "",
            *by_trouble(lone),
            "",
            *verdicts("no camera", unseen),
        ]
    )
