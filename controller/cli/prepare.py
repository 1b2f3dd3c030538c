"""`cuberobot prepare`: compiles what the robot's commands need, so that no first use has to."""

from collections.abc import Callable
from typing import Final

import click

from solvers.foundation.command_line.app import Command, json_option
from solvers.foundation.command_line.progress_view import prepare_all


@click.command("prepare", cls=Command)
@json_option
def prepare(
    as_json: bool,
) -> None:
    """Compile search and eyes once (half a minute); later it takes a second or two.

    Without it each does so when it is first used. `hwsim prepare` does the same for the simulators.

    Examples:
      cuberobot prepare
    """
    prepare_all(STEPS, "Preparing the robot", as_json=as_json)


def _search() -> None:
    from controller.robot_jobs import prepare_search
    from solvers.foundation.progress import run_job

    run_job(prepare_search())


def _eyes() -> None:
    from controller.vision.scans.hand_scan import warm_up

    warm_up()


STEPS: Final[dict[str, Callable[[], None]]] = {"the search": _search, "the eyes": _eyes}
