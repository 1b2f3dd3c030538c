"""Solving one 3x3x3 cube for `puzzle cube solve`: in few moves, in the fewest, or in stages."""

import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solvers.cli.cube.input import SolveRequest, counted_moves, hold_as_json, read_cube
from solvers.foundation.command_line.app import print_json
from solvers.foundation.command_line.progress_view import Stopwatch, show_progress, waiting
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.files import write_text
from solvers.foundation.progress import Progress, run_job
from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.facelets import format_facelets
from solvers.rubik.held_cube import HeldCube, read_position
from solvers.rubik.notation import Move, Notation, format_moves, quarter_turn_metric
from solvers.rubik.player import Part, to_html

if TYPE_CHECKING:
    from solvers.rubik.optimal.solver import Better, Searching
    from solvers.rubik.two_phase.solver import Solution

# Means of 60 random cubes: 19.00 moves after 0.05 s, 18.78 after 0.1, 18.67 after 0.2, 18.43 after
# 0.5. The whole command then takes 0.4 s; half a second more would save a third of a move, which
# is what `--time` is for.
DEFAULT_TIME_S = 0.1
# How long to try for a given number of moves if no time is given: all but a few in a thousand
# positions are solved in 20 moves in a tenth of a second, some in 18 only after minutes.
DEFAULT_TIME_FOR_MAX_MOVES_S = 30.0
# Without the exact tables, try that long before building them, if enough time is left to profit.
QUICK_TRY_S = 1.0
PROFITABLE_S = 4.0
# Up to this length the search leaves nothing out, so its end proves that there is no solution.
LONGEST_PROOF = 11


class NotReachedError(PuzzlerigError):
    """No solution was found within the number of moves and the time."""


@dataclass(frozen=True, slots=True)
class Question:
    """One task: the moves from `held` to `target`, written in `letters`."""

    held: HeldCube
    target: CubieCube
    letters: Notation

    @property
    def start(self) -> CubieCube:
        """The position to start from."""
        return self.held.position

    def is_solved_by(self, moves: tuple[Move, ...]) -> bool:
        """Return whether the moves, replayed piece by piece, lead to the target."""
        return self.start.apply(moves) == self.target

    def answer(self, moves: tuple[Move, ...]) -> dict[str, Any]:
        """Return what `--json` prints about moves that lead to the target, replayed."""
        return {
            "moves": format_moves(moves, self.letters),
            "htm": len(moves),
            "qtm": quarter_turn_metric(moves),
            "replayed": self.is_solved_by(moves),
            "start": format_facelets(self.start),
            "target": format_facelets(self.target),
            **hold_as_json(self.held),
        }


def question_about(held: HeldCube, target: str | None, letters: Notation) -> Question:
    """Return the question about a cube; `target` None stands for solved."""
    goal = SOLVED if target is None else read_position(target, letters).held_like(held)
    return Question(held, goal, letters)


def load_search() -> None:
    """Get the search ready to answer at once: compile it and build the small tables."""
    from solvers.rubik.two_phase.solver import warm_up

    show_progress(warm_up(), "Preparing the search, once (8 s)")


def build_exact_tables() -> None:
    """Make the search several times faster for this and all later runs."""
    from solvers.rubik.two_phase.solver import prepare

    show_progress(prepare(), "Building tables, once (15 s)")


def load_all() -> None:
    """Get everything ready, so that no later command compiles or builds anything."""
    from solvers.rubik.optimal.solver import warm_up
    from solvers.rubik.pocket import load_distances

    load_search()
    build_exact_tables()
    show_progress(warm_up(), "Preparing proofs, once (15 s)")
    show_progress(load_distances(), "Building the table of 2x2x2 cubes, once (1 s)")


def load_large() -> None:
    """Build the large table for proofs, unless it is in the cache, and compile its search.

    Raises PuzzlerigError if the table cannot be stored.
    """
    from solvers.foundation.table_cache import cache_directory
    from solvers.rubik.optimal.large_table import SIZE, build_large_table, load_large_table
    from solvers.rubik.optimal.solver import warm_up_large

    large = show_progress(build_large_table(), "Building the large table, once (1 min)")
    show_progress(warm_up_large(large), "Preparing proofs, once (15 s)")
    if load_large_table() is None:
        raise PuzzlerigError(
            f"The large table cannot be stored in {cache_directory()}. It needs {SIZE / 1e6:.0f} "
            "MB there."
        )


# Few moves, by two-phase search


def solve_in_few_moves(request: SolveRequest) -> None:
    """Print the shortest solution found in the time, or the first of at most `max_moves`."""
    question = _question_of(request)
    found = _best_found(question, request.time_s, request.max_moves)
    moves = found.solution.moves
    _write_page(request.html, question, moves)
    if request.as_json:
        print_json({**question.answer(moves), **found.after})
        return
    _print_moves(question, moves)
    seconds = found.after["cpu_seconds"]
    print(f"{counted_moves(len(moves))}, found after {seconds:.3f} s, checked by replaying.")


@dataclass(frozen=True, slots=True)
class _Found:
    """A solution, and the stopwatch's figures when it was found."""

    solution: "Solution"
    after: dict[str, float]


def _best_found(question: Question, time_s: float | None, max_moves: int | None) -> _Found:
    """Return the shortest solution found; builds the exact tables if that will pay.

    Raises NotReachedError.
    """
    from solvers.rubik.two_phase import solver as two_phase

    if time_s is None:
        time_s = DEFAULT_TIME_S if max_moves is None else DEFAULT_TIME_FOR_MAX_MOVES_S
    load_search()
    check_length(question, max_moves)
    watch = Stopwatch()
    # Building takes as long as some thousand easy searches, so most cubes should not wait for it.
    will_build = not two_phase.is_prepared() and time_s >= QUICK_TRY_S + PROFITABLE_S
    best = _search(question, QUICK_TRY_S if will_build else time_s, max_moves)
    if will_build and (best is None or max_moves is None) and watch.cpu_seconds >= QUICK_TRY_S:
        build_exact_tables()
        better = _search(question, time_s - QUICK_TRY_S, max_moves)
        if better is not None and (best is None or len(better.solution) < len(best.solution)):
            best = better
    if best is None:
        raise not_reached(max_moves or 0, time_s, watch.cpu_seconds)
    return best


def check_length(question: Question, max_moves: int | None) -> None:
    """Raise NotReachedError at once if `max_moves` cannot be enough."""
    from solvers.rubik.two_phase.solver import fewest_moves

    fewest = fewest_moves(question.start, question.target)
    if max_moves is not None and max_moves < fewest:
        raise NotReachedError(
            f"There is no solution of at most {counted_moves(max_moves)}: this position needs at "
            f"least {fewest}."
        )


def not_reached(max_moves: int, time_s: float, used_s: float) -> NotReachedError:
    """Return the error about a search that found nothing in `used_s` of `time_s` seconds."""
    if used_s < time_s and max_moves <= LONGEST_PROOF:
        return NotReachedError(
            f"There is no solution of at most {counted_moves(max_moves)}: all were tried."
        )
    return NotReachedError(
        f"No solution of at most {counted_moves(max_moves)} was found in {time_s:g} s. "
        "Allow more moves with --max-moves or more time with --time."
    )


def _search(question: Question, time_s: float, max_moves: int | None) -> _Found | None:
    from solvers.rubik.two_phase.solver import Solution, best_solution

    watch = Stopwatch()
    after = watch.as_json()
    with waiting("Looking for a solution") as show:

        def on_better(better: Solution) -> None:
            nonlocal after
            after = watch.as_json()
            show(f"Looking for less than {counted_moves(len(better))}")

        found = best_solution(
            question.start,
            question.target,
            max_moves=max_moves,
            time_limit_s=time_s,
            clock=time.process_time,
            on_better=on_better,
        )
    # With a length wanted the time is that of the whole search, otherwise that of the last find.
    if found is None:
        return None
    return _Found(found, after if max_moves is None else watch.as_json())


# The fewest moves, with a proof


def solve_optimally(request: SolveRequest) -> None:
    """Print the shortest solution; after the time, or Ctrl-C, the best one and what is proven.

    Exits with 1 if it is not proven to be the shortest.
    """
    from solvers.rubik.optimal import solver as optimal
    from solvers.rubik.optimal.large_table import load_large_table
    from solvers.rubik.two_phase.tables import search_tables

    question = _question_of(request)
    load_all()
    watch = Stopwatch()
    best: Better | None = None
    job = optimal.solve_optimally(
        question.start,
        question.target,
        tables=search_tables(),
        clock=time.process_time,
        time_limit_s=math.inf if request.time_s is None else request.time_s,
        large=load_large_table(),
    )
    with waiting("Looking for a short solution") as show:

        def on_event(event: "Better | Searching | Progress") -> None:
            nonlocal best
            if isinstance(event, optimal.Better):
                best = event
            elif isinstance(event, optimal.Searching):
                known = f"{len(best.moves)} moves known" if best else ""
                show(
                    f"{known}; {event.length} moves: {event.share:.0%} searched, "
                    f"{event.nodes / 1e6:.1f} million positions, "
                    f"about {_duration(event.left_s)} left"
                )
            else:
                show(f"Building a table for proofs, once: {event.share or 0:.0%}")

        try:
            report = run_job(job, on_event)
            moves, at_least, nodes = report.moves, report.at_least, report.nodes
        except KeyboardInterrupt:  # a proof takes minutes; what is known so far is an answer, too
            if best is None:
                raise
            moves, at_least, nodes = best.moves, best.at_least, None
    proven = len(moves) == at_least
    _write_page(request.html, question, moves)
    if request.as_json:
        proof = {"optimal": proven, "at_least": at_least, "nodes": nodes}
        print_json({**question.answer(moves), **proof, **watch.as_json()})
    else:
        _print_moves(question, moves)
        print(_describe_proof(len(moves), at_least, watch.cpu_seconds))
    if not proven:
        raise click.exceptions.Exit(1)


def _describe_proof(length: int, at_least: int, seconds: float) -> str:
    if length == at_least:
        return f"{counted_moves(length)}, and no solution has fewer: proven in {seconds:.1f} s."
    return (
        f"{counted_moves(length)}, the best found in {seconds:.1f} s; at least {at_least} are "
        "needed, and the lengths between were not searched."
    )


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


# The beginner's method


def solve_in_stages(request: SolveRequest) -> None:
    """Print the beginner's solution stage by stage, and write the page that plays it."""
    from solvers.rubik.beginner import solve_by_layers

    question = _question_of(request)
    stages = solve_by_layers(question.start, question.target)
    parts = [Part(each.name, each.purpose, each.moves) for each in stages]
    _write_parts(request.html, question, parts)
    moves = tuple(move for stage in stages for move in stage.moves)
    written = [format_moves(stage.moves, question.letters) for stage in stages]
    if request.as_json:
        rows = [
            {"stage": stage.name, "purpose": stage.purpose, "moves": text, "htm": len(stage.moves)}
            for stage, text in zip(stages, written, strict=True)
        ]
        print_json({"method": "beginner", "stages": rows, **question.answer(moves)})
        return
    _print_start(question, moves)
    for number, (stage, text) in enumerate(zip(stages, written, strict=True), start=1):
        print(f"{number}. {stage.name}: {stage.purpose} ({counted_moves(len(stage.moves))})")
        print(f"   {text or 'done already'}")
    print(f"{counted_moves(len(moves))} in {len(stages)} stages, checked by replaying.")


# What the three have in common


def _question_of(request: SolveRequest) -> Question:
    held = read_cube(request.facelets, request.scramble, request.letters)
    return question_about(held, request.target, request.letters)


def _print_moves(question: Question, moves: tuple[Move, ...]) -> None:
    _print_start(question, moves)
    text = format_moves(moves, question.letters)
    print(text or "Nothing to do: the cube is there already.")


def _print_start(question: Question, moves: tuple[Move, ...]) -> None:
    # The last line says that the moves were replayed, whatever the search has checked itself.
    assert question.is_solved_by(moves), "the moves do not lead to the target; this is a bug"
    if not question.held.is_upright:
        print(f"For the cube held with {question.held.how}:")


def _write_page(path: Path | None, question: Question, moves: tuple[Move, ...]) -> None:
    """Write the page of a solution that is one part; nothing without a path."""
    if path is not None:
        _write_parts(path, question, [Part("solution", counted_moves(len(moves)), moves)])


def _write_parts(path: Path | None, question: Question, parts: list[Part]) -> None:
    """Write the page that plays all parts; nothing without a path."""
    if path is not None:
        total = counted_moves(sum(len(part.moves) for part in parts))
        write_text(path, to_html(question.held, parts, f"A cube in {total}", question.letters))
