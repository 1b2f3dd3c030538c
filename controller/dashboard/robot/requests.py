"""What the Robot page may ask for, as it comes over the wire."""

from typing import Annotated

import msgspec
from msgspec import Meta

from controller.motion.planning.planner_name import Planner

Name = Annotated[str, Meta(max_length=200)]


class Simulate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A simulated robot: how much faster than real, with which cube (None for any).

    Its camera is of level 1 (easy) to 3; 0 for none.
    """

    speed: Annotated[float, Meta(ge=0.1, le=50)] = 5.0
    seed: Annotated[int, Meta(ge=0, le=10**9)] | None = None
    camera: Annotated[int, Meta(ge=0, le=3)] = 1


class Connect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A robot at an address, and the camera that looks at it."""

    address: Name = "usb"
    camera: Annotated[str, Meta(max_length=500)] | None = None
    speed: Annotated[float, Meta(ge=0.1, le=50)] = 1.0


class Solve(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Solve a cube that is scanned, or whose 54 stickers are given; `target` None for solved.

    A dry run searches and plans, and moves nothing. Without a `drive` the usual one is taken.
    """

    facelets: Annotated[str, Meta(max_length=54)] | None = None
    target: Annotated[str, Meta(max_length=54)] | None = None
    search_s: Annotated[float, Meta(ge=0, le=60)] = 1.0
    planner: Planner = Planner.OPTIMAL
    drive: Name | None = None
    dry_run: bool = False


class Resume(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Go on with a run: the one of this journal, or the last one."""

    journal: Name | None = None


class Jog(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Turn one motor by some degrees, slowly."""

    motor: Name
    degrees: Annotated[int, Meta(ge=-360, le=360)]


class Calibrate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Measure how long the primitives take, each so many times."""

    rounds: Annotated[int, Meta(ge=1, le=20)] = 2
    drive: Name | None = None


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """No further words."""
