"""MindCuber as the registry knows it: built, made to fail."""

from collections.abc import Callable
from typing import Final, NoReturn

from hardware_sims.errors import InvalidScenarioError
from hardware_sims.rigs.cubes import CradledCube
from hardware_sims.rigs.mindcuber.faults import NO_MINDCUBER_FAULTS, MindCuberFaults
from hardware_sims.rigs.mindcuber.rig import MindCuberRig


class MindCuberModel:
    """Implements the registry's `RigModel`."""

    faults = MindCuberFaults

    def build(
        self,
        cube: CradledCube | None = None,
        faults: MindCuberFaults | None = None,
        on_cube_change: Callable[[MindCuberRig], None] | None = None,
    ) -> MindCuberRig:
        """Return a rig with a cube in it, a solved one without `cube`."""
        return MindCuberRig(cube, faults or NO_MINDCUBER_FAULTS, on_cube_change)

    def camera(self, choice: str) -> NoReturn:  # noqa: ARG002
        """Refuse a camera: this rig has a colour sensor. Raises InvalidScenarioError."""
        raise InvalidScenarioError(
            "No camera looks at a simulated MindCuber, which reads the cube with its own sensor; "
            "leave --camera away."
        )

    def warm_up_camera(self) -> None:
        """Do nothing; there is no camera."""


MODEL: Final = MindCuberModel()
