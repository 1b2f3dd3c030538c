"""`puzzle tiles solve` and `list`: edge-matching puzzles of flat tiles and of cubes."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from solvers.cli.searches import how_to_resume, load_tiles, open_workers
from solvers.foundation.command_line import app as cli
from solvers.foundation.command_line.progress_view import Stopwatch, show_progress
from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.foundation.files import write_text
from solvers.foundation.wording import counted

if TYPE_CHECKING:
    from solvers.edge_matching.board import Board
    from solvers.edge_matching.puzzle import TilePuzzle
    from solvers.edge_matching.solution import TileSolution


NO_SOLUTION: Final = "There is no solution."


@click.command("solve", cls=cli.Command)
@click.argument("file", help="Tile file in the competition's format, or a name from `list`.")
@click.option("--all", "every", is_flag=True, help="Show all solutions, turned ones too.")
@click.option("--count", "only_count", is_flag=True, help="Only count.")
@click.option("--first", is_flag=True, help="Show any one solution, soon.")
@click.option(
    "--workers",
    "processes",
    type=click.IntRange(min=1),
    default=1,
    help="Number of processes; 1 searches in this one.",
)
@click.option(
    "--board", "board_name", help="A known board or a topology file; else by tile number."
)
@click.option(
    "--hint",
    "hints",
    multiple=True,
    help="'TILE [LAYER] ROW COLUMN [LABELS]': the tile is there, and shows the labels.",
)
@click.option("--resume", is_flag=True, help="Resume a search that was stopped.")
@click.option("--svg", type=cli.OUTPUT_FILE, help="Draw the first solution into this SVG file.")
@cli.json_option
def solve(
    file: str,
    every: bool,
    only_count: bool,
    first: bool,
    processes: int,
    board_name: str | None,
    hints: tuple[str, ...],
    resume: bool,
    svg: Path | None,
    as_json: bool,
) -> None:
    """Find all solutions; shows one of each set that turning the board makes.

    Exits with 1 if there is none.

    Examples:
      puzzle tiles solve nine-triangles --svg nine.svg
      puzzle tiles solve macmahon-squares --first
      puzzle tiles solve nine-triangles --hint "4 1 3"
      puzzle tiles solve instant-insanity
      puzzle tiles solve mine.txt --count
    """
    from solvers.edge_matching.samples import load_puzzle

    if every + only_count + first > 1:
        raise InvalidInputError("Give only one of --all, --count and --first.")
    if first and processes > 1:
        raise InvalidInputError("--workers are for all solutions; --first needs one process.")
    if first and resume:
        raise InvalidInputError("--resume is for all solutions; --first starts from scratch.")
    puzzle = load_puzzle(file, board_name, hints or ())
    load_tiles()
    only_number = only_count and svg is None  # a picture needs a solution, even if only counted
    if first:
        report = _first(puzzle)
    else:
        again = _command_of(file, board_name, hints or (), every=every, count=only_count)
        report = _all(puzzle, processes, every=every, count=only_number, resume=resume, again=again)
    board, shown = puzzle.board, report.shown
    if svg is not None:
        _draw(shown, board, svg)
    if as_json:
        result: dict[str, Any] = {
            "board": board.name,
            "solutions": [] if only_count else [_as_json(s) for s in shown],
            **report.counts,
        }
        cli.print_json(result)
    else:
        if not only_count:
            _print_solutions(shown, board)
        print(report.summary)
    if not report.is_solvable:
        raise click.exceptions.Exit(1)


@click.command("list", cls=cli.Command)
@cli.json_option
def list_puzzles(
    as_json: bool,
) -> None:
    """List the puzzles that `puzzle tiles solve` knows by name.

    Examples:
      puzzle tiles list
    """
    from solvers.edge_matching.samples import load_puzzle, sample_names

    found = {name: load_puzzle(name) for name in sample_names()}
    if as_json:
        rows = [
            {"name": name, "title": puzzle.board.title, "tiles": len(puzzle.tiles.tiles)}
            for name, puzzle in found.items()
        ]
        cli.print_json({"puzzles": rows})
        return
    for name, puzzle in found.items():
        print(f"{name:<{max(map(len, found))}}  {puzzle.board.title}")


@dataclass(frozen=True, slots=True)
class _Report:
    """The solutions to show, the counts in the JSON, and the last line of the text."""

    shown: "Sequence[TileSolution]"
    is_solvable: bool
    counts: dict[str, Any]
    summary: str


def _first(puzzle: "TilePuzzle") -> _Report:
    from solvers.edge_matching.solver import find_first

    watch = Stopwatch()
    found = show_progress(find_first(puzzle), "Laying tiles")
    taken = watch.as_json()
    shown = [] if found.solution is None else [found.solution]
    counts = {
        "count": len(shown),
        "count_up_to_symmetry": None if shown else 0,
        "count_total": None if shown else 0,
        "nodes": found.nodes,
        **taken,
    }
    tries = counted(found.tries, "try", "tries")
    summary = f"Found after {tries}, {found.nodes:,} nodes and {taken['cpu_seconds']:.2f} s."
    return _Report(shown, bool(shown), counts, summary if shown else NO_SOLUTION)


def _all(
    puzzle: "TilePuzzle", processes: int, *, every: bool, count: bool, resume: bool, again: str
) -> _Report:
    from platformdirs import user_state_path

    from solvers.edge_matching.errors import LostTilesError
    from solvers.edge_matching.solution import with_turns
    from solvers.edge_matching.solver import TilePartStore
    from solvers.edge_matching.solver import solve as solve_puzzle

    watch = Stopwatch()
    workers = open_workers(processes)
    finished = TilePartStore(user_state_path("puzzlerig") / "tiles", puzzle, resume=resume)
    job = solve_puzzle(puzzle, only_count=count, workers=workers, keeper=finished)
    try:
        found = show_progress(job, "Laying tiles")
    except KeyboardInterrupt:
        raise PuzzlerigError(f"Stopped {how_to_resume(finished, again)}") from None
    except LostTilesError as error:
        raise LostTilesError(f"{error} Stopped {how_to_resume(finished, again)}") from error
    finished.remove()  # complete: nothing is left to resume
    taken = watch.as_json()
    shown = with_turns(found.solutions, puzzle.turns) if every else list(found.solutions)
    counts = {
        "count": found.count_up_to_turns if not every else len(shown),
        "count_up_to_symmetry": found.count_up_to_turns,
        "count_total": found.count_total,
        "nodes": found.nodes,
        **taken,
    }
    summary = _summary(found.count_total, found.count_up_to_turns, len(puzzle.turns))
    return _Report(shown, bool(found.count_total), counts, summary)


def _command_of(
    file: str, board_name: str | None, hints: Sequence[str], *, every: bool, count: bool
) -> str:
    """Return the command of the same search."""
    words = ["puzzle tiles solve", shlex.quote(file)]
    words += ["--board", shlex.quote(board_name)] if board_name else []
    words += [f"--hint {shlex.quote(hint)}" for hint in hints]
    words += ["--all"] if every else []
    return " ".join([*words, "--count"] if count else words)


def _as_json(solution: "TileSolution") -> list[dict[str, Any]]:
    return [{"tile": placed.tile, "labels": list(placed.labels)} for placed in solution]


def _print_solutions(shown: "Sequence[TileSolution]", board: "Board") -> None:
    from solvers.edge_matching.picture import to_text

    for number, solution in enumerate(shown, start=1):
        order = " ".join(str(placed.tile) for placed in solution)
        print(f"Solution {number}, tiles {order}:\n\n{to_text(solution, board)}\n")


def _summary(total: int, up_to_symmetry: int, turns: int) -> str:
    if not total:
        return NO_SOLUTION
    if turns == 1:
        return f"Number of solutions: {total}."
    return (
        f"Number of solutions: {total}; {up_to_symmetry} if the board's {turns} turns count as one."
    )


def _draw(shown: "Sequence[TileSolution]", board: "Board", path: Path) -> None:
    from solvers.drawing.export import to_svg
    from solvers.edge_matching.picture import to_drawing

    if shown:
        write_text(path, to_svg(to_drawing(shown[0], board), board.title))
    else:
        cli.stderr.print(f"{path} is not written: there is no solution to draw.", soft_wrap=True)
