"""`aksen puzzle8`: have the board solve an 8-puzzle, and check what it answers."""

from typing import TYPE_CHECKING, Annotated

import typer

from firmware_tools.boards import DEFAULT_BOARD
from firmware_tools.cli.board_line import BoardOption, PortOption, board_line
from firmware_tools.puzzle8.protocol import Puzzle8Algorithm
from solvers.foundation.command_line.app import JsonOption, print_json, stderr
from solvers.foundation.errors import InvalidInputError

if TYPE_CHECKING:
    from firmware_tools.puzzle8.client import Task
    from firmware_tools.puzzle8.session import SessionReport
    from solvers.sliding_tile.board import Board

WIDEST_STEP = 30
_TITLE = "8-puzzle"


def puzzle8(
    start: Annotated[str, typer.Argument(help="Letters a to h and o (the blank), or digits.")],
    goal: Annotated[str, typer.Argument(help="The board to end with.")],
    port: PortOption = None,
    host: Annotated[
        bool, typer.Option("--host", help="Run the C files on this computer, built with gcc.")
    ] = False,
    algorithm: Annotated[
        Puzzle8Algorithm, typer.Option(help="Program of apps/puzzle8.")
    ] = Puzzle8Algorithm.POLICY,
    step: Annotated[
        int | None,
        typer.Option(min=1, max=WIDEST_STEP, help="Step width of iterative deepening."),
    ] = None,
    parent_heuristic: Annotated[
        bool, typer.Option(help="astar: score positions as the paper's program does.")
    ] = False,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds to wait for the answer.")] = 900,
    board: BoardOption = DEFAULT_BOARD,
    as_json: JsonOption = False,
) -> None:
    """Solve an 8-puzzle on the board; flash the program first if the board runs another one.

    Examples:
      aksen puzzle8 gaefdboch doefgbcah --host
      aksen puzzle8 gaefdboch doefgbcah --port /dev/ttyUSB0
    """
    from firmware_tools.puzzle8.client import Task
    from firmware_tools.puzzle8.session import solve_on_board, solve_on_host
    from solvers.foundation.command_line.progress_view import show_progress

    if host and port is not None:
        raise InvalidInputError("Name the board's port with --port, or say --host, but not both.")
    task = Task(_read_board(start), _read_board(goal), step, parent_heuristic)
    if host:
        report = show_progress(solve_on_host(algorithm, task, timeout), _TITLE)
        if report.identity.algorithm != algorithm:
            stderr.print(
                f"{algorithm} is assembler of the board: --host runs {report.identity.algorithm}, "
                "the same in C.",
                highlight=False,
            )
    else:
        with board_line(board, port) as (link, facts):
            job = solve_on_board(link, facts, algorithm, task, timeout)
            report = show_progress(job, _TITLE)
    _show(task, report, as_json)


def _read_board(text: str) -> "Board":
    from solvers.sliding_tile.board import InvalidBoardError, parse_board

    board = parse_board(text)
    if (board.width, board.height) != (3, 3):
        raise InvalidBoardError(f"The board {text!r} is not one of 3 x 3 cells.")
    return board


def _show(task: "Task", report: "SessionReport", as_json: bool) -> None:
    from solvers.sliding_tile.board import format_board

    checked, name = report.checked, report.identity.algorithm
    moves, cycles = checked.answer.moves, checked.answer.cycles
    if as_json:
        print_json(
            {
                "start": format_board(task.start),
                "goal": format_board(task.goal),
                "algorithm": name,
                "moves": moves,
                "length": len(moves),
                "optimal_length": checked.optimal_length,
                "optimal": checked.is_optimal,
                "replayed": True,
                "milliseconds": report.milliseconds,
                "cycles": cycles,
            }
        )
        return
    print(moves or "Nothing to do: start and goal are the same.")
    verdict = "optimal" if checked.is_optimal else f"not optimal: {checked.optimal_length} suffice"
    time = f"{report.milliseconds:g} ms, {cycles} cycles" if cycles else "on the host"
    print(f"{len(moves)} moves by {name}, {time}; replayed, {verdict}.")
