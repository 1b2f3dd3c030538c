"""`aksen puzzle8`: have the board solve an 8-puzzle, and check what it answers."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from firmware_tools.puzzle8.protocol import Puzzle8Algorithm
from solvers.foundation.command_line.app import JsonOption, print_json, stderr
from solvers.foundation.errors import InvalidInputError, PuzzlerigError

if TYPE_CHECKING:
    from firmware_tools.line.byte_link import ByteLink
    from firmware_tools.puzzle8.client import CheckedAnswer, Puzzle8Client, Task
    from firmware_tools.puzzle8.protocol import Identity
    from solvers.sliding_tile.board import Board

WIDEST_STEP = 30


class GaveUpError(PuzzlerigError):
    """The search reached the limits of its depth or its agenda."""


def puzzle8(
    start: Annotated[str, typer.Argument(help="Letters a to h and o (the blank), or digits.")],
    goal: Annotated[str, typer.Argument(help="The board to end with.")],
    port: Annotated[
        str | None, typer.Option("--port", "-p", help="Serial port, pty, or socket://HOST:PORT.")
    ] = None,
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
    as_json: JsonOption = False,
) -> None:
    """Solve an 8-puzzle on the board; flash the program first if the board runs another one."""
    from firmware_tools.puzzle8.client import Task

    if host == (port is not None):
        raise InvalidInputError("Name the board's port with --port, or say --host, but not both.")
    task = Task(_read_board(start), _read_board(goal), step, parent_heuristic)
    with stderr.status("Opening the line") as status:
        opened = _host_line(algorithm) if port is None else _board_line(port, algorithm)
        with opened as (client, identity):
            status.update(f"{identity.algorithm} is at work")
            checked = client.solve(task, timeout)
    _show(task, identity, checked, as_json)


def _read_board(text: str) -> "Board":
    from solvers.sliding_tile.board import InvalidBoardError, parse_board

    board = parse_board(text)
    if (board.width, board.height) != (3, 3):
        raise InvalidBoardError(f"The board {text!r} is not one of 3 x 3 cells.")
    return board


@contextmanager
def _host_line(algorithm: Puzzle8Algorithm) -> "Iterator[tuple[Puzzle8Client, Identity]]":
    from firmware_tools.errors import NoAnswerError
    from firmware_tools.puzzle8.client import Puzzle8Client
    from firmware_tools.puzzle8.host import HostLink, host_program

    link = HostLink(host_program(algorithm))
    try:
        client = Puzzle8Client(link)
        identity = client.identity()
        if identity is None:
            raise NoAnswerError("The host program does not answer.")
        yield client, identity
    finally:
        link.close()


@contextmanager
def _board_line(
    port: str, algorithm: Puzzle8Algorithm
) -> "Iterator[tuple[Puzzle8Client, Identity]]":
    from firmware_tools.cli.board_line import board_link
    from firmware_tools.puzzle8.client import Puzzle8Client

    with board_link(port) as (link, _):
        client = Puzzle8Client(link)
        identity = client.identity()
        if identity is None or not _is_wanted(identity, algorithm):
            _flash(link, algorithm, identity)
            identity = _identity_after_start(client)
        yield client, identity


def _is_wanted(identity: "Identity", algorithm: Puzzle8Algorithm) -> bool:
    from firmware_tools.building.program import find_program
    from firmware_tools.puzzle8.protocol import PROTOCOL

    generated = find_program([f"puzzle8-{algorithm}"]).generated
    tables = identity.tables == "none" or any(
        identity.tables in text for text in generated.values()
    )
    return (identity.algorithm, identity.protocol) == (algorithm, PROTOCOL) and tables


def _flash(link: "ByteLink", algorithm: Puzzle8Algorithm, running: "Identity | None") -> None:
    """Build and flash the program. Raises NoAnswerError if no boot loader listens."""
    from firmware_tools.boards.facts import load_board
    from firmware_tools.bootloader.protocols import find_protocol
    from firmware_tools.building.build import build, require_within_budget
    from firmware_tools.building.program import find_program
    from firmware_tools.cli.board_line import progress_bars
    from firmware_tools.errors import NoAnswerError
    from firmware_tools.flashing.flasher import Flasher
    from firmware_tools.flashing.image import load_image
    from firmware_tools.flashing.plan import plan_flash

    board = load_board()
    protocol = find_protocol(board.loader.protocol)
    flasher = Flasher(link, board, protocol)
    link.discard_input()
    try:
        flasher.connect()
    except NoAnswerError as error:
        if running is None:
            raise
        raise NoAnswerError(
            f"The board runs puzzle8 {running.algorithm}, not {algorithm}. To flash another "
            "program, set the mode switch to red, press reset, and repeat the command."
        ) from error
    with tempfile.TemporaryDirectory(prefix="aksen-puzzle8-") as folder:
        result = build(find_program([f"puzzle8-{algorithm}"]), board, Path(folder))
        plan = plan_flash(load_image(require_within_budget(result), board), board, protocol)
    with progress_bars() as progress:
        flasher.flash(plan, True, progress)
    flasher.run()


def _identity_after_start(client: "Puzzle8Client") -> "Identity":
    from firmware_tools.errors import NoAnswerError

    for _ in range(5):
        identity = client.identity()
        if identity is not None:
            return identity
    raise NoAnswerError("The program was flashed and started, but does not answer: press reset.")


def _show(task: "Task", identity: "Identity", checked: "CheckedAnswer", as_json: bool) -> None:
    from firmware_tools.puzzle8.protocol import Outcome
    from solvers.sliding_tile.board import UnsolvableError, format_board

    answer = checked.answer
    boards = f"{format_board(task.start)} to {format_board(task.goal)}"
    if answer.outcome is Outcome.UNSOLVABLE:
        if checked.optimal_length is not None:
            raise PuzzlerigError(f"The board calls {boards} unsolvable, which is wrong.")
        raise UnsolvableError(f"The board finds no moves from {boards}, and there are none.")
    if answer.outcome is Outcome.GAVE_UP:
        raise GaveUpError(
            f"{identity.algorithm} reached its limits on the way from {boards}, which takes "
            f"{checked.optimal_length} moves. The algorithm policy solves every position."
        )
    if as_json:
        print_json(
            {
                "start": format_board(task.start),
                "goal": format_board(task.goal),
                "algorithm": identity.algorithm,
                "moves": answer.moves,
                "length": len(answer.moves),
                "optimal_length": checked.optimal_length,
                "optimal": checked.is_optimal,
                "replayed": True,
                "milliseconds": answer.milliseconds,
                "cycles": answer.cycles,
            }
        )
        return
    print(answer.moves or "Nothing to do: start and goal are the same.")
    verdict = "optimal" if checked.is_optimal else f"not optimal: {checked.optimal_length} suffice"
    time = f"{answer.milliseconds:g} ms, {answer.cycles} cycles" if answer.cycles else "on the host"
    print(f"{len(answer.moves)} moves by {identity.algorithm}, {time}; replayed, {verdict}.")
