"""The drives by name, the usual one first. A new one is a module and a line here."""

import logging
from typing import Final, Protocol

from controller.motion.mechanism import Mechanism, OnMotors, nobody_watches
from controller.rigs.nxt_cradle.brick.brick_link import BrickLink
from controller.rigs.nxt_cradle.brick.keep_awake import KeepAwake
from controller.rigs.nxt_cradle.brick_program.installation import why_not
from controller.rigs.nxt_cradle.brick_program.player import Player
from controller.rigs.nxt_cradle.calibration.validity import doubts
from controller.rigs.nxt_cradle.calibration.values import Calibration
from controller.rigs.nxt_cradle.choreography import Choreographer
from controller.rigs.nxt_cradle.direct_mechanism import DirectMechanism
from controller.rigs.nxt_cradle.drives.direct_player import BEYOND_DEG, DirectPlayer
from controller.rigs.nxt_cradle.homing import Homing
from controller.rigs.nxt_cradle.program_mechanism import ProgramMechanism
from solvers.foundation.clock import Clock


class OpenDrive(Protocol):
    """Makes a drive's mechanism of a link, a clock, who keeps the brick awake, and the rig."""

    def __call__(
        self,
        link: BrickLink,
        clock: Clock,
        keep_awake: KeepAwake,
        calibration: Calibration,
        on_motors: OnMotors = nobody_watches,
        /,
    ) -> Mechanism:
        """Return it; `on_motors` hears where the motors stand."""


_log: Final = logging.getLogger(__name__)


def open_program(
    link: BrickLink,
    clock: Clock,
    _: KeepAwake,
    calibration: Calibration,
    on_motors: OnMotors = nobody_watches,
) -> Mechanism:
    """Return the rig driven by our program on the brick."""
    _warn(link, calibration, ProgramMechanism.drive_name)
    player = Player(link, clock, calibration.powers)
    homing = Homing(link, clock, calibration)
    return ProgramMechanism(player, Choreographer(calibration), clock, homing, on_motors)


def open_direct(
    link: BrickLink,
    clock: Clock,
    keep_awake: KeepAwake,
    calibration: Calibration,
    on_motors: OnMotors = nobody_watches,
) -> Mechanism:
    """Return the rig driven by direct commands alone: nothing is installed on the brick."""
    _warn(link, calibration, DirectMechanism.drive_name)
    stall_s = calibration.patience.stall_s
    player = DirectPlayer(link, clock, calibration.powers, stall_s, on_motors)
    choreographer = Choreographer(calibration, BEYOND_DEG)
    homing = Homing(link, clock, calibration)
    return DirectMechanism(link, player, choreographer, keep_awake, clock, homing)


def open_best(
    link: BrickLink,
    clock: Clock,
    keep_awake: KeepAwake,
    calibration: Calibration,
    on_motors: OnMotors = nobody_watches,
) -> Mechanism:
    """Return the rig driven by our program where the brick can run it. Raises RobotError."""
    reason = why_not(link)
    if reason is None:
        return open_program(link, clock, keep_awake, calibration, on_motors)
    _log.warning("%s Direct commands move the motors instead.", reason)
    return open_direct(link, clock, keep_awake, calibration, on_motors)


def _warn(link: BrickLink, calibration: Calibration, drive: str) -> None:
    """Tell whoever listens why planned seconds will not come true, if so."""
    for sentence in doubts(calibration.seconds, drive, link.battery_volts()):
        _log.warning(sentence)


DRIVES: Final[dict[str, OpenDrive]] = {
    "auto": open_best,
    "program": open_program,
    "direct": open_direct,
}
"""The drives by name."""
