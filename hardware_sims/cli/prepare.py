"""`hwsim prepare`: compiles everything that is simulated, so that no first start has to."""

from collections.abc import Callable
from typing import Final

import click

from hardware_sims.rigs.registry import RIGS, get_model
from solvers.foundation.command_line.app import Command, json_option
from solvers.foundation.command_line.progress_view import prepare_all


@click.command("prepare", cls=Command)
@json_option
def prepare(
    as_json: bool,
) -> None:
    """Compile the simulators once (about two minutes); later it takes a second or two.

    Examples:
      hwsim prepare
    """
    prepare_all(STEPS, "Preparing the simulators", as_json=as_json)


def _free_brick() -> None:
    from hardware_sims.nxt_brick.brick import warm_up

    warm_up()


def _brick_with_rig() -> None:
    from hardware_sims.nxt_brick.brick import warm_up

    for name in RIGS:
        warm_up(get_model(name).build())


def _camera() -> None:
    for name in RIGS:
        get_model(name).warm_up_camera()


def _board() -> None:
    from hardware_sims.mcs51.microcontroller import Microcontroller

    Microcontroller().run_cycles(1)


STEPS: Final[dict[str, Callable[[], None]]] = {
    "the brick": _free_brick,
    "the rig": _brick_with_rig,
    "the camera": _camera,
    "the board": _board,
}
