"""What `cuberobot tune` can make faster on a cradle rig: the margins of a tilt.

The press of a layer turn is none of them: the cradle waits until the arm presses, however strong.
Nor are margins after a layer turn, which save a few hundredths of a second each.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from controller.motion.primitives import Primitive, Spin, Tilt, TurnLayer
from controller.rigs.nxt_brick.program_drive import ProgramMechanism
from controller.rigs.nxt_cradle.calibration.values import Calibration, Tuning
from controller.rigs.nxt_cradle.choreography import MANNERS
from controller.rigs.rig import Earned, Margin

if TYPE_CHECKING:
    from controller.rigs.nxt_brick.rig import BrickRig, BrickSetup

TRIAL: Final[tuple[Primitive, ...]] = (
    Tilt(),
    Tilt(),
    Spin(1),
    Tilt(),
    TurnLayer(1),
    Tilt(),
)
"""A tilt after each kind of primitive, and before each; the cube goes through all its faces."""

NAMES: Final = tuple(each for each in Tuning.__struct_fields__ if each != "measured")


def as_tuned(calibration: Calibration) -> Calibration:
    """Return the calibration with the values that were earned in place of its own."""
    tuning, tilting, geometry = calibration.tuning, calibration.tilting, calibration.geometry
    lift = tuning.lift.value if tuning.lift else 1.0
    back = tuning.back.value if tuning.back else 1.0
    tilting = tilting.at_speeds(lift, back)
    if tuning.arm_returns:
        tilting = replace(tilting, arm_returns=tuning.arm_returns.value)
    if tuning.pusher_turns:
        geometry = replace(geometry, pusher_rolls=tuning.pusher_turns.value)
    if tuning.pusher_leaves:
        tilting = replace(tilting, pusher_leaves=tuning.pusher_leaves.value)
    return replace(calibration, tilting=tilting, geometry=geometry)


@dataclass(frozen=True, slots=True)
class CradleMargins:
    """The margins of one owner's rig; implements `Margins`."""

    calibration: Calibration
    rig: "BrickRig[Calibration]"
    trial: Sequence[Primitive] = TRIAL

    @property
    def drive(self) -> str:
        """The other one plays one motion after the other."""
        return ProgramMechanism.drive_name

    @property
    def ladder(self) -> Sequence[Margin]:
        """The margins, those first that cost most time: a learnt manner, the arm's pace."""
        tilting, geometry = self.calibration.tilting, self.calibration.geometry
        manner = self.manner
        return (
            *((manner,) if manner.value_of(self.earned) != manner.start else ()),
            # An arm that is slower than the slowest here tips fewer cubes, not more.
            self._margin("lift", "pace of the arm that tips", (0.85, 1, 1.2, 1.4, 1.7), 1),
            self._margin("back", "pace of the arm's way back", (0.85, 1, 1.3, 1.7), 1),
            self._margin(
                "arm_returns",
                "arm goes back with the pusher at",
                (30, 60, 90, 120, 150),
                tilting.arm_returns,
            ),
            self._margin(
                "pusher_turns", "pusher turns beyond", (190, 182, 174), geometry.pusher_rolls
            ),
            self._margin(
                "pusher_leaves",
                "pusher leaves with the arm at",
                (39, 33),
                tilting.pusher_leaves,
            ),
        )

    @property
    def manner(self) -> Margin:
        """How the cube is tilted: as usual, or in a manner that seats it after each tilt."""
        return self._margin("manner", "manner of tilting", range(len(MANNERS), -1, -1), 0)

    @property
    def earned(self) -> Mapping[str, Earned]:
        """What was earned so far."""
        tuning = self.calibration.tuning
        return {name: each for name in NAMES if (each := getattr(tuning, name)) is not None}

    def setup(self, earned: Mapping[str, Earned]) -> "BrickSetup[Calibration]":
        """Return the rig with other margins."""
        return self.rig.setup_of(replace(self.calibration, tuning=Tuning("", **earned)))

    def save(self, earned: Mapping[str, Earned], path: Path, measured: str = "") -> None:
        """Make what was earned the section `tuning` of a calibration file."""
        plain = {name: msgspec.to_builtins(each) for name, each in earned.items()}
        values = {
            name: {key: value for key, value in each.items() if value is not None}
            for name, each in plain.items()
        }
        head = {"measured": measured} if measured else {}
        not_earned = [name for name in NAMES if name not in earned]
        self.rig.files.save_section(path, "tuning", {**head, **values}, not_earned)

    def _margin(self, name: str, meaning: str, standard: Sequence[float], start: float) -> Margin:
        """Return a margin; a value that was earned before stays on its ladder."""
        earned = self.earned.get(name)
        own = {start} if earned is None else {start, earned.value, earned.proven}
        values = sorted(
            {float(each) for each in (*standard, *own)}, reverse=standard[0] > standard[-1]
        )
        return Margin(name, meaning, tuple(values), float(start))
