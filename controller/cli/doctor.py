"""`cuberobot doctor` and `cuberobot prepare`: a computer's installation, and its compiled code.

`doctor` lists what is installed, which bricks answer, and how to get what is missing.
"""

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

import click

from controller.cli import options
from controller.rigs.registry import get_rig
from solvers.foundation.command_line.app import Command, json_option, print_json
from solvers.foundation.command_line.progress_view import prepare_all, show_waiting

if TYPE_CHECKING:
    from controller.rigs.rig import Finding


@click.command("doctor", cls=Command)
@click.option("--brick", multiple=True, help="A further brick address to try.")
@options.rig
@json_option
def doctor(
    brick: tuple[str, ...],
    rig: str,
    as_json: bool,
) -> None:
    """Check the installation, cameras, compilers and ports, and look for bricks.

    Exit code 1 if no brick answers.

    Examples:
      cuberobot doctor --brick bluetooth
    """
    from controller.diagnosis import diagnose

    found = show_waiting(
        lambda: diagnose(get_rig(rig), brick or []), "looking for cameras and bricks"
    )
    if as_json:
        print_json(
            {
                "installation": [asdict(finding) for finding in found.installation],
                "cameras": [asdict(finding) for finding in found.cameras],
                "board": [asdict(finding) for finding in found.board],
                "bricks": [asdict(finding) for finding in found.machines],
            }
        )
    else:
        _print((*found.installation, *found.cameras, *found.board, *found.machines))
    if not found.a_machine_answers:
        raise click.exceptions.Exit(1)


def _print(findings: "tuple[Finding, ...]") -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, show_header=False)
    for finding in findings:
        mark = "[green]ok[/]" if finding.ok else "[red]--[/]"
        table.add_row(mark, finding.name, f"{finding.detail} {finding.remedy}".strip())
    Console().print(table, highlight=False)
    for finding in findings:
        if finding.lines:
            print(f"\n{finding.name}:\n", *finding.lines, sep="\n")


@click.command("prepare", cls=Command)
@json_option
def prepare(
    as_json: bool,
) -> None:
    """Compile search and image processing once (half a minute); later it takes a second or two.

    Without it each does so when it is first used. `hwsim prepare` does the same for the simulators.

    Examples:
      cuberobot prepare
    """
    prepare_all(STEPS, "Preparing the robot", as_json=as_json)


def _search() -> None:
    from controller.robot_jobs import prepare_search
    from solvers.foundation.progress import run_job

    run_job(prepare_search())


def _vision() -> None:
    from controller.vision.scans.hand_scan import warm_up

    warm_up()


STEPS: Final[dict[str, Callable[[], None]]] = {"the search": _search, "image processing": _vision}
