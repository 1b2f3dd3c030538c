"""The simulated rigs by name. A new one is a folder next to the others and a line here."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from hardware_sims.errors import InvalidScenarioError

if TYPE_CHECKING:
    import msgspec

    from hardware_sims.nxt_brick.brick import SimulatedBrick
    from hardware_sims.nxt_brick.firmware import Firmware
    from hardware_sims.nxt_brick.motors.physics import Battery
    from hardware_sims.nxt_brick.sensors.plugged_in import Sensor
    from hardware_sims.rigs.cradle.camera.levels import CameraFault
    from hardware_sims.rigs.cubes import CradledCube

# The module whose `MODEL` it is; imported only when it is asked for, since rigs are compiled.
RIGS: Final[dict[str, str]] = {
    "nxt-cradle": "hardware_sims.rigs.cradle.model",
    "mindcuber": "hardware_sims.rigs.mindcuber.model",
}
DEFAULT_RIG: Final = "nxt-cradle"
RIG_FILE_ENDING: Final = ".toml"


class SimulatedRig(Protocol):
    """A rig with a cube in it. It implements the brick's `Mechanism` by its first parts."""

    cube: "CradledCube"
    sensors: "dict[int, Sensor]"
    """What is plugged into the brick with it, by the ports 0 to 3."""

    def attach(self, firmware: "Firmware") -> None:
        """Take hold of the shafts of three motors whose counts are zero."""

    def advance(self, tick: int, ticks: int, battery: "Battery") -> int:
        """Simulate up to `ticks` milliseconds from `tick` on; return how many passed."""

    @property
    def facelets(self) -> str:
        """The cube as a scan of it, in its present position, would give it."""

    def result(self) -> dict[str, Any]:
        """Return the cube and what went wrong, as JSON values for the command's last line."""


class RigCamera(Protocol):
    """A camera above a rig, chosen but not yet running."""

    @property
    def name(self) -> str:
        """What the user chose, for a remark."""

    def serve(
        self,
        brick: "SimulatedBrick",
        rig: SimulatedRig,
        seed: int,
        faults: "Sequence[CameraFault]",
    ) -> "AbstractContextManager[VideoServer]":
        """Return a server that shows the rig while it is entered."""


class VideoServer(Protocol):
    """A running camera."""

    @property
    def url(self) -> str:
        """Where viewers connect."""


class RigModel(Protocol):
    """A make of rig: how one is built, what may go wrong in it, what looks at it."""

    @property
    def faults(self) -> "type[msgspec.Struct]":
        """The rig's keys of a faults file, all optional, `seed` among them."""

    def build(
        self,
        cube: "CradledCube | None" = None,
        faults: Any = None,
        on_cube_change: Callable[[Any], None] | None = None,
    ) -> SimulatedRig:
        """Return a rig; `on_cube_change` is called with it after each change of the cube."""

    def camera(self, choice: str) -> RigCamera:
        """Return the camera of a level or a file. Raises InvalidScenarioError."""

    def warm_up_camera(self) -> None:
        """Compile what the camera needs; nothing for a rig without one."""


def get_model(name: str) -> RigModel:
    """Return a make of rig by its name, or the cradle rig of a file by its path.

    Raises InvalidScenarioError with the names there are, or what is wrong with the file.
    """
    if name.endswith(RIG_FILE_ENDING):
        from_file: RigModel = import_module(RIGS[DEFAULT_RIG]).load_model(Path(name))
        return from_file
    if name not in RIGS:
        raise InvalidScenarioError(
            f"There is no rig {name!r}. The rigs are {', '.join(RIGS)}, or a rig file, whose name "
            f"ends with {RIG_FILE_ENDING}."
        )
    named: RigModel = import_module(RIGS[name]).MODEL
    return named
