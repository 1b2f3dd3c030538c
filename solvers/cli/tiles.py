"""`puzzle tiles solve`: edge-matching puzzles of triangles or of squares."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from solvers.foundation.command_line.app import JsonOption, print_json, stderr
from solvers.foundation.command_line.options import output_file
from solvers.foundation.command_line.progress_view import show_progress
from solvers.foundation.command_line.stopwatch import Stopwatch

if TYPE_CHECKING:
    from solvers.edge_matching.board import Board
    from solvers.edge_matching.solution import TileSolution


def solve(
    file: Annotated[Path, typer.Argument(help="Tile file in the competition's format.")],
    every: Annotated[bool, typer.Option("--all", help="Show all solutions, turned ones too.")] = (
        False
    ),
    only_count: Annotated[bool, typer.Option("--count", help="Only count.")] = False,
    board_name: Annotated[
        str | None,
        typer.Option("--board", help="A known board or a topology file; else by tile number."),
    ] = None,
    svg: Annotated[
        Path | None, output_file("--svg", help="Draw the first solution into this SVG file.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Find all solutions; shows one of each set that turning the board makes.

    Examples:
      puzzle tiles solve mine.txt --svg mine.svg
    """
    from solvers.cli.loading import load_search
    from solvers.edge_matching.board_file import board_for, load_board
    from solvers.edge_matching.solution import with_turns
    from solvers.edge_matching.solver import TilePuzzle
    from solvers.edge_matching.solver import solve as solve_puzzle
    from solvers.edge_matching.tile_file import load_tiles

    tile_set = load_tiles(file)
    board = load_board(board_name) if board_name else board_for(len(tile_set.tiles), tile_set.sides)
    puzzle = TilePuzzle(board, tile_set)
    load_search()
    watch = Stopwatch()
    job = solve_puzzle(puzzle, only_count=only_count and svg is None)
    found = show_progress(job, "Laying tiles")
    taken = watch.as_json()
    shown = with_turns(found.solutions, board) if every else list(found.solutions)
    if svg is not None:
        _draw(shown, board, svg)
    if as_json:
        result: dict[str, Any] = {
            "board": board.name,
            "solutions": [] if only_count else [_as_json(s) for s in shown],
            "count": found.count_up_to_turns if only_count else len(shown),
            "count_up_to_symmetry": found.count_up_to_turns,
            "count_total": found.count_total,
            "nodes": found.nodes,
            **taken,
        }
        print_json(result)
    else:
        if not only_count:
            _print_solutions(shown, board)
        print(_summary(found.count_total, found.count_up_to_turns, len(board.turns)))
    if not found.count_total:
        raise typer.Exit(1)


def _as_json(solution: "TileSolution") -> list[dict[str, Any]]:
    return [{"tile": placed.tile, "labels": list(placed.labels)} for placed in solution]


def _print_solutions(shown: "Sequence[TileSolution]", board: "Board") -> None:
    from solvers.edge_matching.picture import to_text

    for number, solution in enumerate(shown, start=1):
        order = " ".join(str(placed.tile) for placed in solution)
        print(f"Solution {number}, tiles {order}:\n\n{to_text(solution, board)}\n")


def _summary(total: int, up_to_symmetry: int, turns: int) -> str:
    if not total:
        return "There is no solution."
    if turns == 1:
        return f"Number of solutions: {total}."
    return (
        f"Number of solutions: {total}; {up_to_symmetry} if the board's {turns} turns count as one."
    )


def _draw(shown: "Sequence[TileSolution]", board: "Board", path: Path) -> None:
    from solvers.drawing.svg import to_svg
    from solvers.edge_matching.picture import to_drawing
    from solvers.foundation.files import write_text

    if shown:
        write_text(path, to_svg(to_drawing(shown[0], board), board.title))
    else:
        stderr.print(f"{path} is not written: there is no solution to draw.", soft_wrap=True)
