"""`aksen size`: show what a built program takes of the board."""

from pathlib import Path
from typing import Annotated

import typer

from firmware_tools.boards import DEFAULT_BOARD
from firmware_tools.cli.board_line import BoardOption
from solvers.foundation.command_line.app import JsonOption, print_json


def size(
    path: Annotated[Path, typer.Argument(help="An image (.ihx) or the folder of a build.")],
    board: BoardOption = DEFAULT_BOARD,
    as_json: JsonOption = False,
) -> None:
    """Show a built program against the board's budget.

    Examples:
      aksen size out
    """
    from firmware_tools.boards.board_file import load_board
    from firmware_tools.cli.tables import print_report, report_as_json
    from firmware_tools.sizes.image_size import measure

    reports = measure(path, load_board(board))
    if as_json:
        print_json({"programs": [report_as_json(report) for report in reports]})
        return
    for report in reports:
        print_report(report)
