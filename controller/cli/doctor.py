"""`cuberobot doctor`: what is installed, which bricks answer, what is missing and how to get it."""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from solvers.foundation.command_line.app import JsonOption, print_json, stderr

if TYPE_CHECKING:
    from controller.diagnosis import Finding


def doctor(
    brick: Annotated[
        list[str] | None, typer.Option("--brick", help="A further brick address to try.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Check the installation and look for bricks. Exit code 1 if no brick answers."""
    from controller.diagnosis import examine_bricks, examine_installation

    with stderr.status("looking for bricks"):
        installation = examine_installation()
        bricks = examine_bricks(brick or [])
    if as_json:
        print_json(
            {
                "installation": [finding.as_dict() for finding in installation],
                "bricks": [finding.as_dict() for finding in bricks],
            }
        )
    else:
        _print(installation + bricks)
    if not any(finding.ok for finding in bricks):
        raise typer.Exit(1)


def _print(findings: "list[Finding]") -> None:
    table = Table(box=None, show_header=False)
    for finding in findings:
        mark = "[green]ok[/]" if finding.ok else "[red]--[/]"
        table.add_row(mark, finding.name, f"{finding.detail} {finding.remedy}".strip())
    Console().print(table, highlight=False)
