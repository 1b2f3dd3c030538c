"""`hwsim prepare`: compiles everything that is simulated, so that no first start has to."""

from collections.abc import Callable
from typing import Final

from solvers.foundation.command_line.app import JsonOption
from solvers.foundation.command_line.preparing import prepare_all


def prepare(as_json: JsonOption = False) -> None:
    """Compile the simulators once (about two minutes); later it takes a second or two.

    Examples:
      hwsim prepare
    """
    prepare_all(STEPS, "Preparing the simulators", as_json=as_json)


def _free_brick() -> None:
    from hardware_sims.nxt_brick.warming_up import warm_up

    warm_up()


def _brick_with_rig() -> None:
    from hardware_sims.cube_rig.rig import CubeRig
    from hardware_sims.nxt_brick.warming_up import warm_up

    warm_up(CubeRig())


def _programs() -> None:
    from hardware_sims.nxt_vm.loading import load_kernels

    load_kernels()


def _camera() -> None:
    from hardware_sims.clock import VirtualClock
    from hardware_sims.cube_rig.camera.camera import SimulatedCamera
    from hardware_sims.cube_rig.rig import CubeRig

    rig = CubeRig()
    SimulatedCamera(lambda: rig.pose, VirtualClock(), level=1, seed=0).jpeg()


def _board() -> None:
    from hardware_sims.mcs51.microcontroller import Microcontroller

    Microcontroller().run_cycles(1)


STEPS: Final[dict[str, Callable[[], None]]] = {
    "the brick": _free_brick,
    "the rig": _brick_with_rig,
    "the brick's programs": _programs,
    "the camera": _camera,
    "the board": _board,
}
