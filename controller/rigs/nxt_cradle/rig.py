"""What this rig offers to the commands: its drives, its calibration, its bricks."""

import logging
from collections.abc import Mapping
from importlib.resources import files
from typing import Final

from controller.motion.mechanism import Mechanism, OnMotors, ignore_motors
from controller.rigs.nxt_brick.brick_link import BrickLink, KeepAwake
from controller.rigs.nxt_brick.direct_player import BEYOND_DEG, DirectPlayer
from controller.rigs.nxt_brick.motion import MOTOR_NAMES
from controller.rigs.nxt_brick.player import Player
from controller.rigs.nxt_brick.program_drive import ProgramMechanism
from controller.rigs.nxt_brick.programs import Guard, why_not
from controller.rigs.nxt_brick.rig import BrickRig, OpenDrive, warn_of_prices
from controller.rigs.nxt_cradle.calibration.values import FILES, Calibration
from controller.rigs.nxt_cradle.choreography import Choreographer
from controller.rigs.nxt_cradle.direct_drive import DirectMechanism
from controller.rigs.nxt_cradle.homing import Homing
from controller.rigs.nxt_cradle.margins import CradleMargins, as_tuned
from solvers.foundation.clock import Clock

_log: Final = logging.getLogger(__name__)


def open_program(
    link: BrickLink,
    clock: Clock,
    _: KeepAwake,
    calibration: Calibration,
    on_motors: OnMotors = ignore_motors,
) -> Mechanism:
    """Return the rig driven by our program on the brick."""
    volts = link.battery().volts
    warn_of_prices(calibration, ProgramMechanism.drive_name, volts)
    calibration = calibration.at_volts(volts)
    player = Player(link, clock, calibration.powers)
    homing = Homing(link, clock, calibration, player.beat)
    choreographer = Choreographer(as_tuned(calibration))
    return ProgramMechanism(player, choreographer, clock, homing, on_motors)


def open_direct(
    link: BrickLink,
    clock: Clock,
    keep_awake: KeepAwake,
    calibration: Calibration,
    on_motors: OnMotors = ignore_motors,
) -> Mechanism:
    """Return the rig driven by direct commands alone: nothing is installed on the brick."""
    volts = link.battery().volts
    warn_of_prices(calibration, DirectMechanism.drive_name, volts)
    calibration = calibration.at_volts(volts)
    stall_s = calibration.patience.stall_s
    guard = Guard(link, clock)
    player = DirectPlayer(link, clock, calibration.powers, stall_s, on_motors, guard.beat)
    choreographer = Choreographer(calibration, BEYOND_DEG)
    homing = Homing(link, clock, calibration, guard.beat)
    return DirectMechanism(link, player, choreographer, keep_awake, clock, homing, guard)


def open_best(
    link: BrickLink,
    clock: Clock,
    keep_awake: KeepAwake,
    calibration: Calibration,
    on_motors: OnMotors = ignore_motors,
) -> Mechanism:
    """Return the rig driven by our program where the brick can run it. Raises RobotError."""
    reason = why_not(link)
    if reason is None:
        return open_program(link, clock, keep_awake, calibration, on_motors)
    _log.warning("%s Direct commands move the motors instead.", reason)
    return open_direct(link, clock, keep_awake, calibration, on_motors)


DRIVES: Final[Mapping[str, OpenDrive[Calibration]]] = {
    "auto": open_best,
    "program": open_program,
    "direct": open_direct,
}
"""The drives by name."""


def _margins(calibration: Calibration) -> CradleMargins:
    return CradleMargins(calibration, RIG)


RIG: Final[BrickRig[Calibration]] = BrickRig(
    files=FILES,
    open_by_drive=DRIVES,
    motor_names=MOTOR_NAMES,
    default="the default rig of the thesis.",
    calibrate="cuberobot calibrate",
    picture=(files(__package__) / "picture.svg").read_bytes(),
    margins=_margins,
)
