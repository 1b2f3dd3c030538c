"""`aksen build` and `aksen size`: build a program and compare it with the board's memory budget."""

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from firmware_tools.cli.board_line import board_option
from solvers.foundation.command_line import app as cli

if TYPE_CHECKING:
    from firmware_tools.building.build import CompilerWarning
    from firmware_tools.building.source_text import Rewrite
    from firmware_tools.sizes import SizeReport


@click.command("build", cls=cli.Command)
@click.argument(
    "sources",
    nargs=-1,
    required=True,
    help="C files, one folder of them, or an application's name.",
)
@click.option(
    "--output",
    "-o",
    type=cli.OUTPUT_FOLDER,
    help="Folder for the image and reports; default: one in the cache.",
)
@click.option(
    "--rom-library", "with_rom", is_flag=True, help="Call the library in the board's ROM at 8000h."
)
@board_option
@cli.json_option
def build(
    sources: tuple[str, ...],
    output: Path | None,
    with_rom: bool,
    board: str,
    as_json: bool,
) -> None:
    """Build a program. Over budget it exits with 1 and writes no image.

    Examples:
      aksen build hello -o out
      aksen build main.c --board mine.toml
    """
    from firmware_tools.boards.facts import load_board
    from firmware_tools.building.build import build as build_program
    from firmware_tools.building.build import require_within_budget
    from firmware_tools.building.program import default_output_folder, find_program
    from solvers.foundation.command_line.progress_view import show_waiting

    facts = load_board(board)
    program = find_program(sources)
    folder = output or default_output_folder(program)
    result = show_waiting(
        lambda: build_program(program, facts, folder, with_rom=with_rom),
        f"Building {program.name}",
    )
    _print_rewrites(result.rewritten)
    _print_warnings(result.warnings)
    _print_unproved(result.unproved)
    if as_json and result.image is not None:
        warnings = [asdict(warning) for warning in result.warnings]
        sizes = _report_as_json(result.report)
        rewritten = [asdict(place) for place in result.rewritten]
        cli.print_json(
            {
                "image": str(result.image),
                **sizes,
                "warnings": warnings,
                "rewritten": rewritten,
                "unproved": list(result.unproved),
            }
        )
    if not as_json:
        _print_report(result.report)
    image = require_within_budget(result)
    if not as_json:
        print(f"Image: {image}")


@click.command("size", cls=cli.Command)
@click.argument("path", type=cli.PATH, help="An image (.ihx) or the folder of a build.")
@board_option
@cli.json_option
def size(
    path: Path,
    board: str,
    as_json: bool,
) -> None:
    """Show a built program against the board's budget.

    Examples:
      aksen size out
    """
    from firmware_tools.boards.facts import load_board
    from firmware_tools.sizes import measure

    reports = measure(path, load_board(board))
    if as_json:
        cli.print_json({"programs": [_report_as_json(report) for report in reports]})
        return
    for report in reports:
        _print_report(report)


def _print_report(report: "SizeReport") -> None:
    """Print the budget table, and below it what the stack's figure rests on."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"{report.program} on the {report.board}", title_justify="left")
    for heading in ("memory", "used", "of", "free"):
        table.add_column(heading, justify="left" if heading == "memory" else "right")
    table.add_column("")
    for row in report.rows:
        note = "OVER BUDGET" if row.over else row.note
        style = "bold red" if row.over else None
        free = str(row.limit - row.used)
        table.add_row(row.name, str(row.used), str(row.limit), free, note, style=style)
    console = Console(highlight=False, markup=False)
    console.print(table)
    stack = report.stack
    if stack is None:
        return
    console.print("Deepest chain: " + " -> ".join(stack.chain))
    for cycle in stack.recursion:
        console.print(f"Unbounded: recursion {cycle}")
    for unknown in stack.unknown:
        console.print(f"Unknown: {unknown}")


def _print_rewrites(places: "Iterable[Rewrite]") -> None:
    """Print on stderr what the compiler was given instead of old-style C."""
    for place in places:
        cli.stderr.print(
            f"{place.file}:{place.line}: old style, compiled as `{place.now}`",
            highlight=False,
            markup=False,
        )


def _print_unproved(calls: Iterable[str]) -> None:
    """Print on stderr which calls of the ROM may lead elsewhere on a board."""
    names = ", ".join(calls)
    if names:
        cli.stderr.print(
            f"Where the original library in ROM has {names} is not known: this image runs with "
            "`hwsim aksen`, and on a board perhaps not.",
            highlight=False,
            markup=False,
        )


def _print_warnings(warnings: "Iterable[CompilerWarning]") -> None:
    """Print the compiler's warnings on stderr, dangerous ones first and in red."""
    from firmware_tools.building.build import LIMITED_RANGE

    for warning in sorted(warnings, key=lambda w: w.kind != LIMITED_RANGE):
        place = f"{warning.file}:{warning.line}"
        if warning.kind == LIMITED_RANGE:
            text = f"{place}: {warning.text}. The program will not do what it says here."
            cli.stderr.print(f"WARNING {text}", style="bold red", markup=False, highlight=False)
        else:
            text = f"{place}: warning {warning.kind}: {warning.text}"
            cli.stderr.print(text, style="yellow", markup=False, highlight=False)


def _report_as_json(report: "SizeReport") -> dict[str, Any]:
    """Return the report as plain values."""
    stack = report.stack
    return {
        "program": report.program,
        "over_budget": report.over_budget,
        "memory": {
            row.name: {"used": row.used, "limit": row.limit, "over": row.over}
            for row in report.rows
        },
        "stack": None
        if stack is None
        else {
            "worst_case_bytes": stack.total_bytes,
            "interrupt_bytes": stack.interrupt_bytes,
            "bounded": stack.bounded,
            "deepest_chain": list(stack.chain),
            "recursion": list(stack.recursion),
            "unknown": list(stack.unknown),
        },
    }
