"""`aksen puzzle8`: have the board solve an 8-puzzle, and check what it answers."""

from typing import TYPE_CHECKING

import click

from firmware_tools.cli.board_line import board_line, board_option, port_option
from firmware_tools.puzzle8.protocol import Puzzle8Algorithm
from solvers.foundation.command_line.app import Command, EnumChoice, json_option, print_json, stderr
from solvers.foundation.errors import InvalidInputError

if TYPE_CHECKING:
    from firmware_tools.puzzle8.session import SessionReport, Task
    from solvers.sliding_tile.board import Board

WIDEST_STEP = 30
_TITLE = "8-puzzle"


@click.command("puzzle8", cls=Command)
@click.argument("start", help="Letters a to h and o (the blank), or digits.")
@click.argument("goal", help="The board to end with.")
@port_option
@click.option("--host", is_flag=True, help="Run the C files on this computer, built with gcc.")
@click.option(
    "--algorithm",
    type=EnumChoice(Puzzle8Algorithm),
    default=Puzzle8Algorithm.POLICY.value,
    help="Program of apps/puzzle8.",
)
@click.option(
    "--step", type=click.IntRange(min=1, max=WIDEST_STEP), help="Step width of iterative deepening."
)
@click.option(
    "--parent-heuristic/--no-parent-heuristic",
    default=False,
    help="astar: score positions as the paper's program does.",
)
@click.option(
    "--timeout", type=click.FloatRange(min=1), default=900, help="Seconds to wait for the answer."
)
@board_option
@json_option
def puzzle8(
    start: str,
    goal: str,
    port: str | None,
    host: bool,
    algorithm: Puzzle8Algorithm,
    step: int | None,
    parent_heuristic: bool,
    timeout: float,
    board: str,
    as_json: bool,
) -> None:
    """Solve an 8-puzzle on the board; flash the program first if the board runs another one.

    Examples:
      aksen puzzle8 gaefdboch doefgbcah --host
      aksen puzzle8 gaefdboch doefgbcah --port /dev/ttyUSB0
    """
    from firmware_tools.puzzle8.session import Task, solve_on_board, solve_on_host
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
