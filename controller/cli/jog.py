"""`cuberobot jog`: move one motor by hand, to align the rig before a run."""

from pathlib import Path

import click

from controller.cli.options import (
    brick_option,
    calibration_option,
    rig_option,
    speed_option,
    start_trace,
    trace_option,
)
from controller.rigs.registry import get_rig
from solvers.foundation.command_line.app import Command, json_option, print_json


# Without this a negative angle would be taken for an option.
@click.command("jog", cls=Command, context_settings={"ignore_unknown_options": True})
@click.argument("motor", help="cradle, arm or pusher (or its port A, B, C).")
@click.argument("angle_deg", type=int, help="Degrees of the motor; negative is backwards.")
@brick_option
@click.option("--power", type=click.IntRange(min=10, max=100), default=30)
@rig_option
@calibration_option
@speed_option
@trace_option
@json_option
def jog(
    motor: str,
    angle_deg: int,
    brick: str,
    power: int,
    rig: str,
    calibration: Path | None,
    speed: float,
    trace: Path | None,
    as_json: bool,
) -> None:
    """Turn one motor by some degrees and let it coast.

    Examples:
      cuberobot jog cradle -12
    """
    from solvers.foundation.clock import SystemClock
    from solvers.foundation.command_line.progress_view import interrupted_once

    start_trace(trace)
    setup = get_rig(rig).setup(calibration)
    with interrupted_once():
        moved = setup.jog(brick, motor, angle_deg, power, SystemClock(speed))
    if as_json:
        print_json({"motor": moved.motor, "before": moved.before, "after": moved.after})
    else:
        print(f"Motor {moved.motor}: {moved.before} -> {moved.after} degrees.")
