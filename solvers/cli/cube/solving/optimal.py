"""`puzzle cube solve --optimal`: the shortest solution, under a mark that tells how far."""

import math
import time
from pathlib import Path

import typer

from solvers.cli.cube.input import counted_moves
from solvers.cli.cube.solving.page import write_page
from solvers.cli.cube.solving.question import Question
from solvers.foundation.command_line.app import print_json
from solvers.foundation.command_line.progress_view import waiting
from solvers.foundation.command_line.stopwatch import Stopwatch
from solvers.foundation.progress import Progress, run_job


def solve_proven(
    question: Question, time_s: float | None, html: Path | None, as_json: bool
) -> None:
    """Print the shortest solution; after the time, or Ctrl-C, the best one and what is proven."""
    from solvers.cli.cube.loading import load_all
    from solvers.rubik.optimal.optimal_solver import Better, Searching, solve_optimally
    from solvers.rubik.two_phase.tables import search_tables

    load_all()
    watch = Stopwatch()
    best: Better | None = None
    job = solve_optimally(
        question.start,
        question.target,
        tables=search_tables(),
        clock=time.process_time,
        time_limit_s=math.inf if time_s is None else time_s,
    )
    with waiting("Looking for a short solution") as show:

        def hear(event: Better | Searching | Progress) -> None:
            nonlocal best
            if isinstance(event, Better):
                best = event
            elif isinstance(event, Progress):
                show(f"Building a table for proofs, once: {event.share or 0:.0%}")
            else:
                known = f"{len(best.moves)} moves known" if best else ""
                show(
                    f"{known}; {event.length} moves: {event.share:.0%} searched, "
                    f"{event.nodes / 1e6:.1f} million positions, about {_wait(event.left_s)} left"
                )

        try:
            report = run_job(job, hear)
            moves, at_least, nodes = report.moves, report.at_least, report.nodes
        except KeyboardInterrupt:
            if best is None:
                raise
            moves, at_least, nodes = best.moves, best.at_least, None
    proven = len(moves) == at_least
    answer = question.answer(moves)
    write_page(html, question, moves)
    if as_json:
        print_json(
            {**answer, "optimal": proven, "at_least": at_least, "nodes": nodes, **watch.as_json()}
        )
    else:
        _print(question, answer["moves"], len(moves), at_least, watch.cpu_seconds)
    if not proven:
        raise typer.Exit(1)


def _print(question: Question, text: str, length: int, at_least: int, seconds: float) -> None:
    if not question.held.is_upright:
        print(f"For the cube held with {question.held.how}:")
    print(text or "Nothing to do: the cube is there already.")
    if length == at_least:
        print(f"{counted_moves(length)}, and no solution has fewer: proven in {seconds:.1f} s.")
    else:
        print(
            f"{counted_moves(length)}, the best found in {seconds:.1f} s; at least {at_least} are "
            "needed, and what lies between was not searched through."
        )


def _wait(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
