"""What is known of a run with the program on the brick, and what the journal keeps of that."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from controller.motion.primitives import Primitive
from controller.rigs.nxt_cradle.motors import Motor


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
    goals: Mapping[Motor, int]  # where it leaves the motors that it moves, from home


@dataclass(slots=True)
class DoneTimes:
    """When primitives were done by the brick's own clock, which no link delays."""

    _ticks: dict[int, int] = field(default_factory=dict)  # in ms, by number
    _seen_s: dict[int, float] = field(default_factory=dict)  # by the clock here

    def note(self, number: int, tick: int, seen_s: float) -> None:
        """Note that a primitive is done, unless it is known."""
        if number not in self._ticks:
            self._ticks[number], self._seen_s[number] = tick, seen_s

    def forget(self) -> None:
        """What comes next does not follow at once."""
        self._ticks.clear()
        self._seen_s.clear()

    def seconds(self, before: int, number: int, going_home_until_s: float | None) -> float | None:
        """Return how long a primitive took after the one before it, None if that is not known.

        What ended at home took until it was seen to be there.
        """
        earlier = self._ticks.pop(before, None)
        if earlier is None or number not in self._ticks:
            return None
        seconds = (self._ticks[number] - earlier) / 1000
        if going_home_until_s is not None:
            seconds += going_home_until_s - self._seen_s[number]
        return seconds
