"""`aksen puzzle8`: have the board solve an 8-puzzle, check its answer; train its network."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from firmware_tools.cli.board_line import board_line, board_option, port_option
from firmware_tools.puzzle8.protocol import Puzzle8Algorithm
from solvers.foundation.command_line.app import (
    OUTPUT_FILE,
    PATH,
    Command,
    EnumChoice,
    json_option,
    print_json,
    stderr,
)
from solvers.foundation.command_line.progress_view import show_progress, show_waiting
from solvers.foundation.errors import InvalidInputError
from solvers.sliding_tile.board import Board, InvalidBoardError, format_board, parse_board

if TYPE_CHECKING:
    from firmware_tools.puzzle8.session import SessionReport, Task

WIDEST_STEP = 30
_TITLE = "8-puzzle"


class _Puzzle8(Command):
    """Solves; or trains, if its first word is `train`, which is no board."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Return the context of the command that the words stand for."""
        if args[:1] == [train.name]:
            return train.make_context(f"{info_name} {train.name}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command("puzzle8", cls=_Puzzle8)
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
@click.option("--network", type=PATH, help="neural: a network of `aksen puzzle8 train`.")
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
    network: Path | None,
    timeout: float,
    board: str,
    as_json: bool,
) -> None:
    """Solve an 8-puzzle on the board; flash the program first if the board runs another one.

    `aksen puzzle8 train` trains a network for the algorithm neural.

    Examples:
      aksen puzzle8 train --units 4 --epochs 3 --output mine.json
      aksen puzzle8 gaefdboch doefgbcah --host
      aksen puzzle8 gaefdboch doefgbcah --host --algorithm neural
      aksen puzzle8 gaefdboch doefgbcah --port /dev/ttyUSB0
    """
    from firmware_tools.puzzle8.session import Task, solve_on_board, solve_on_host

    if host and port is not None:
        raise InvalidInputError("Name the board's port with --port, or say --host, but not both.")
    task = Task(_read_board(start), _read_board(goal), step, parent_heuristic)
    if host:
        report = show_progress(solve_on_host(algorithm, task, timeout, network), _TITLE)
        if report.identity.algorithm != algorithm:
            stderr.print(
                f"{algorithm} is assembler of the board: --host runs {report.identity.algorithm}, "
                "the same in C.",
                highlight=False,
            )
    else:
        with board_line(board, port) as (link, facts):
            job = solve_on_board(link, facts, algorithm, task, timeout, network=network)
            report = show_progress(job, _TITLE)
    _show(task, report, as_json)


def _read_board(text: str) -> Board:
    board = parse_board(text)
    if (board.width, board.height) != (3, 3):
        raise InvalidBoardError(f"The board {text!r} is not one of 3 x 3 cells.")
    return board


def _show(task: "Task", report: "SessionReport", as_json: bool) -> None:
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


@click.command("train", cls=Command)
@click.option(
    "--units", type=click.IntRange(1, 128), default=48, help="Units of the network, 79 bytes each."
)
@click.option("--seed", type=click.IntRange(min=0), default=1, help="Of the first weights.")
@click.option(
    "--epochs", type=click.IntRange(min=1), default=100, help="Ends earlier without progress."
)
@click.option("--output", type=OUTPUT_FILE, help="Write the network, for --network.")
@json_option
def train(units: int, seed: int, epochs: int, output: Path | None, as_json: bool) -> None:
    """Train a network that plays the 8-puzzle, and measure it on every pair that can be solved.

    The network that comes with the program was made with the defaults.

    Examples:
      aksen puzzle8 train --units 4 --epochs 3 --output mine.json
    """
    from firmware_tools.puzzle8.network import UNIT_BYTES, write_network
    from firmware_tools.puzzle8.training import measure_pairs
    from firmware_tools.puzzle8.training import train as train_network

    report = show_progress(train_network(units, seed, epochs), _TITLE)
    pairs = show_waiting(
        lambda: measure_pairs(report.network.choices()), f"{_TITLE}: measure all pairs"
    )
    if output is not None:
        write_network(report.network, output)
    if as_json:
        print_json(
            {
                "units": units,
                "bytes": units * UNIT_BYTES,
                "epochs": report.epochs,
                "pairs": pairs.pairs,
                "solved": pairs.solved,
                "excess": pairs.excess,
                "longest": pairs.longest,
                "file": None if output is None else str(output),
            }
        )
        return
    print(
        f"{units} units, {units * UNIT_BYTES:,} bytes, after {report.epochs} epochs: "
        f"{pairs.solved:,} of {pairs.pairs:,} pairs solved, {pairs.excess:.4f} of the shortest "
        f"length, at most {pairs.longest} moves."
    )
    if output is not None:
        print(f"Use it: aksen puzzle8 START GOAL --algorithm neural --network {output}")
