"""Shows size reports and compiler warnings."""

from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.table import Table

from firmware_tools.building.compilation import LIMITED_RANGE, CompilerWarning
from firmware_tools.building.old_style import Rewritten
from firmware_tools.sizes.report import SizeReport
from solvers.foundation.command_line.app import stderr


def print_report(report: SizeReport) -> None:
    """Print the budget table, and below it what the stack's figure rests on."""
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


def print_rewritten(places: Iterable[Rewritten]) -> None:
    """Print on stderr what the compiler was given instead of old-style C."""
    for place in places:
        stderr.print(
            f"{place.file}:{place.line}: old style, compiled as `{place.now}`",
            highlight=False,
            markup=False,
        )


def print_unproved(calls: Iterable[str]) -> None:
    """Print on stderr which calls of the ROM may lead elsewhere on a board."""
    names = ", ".join(calls)
    if names:
        stderr.print(
            f"Where the original library in ROM has {names} is not known: this image runs with "
            "`hwsim aksen`, and on a board perhaps not.",
            highlight=False,
            markup=False,
        )


def print_warnings(warnings: Iterable[CompilerWarning]) -> None:
    """Print the compiler's warnings on stderr, dangerous ones first and in red."""
    for warning in sorted(warnings, key=lambda w: w.kind != LIMITED_RANGE):
        place = f"{warning.file}:{warning.line}"
        if warning.kind == LIMITED_RANGE:
            text = f"{place}: {warning.text}. The program will not do what it says here."
            stderr.print(f"WARNING {text}", style="bold red", markup=False, highlight=False)
        else:
            text = f"{place}: warning {warning.kind}: {warning.text}"
            stderr.print(text, style="yellow", markup=False, highlight=False)


def report_as_json(report: SizeReport) -> dict[str, Any]:
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
