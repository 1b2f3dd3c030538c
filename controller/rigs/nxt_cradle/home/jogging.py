"""Moves one motor by hand, to align the rig before a run."""

from typing import Final

from controller.rigs.nxt_cradle.brick.address import BrickAddress
from controller.rigs.nxt_cradle.brick.brick_link import own_link
from controller.rigs.nxt_cradle.brick.guard import Guard
from controller.rigs.nxt_cradle.motions.direct_player import DirectPlayer
from controller.rigs.nxt_cradle.motors import Motor
from controller.rigs.rig import Jogged
from solvers.foundation.clock import Clock
from solvers.foundation.errors import InvalidInputError

MOST_DEG: Final = 1260
"""No part of the rig turns further than this in one go; a typing error should not break it."""


def jog_motor(
    address: BrickAddress,
    motor: str,
    angle_deg: int,
    power_percent: int,
    clock: Clock,
    stall_s: float,
) -> Jogged:
    """Turn one motor by some degrees and let it coast.

    Raises InvalidInputError for a motor the rig has not or more than 1260 degrees, and RobotError.
    """
    which = _motor(motor)
    if abs(angle_deg) > MOST_DEG:
        raise InvalidInputError(f"{angle_deg} degrees is too far; at most {MOST_DEG} in one go.")
    with own_link(address) as link:
        guard = Guard(link, clock)
        guard.start()
        before = link.tacho(which)
        try:
            player = DirectPlayer(
                link, clock, (power_percent,) * len(Motor), stall_s, beat=guard.beat
            )
            player.go(which, before + angle_deg)
        finally:
            after = link.tacho(which)
            link.coast(which)
    return Jogged(which.name.lower(), before, after)


def _motor(text: str) -> Motor:
    for motor in Motor:
        if text.lower() in (motor.name.lower(), motor.value.lower()):
            return motor
    raise InvalidInputError(f"{text!r} is no motor of the rig: cradle (A), arm (B) or pusher (C).")
