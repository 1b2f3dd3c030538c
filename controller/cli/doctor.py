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
    from controller.stored_data import Stored


@click.command("doctor", cls=Command)
@click.option("--brick", multiple=True, help="A further brick address to try.")
@click.option(
    "--clean", is_flag=True, help="Remove caches and runs that cannot be resumed, and nothing else."
)
@options.rig
@json_option
def doctor(
    brick: tuple[str, ...],
    clean: bool,
    rig: str,
    as_json: bool,
) -> None:
    """Check the installation, cameras, compilers and ports, look for bricks, and list stored files.

    Exit code 1 if no brick answers.

    Examples:
      cuberobot doctor --brick bluetooth
      cuberobot doctor --clean
    """
    if clean:
        _clean(as_json)
        return

    from controller.diagnosis import diagnose
    from controller.stored_data import stored_data

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
                "stored": [_stored_as_json(each) for each in stored_data()],
            }
        )
    else:
        _print((*found.installation, *found.cameras, *found.board, *found.machines))
        print("\nStored on this computer (--clean removes what is marked with *):")
        for each in stored_data():
            mark = "*" if each.is_cache else " "
            print(f"{mark} {each.name:<28}{each.size:>8}  {_places(each)}")
    if not found.a_machine_answers:
        raise click.exceptions.Exit(1)


def _clean(as_json: bool) -> None:
    from controller.stored_data import clean, stored_data
    from solvers.foundation.files import format_size

    freed = clean()
    if as_json:
        stored = [_stored_as_json(each) for each in stored_data()]
        print_json({"freed_bytes": freed, "stored": stored})
    else:
        print(f"{format_size(freed)} are free again. Calibration, history, unfinished searches and")
        print("runs that can be resumed are still there.")


def _stored_as_json(each: "Stored") -> dict[str, object]:
    return {**asdict(each), "paths": [str(path) for path in each.paths]}


def _places(each: "Stored") -> str:
    """Return where files are; of compiled code next to the sources only the first place."""
    first = str(each.paths[0]) if each.paths else ""
    return (
        f"{first} and {len(each.paths) - 1} more"
        if len(each.paths) > 3
        else ", ".join(map(str, each.paths))
    )


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
