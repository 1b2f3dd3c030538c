"""Where arm, pusher, cradle and cube meet: what decides which motions may overlap."""

import math
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

_Angle: TypeAlias = Annotated[float, Meta(ge=-180, le=720)]
_Margin: TypeAlias = Annotated[float, Meta(ge=0, le=20)]

SQUARED_YAW_DEG: Final = 10.0
"""A cube askew by less is pushed straight by arm and pusher (degrees of the cube)."""
FOLLOWING_YAW_DEG: Final = 20.0
"""From here to the end of a spin, arm and pusher may come after the receding corners."""


class Geometry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One owner's rig in degrees of the motors, counted from home.

    Home: cradle straight, arm closed round the cube, pusher back. Forward is the arm towards the
    cube, the pusher towards the cube, the cradle counter-clockwise seen from above.
    """

    cradle_level: _Margin
    """How far off its quarter the cradle may stand for a cube to tilt, of its motor."""

    arm_clears: _Angle
    """Behind this the corners of a spinning cube pass the arm."""
    arm_drops: _Angle
    """Behind this the arm lets a rolled cube slide down into the cradle."""
    arm_closed: _Angle
    """Here the arm holds the cube."""
    arm_lifts: _Angle
    """Beyond this the cube is lifted off: the pusher no longer keeps it upright."""
    arm_tips: _Angle
    """Beyond this the cube is tipped onto its edge."""
    arm_end: _Angle
    """As far as the arm should go."""

    pusher_home: _Angle
    """Behind this the pusher lets a rolled cube down."""
    pusher_clears: _Angle
    """Behind this the corners of a spinning cube pass the pusher."""
    pusher_touches: _Angle
    """From here on the pusher holds a cube that stands upright."""
    pusher_upright: _Angle
    """As far as the pusher can press into an upright cube."""
    pusher_rolls: _Angle
    """Beyond this a tipped cube has rolled over."""
    pusher_end: _Angle
    """As far as the pusher should go."""

    margin: _Margin
    """How far a motor has to be past one of these angles before the next motion relies on it."""
    run_out: _Margin
    """How far beyond that a motor aims, so that it passes at full speed."""
    play_margin: _Margin
    """How much of the play is left where the cradle moves ahead within it."""
    layer_margin: _Margin
    """How short of its end a layer turn is done; the motor runs on that far by itself."""

    def following(self, clear: float, touching: float) -> float:
        """Return how near a part may come to a cube that is askew by `FOLLOWING_YAW_DEG`.

        `clear` is where the corners pass, `touching` where it meets the straight cube. A square
        turned by y reaches cos y + sin y times as far as a straight one, at 45 degrees sqrt(2).
        """
        yaw = math.radians(FOLLOWING_YAW_DEG)
        share = (math.cos(yaw) + math.sin(yaw) - 1) / (math.sqrt(2) - 1)
        return touching + (clear - touching) * share

    def above(self, contact: float) -> tuple[int, int]:
        """Return where a motor is safely above a contact, and where to send it to pass there."""
        passed = contact + self.margin
        return round(passed), round(passed + self.run_out)

    def below(self, contact: float) -> tuple[int, int]:
        """Return the same for a motor that comes down."""
        passed = contact - self.margin
        return round(passed), round(passed - self.run_out)
