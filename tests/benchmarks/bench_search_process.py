"""A search beside a driver: how much longer its sleeps take, in a thread and in a process.

The driver is a thread that sleeps 10 ms again and again, as one that looks at motors does.
"""

import threading
import time
from collections.abc import Callable
from statistics import quantiles

from controller.dashboard.cube.search import Answered, Question, SearchEvent, answer
from controller.dashboard.worker import WorkerProcess
from controller.rigs.registry import DEFAULT_RIG, get_rig
from solvers.foundation.progress import Job, run_job
from solvers.rubik.cubies import SOLVED
from solvers.rubik.scramble import random_state

CUBES = 8
SEARCH_S = 1.0
SLEEP_S = 0.01


def run() -> str:
    """Return the table of over-sleeps."""
    costs = get_rig(DEFAULT_RIG).setup().costs
    questions = [Question(random_state(seed), SOLVED, costs, SEARCH_S) for seed in range(CUBES)]
    process = WorkerProcess("search")
    try:
        run_job(answer(questions[0]))  # both have compiled and loaded all they need
        run_job(process.run(answer, questions[0]))
        rows = [
            _row("nothing beside it", lambda: time.sleep(CUBES * SEARCH_S)),
            _row("search in a thread", lambda: _each(answer, questions)),
            _row(
                "search in its process",
                lambda: _each(lambda each: process.run(answer, each), questions),
            ),
        ]
    finally:
        process.end()
    head = "| beside the driver | sleeps | median ms | p95 ms | p99 ms | longest ms |"
    return (
        f"Milliseconds beyond {1000 * SLEEP_S:.0f} ms; {CUBES} searches of {SEARCH_S:.0f} s of CPU "
        "with their solutions priced.\n\n" + "\n".join([head, "|---|---|---|---|---|---|", *rows])
    )


def _each(ask: Callable[[Question], Job[SearchEvent, Answered]], questions: list[Question]) -> None:
    for question in questions:
        run_job(ask(question))


def _row(name: str, work: Callable[[], object]) -> str:
    late_ms: list[float] = []
    has_ended = threading.Event()

    def drive() -> None:
        while not has_ended.is_set():
            before = time.perf_counter()
            time.sleep(SLEEP_S)
            late_ms.append(1000 * (time.perf_counter() - before - SLEEP_S))

    driver = threading.Thread(target=drive)
    driver.start()
    work()
    has_ended.set()
    driver.join()
    cuts = quantiles(late_ms, n=100, method="inclusive")
    figures = (cuts[49], cuts[94], cuts[98], max(late_ms))
    return f"| {name} | {len(late_ms)} | " + " | ".join(f"{each:.2f}" for each in figures) + " |"
