"""`aksen build`: compile and link a program and hold it against the board's budget."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from firmware_tools.boards import DEFAULT_BOARD
from firmware_tools.cli.board_line import BoardOption
from solvers.foundation.command_line.app import JsonOption, print_json
from solvers.foundation.command_line.options import output_folder


def build(
    sources: Annotated[
        list[str], typer.Argument(help="C files, one folder of them, or an application's name.")
    ],
    output: Annotated[
        Path | None,
        output_folder(
            "--output", "-o", help="Folder for the image and reports; default: one in the cache."
        ),
    ] = None,
    with_rom: Annotated[
        bool,
        typer.Option("--rom-library", help="Call the library in the board's ROM at 8000h."),
    ] = False,
    board: BoardOption = DEFAULT_BOARD,
    as_json: JsonOption = False,
) -> None:
    """Build a program. Over budget it exits with 1 and writes no image.

    Examples:
      aksen build hello -o out
      aksen build main.c --board mine.toml
    """
    from firmware_tools.boards.board_file import load_board
    from firmware_tools.building.build import build as build_program
    from firmware_tools.building.build import require_within_budget
    from firmware_tools.building.program import find_program, usual_folder
    from firmware_tools.cli.tables import (
        print_report,
        print_rewritten,
        print_unproved,
        print_warnings,
        report_as_json,
    )
    from solvers.foundation.command_line.progress_view import show_waiting

    facts = load_board(board)
    program = find_program(sources)
    folder = output or usual_folder(program)
    result = show_waiting(
        lambda: build_program(program, facts, folder, with_rom=with_rom),
        f"Building {program.name}",
    )
    print_rewritten(result.rewritten)
    print_warnings(result.warnings)
    print_unproved(result.unproved)
    if as_json and result.image is not None:
        warnings = [asdict(warning) for warning in result.warnings]
        sizes = report_as_json(result.report)
        rewritten = [asdict(place) for place in result.rewritten]
        print_json(
            {
                "image": str(result.image),
                **sizes,
                "warnings": warnings,
                "rewritten": rewritten,
                "unproved": list(result.unproved),
            }
        )
    if not as_json:
        print_report(result.report)
    image = require_within_budget(result)
    if not as_json:
        print(f"Image: {image}")
