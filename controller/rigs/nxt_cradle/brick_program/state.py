"""What is known of a run with the program on the brick, and what the journal keeps of that."""

from dataclasses import dataclass

import msgspec

from controller.motion.primitives import Primitive


class ProgramState(msgspec.Struct, forbid_unknown_fields=True):
    """What has to be known to go on: kept in the journal.

    `home` is what the counters of cradle, arm and pusher show at home, `session` the program's,
    `number` of the primitive that was finished last, with the cradle `cradle_quarters` from home;
    `ahead` says how many more the brick may have begun by itself.
    """

    home: tuple[int, int, int] = (0, 0, 0)
    cradle_quarters: int = 0
    session: int = 0
    number: int = 0
    ahead: int = 0


@dataclass(frozen=True, slots=True)
class Sent:
    """A primitive that the brick has."""

    primitive: Primitive
    number: int
    messages: int


@dataclass(frozen=True, slots=True)
class Moment:
    """When a primitive was done: in ms of the brick, and when that was seen here, in seconds."""

    tick: int
    seen_s: float
