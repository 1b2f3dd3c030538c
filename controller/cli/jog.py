"""`cuberobot jog`: move one motor by hand, to align the rig before a run."""

from typing import Annotated

import typer

from controller.cli.options import BrickOption, CalibrationOption, SpeedOption
from controller.drivers.rig_steps import Motor
from solvers.foundation.command_line.app import JsonOption, print_json
from solvers.foundation.errors import InvalidInputError

# No part of the rig turns further than this in one go; a typing error should not break it.
MOST_DEG = 1260


def jog(
    motor: Annotated[str, typer.Argument(help="cradle, arm or pusher (or its port A, B, C).")],
    angle_deg: Annotated[int, typer.Argument(help="Degrees of the motor; negative is backwards.")],
    brick: BrickOption = "usb",
    power: Annotated[int, typer.Option("--power", min=10, max=100)] = 30,
    calibration: CalibrationOption = None,
    speed: SpeedOption = 1.0,
    as_json: JsonOption = False,
) -> None:
    """Turn one motor by some degrees and let it coast, e.g. `cuberobot jog cradle -12`."""
    from controller.calibration.calibration_file import load_calibration
    from controller.drivers.brick_address import parse_address
    from controller.drivers.brick_link import BrickLink
    from controller.drivers.direct_drive import DirectDrive
    from controller.drivers.drive import Tolerance
    from solvers.foundation.clock import SystemClock

    which = _motor(motor)
    if abs(angle_deg) > MOST_DEG:
        raise InvalidInputError(f"{angle_deg} degrees is too far; at most {MOST_DEG} in one go.")
    rig = load_calibration(calibration)
    with BrickLink(parse_address(brick)) as link:
        before = link.tacho(which)
        try:
            drive = DirectDrive(link, SystemClock(speed), rig.patience.stall_s)
            drive.go(which, before + angle_deg, power, Tolerance(2, 2))
        finally:
            after = link.tacho(which)
            link.coast(which)
    if as_json:
        print_json({"motor": which.name.lower(), "before": before, "after": after})
    else:
        print(f"Motor {which.value} ({which.name.lower()}): {before} -> {after} degrees.")


def _motor(text: str) -> Motor:
    for motor in Motor:
        if text.lower() in (motor.name.lower(), motor.value.lower()):
            return motor
    raise InvalidInputError(f"{text!r} is no motor of the rig: cradle (A), arm (B) or pusher (C).")
