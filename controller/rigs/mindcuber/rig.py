"""What a MindCuber offers to the commands: its drive, its calibration, its bricks."""

from importlib.resources import files
from typing import Final

from controller.motion.mechanism import OnMotors, ignore_motors
from controller.rigs.mindcuber.calibration import FILES, NAMES, MindCuberCalibration
from controller.rigs.mindcuber.mechanism import MindCuberMechanism
from controller.rigs.nxt_brick.brick_link import BrickLink, KeepAwake
from controller.rigs.nxt_brick.rig import BrickRig, warn_of_prices
from controller.rigs.rig import OWN_SENSOR
from solvers.foundation.clock import Clock


def open_program(
    link: BrickLink,
    clock: Clock,
    _: KeepAwake,
    calibration: MindCuberCalibration,
    on_motors: OnMotors = ignore_motors,
) -> MindCuberMechanism:
    """Return the machine driven by our program on its brick."""
    warn_of_prices(calibration, MindCuberMechanism.drive_name, link.battery().volts)
    return MindCuberMechanism(link, clock, calibration, on_motors)


RIG: Final = BrickRig(
    files=FILES,
    open_by_drive={MindCuberMechanism.drive_name: open_program},
    motor_names=NAMES,
    default="the default MindCuber of the NXT 2.0 kit.",
    calibrate="cuberobot calibrate --rig mindcuber",
    own_eye=OWN_SENSOR,
    picture=(files(__package__) / "picture.svg").read_bytes(),
)
"""The machine that most owners of an NXT have built."""
