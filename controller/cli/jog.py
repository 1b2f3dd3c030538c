"""`cuberobot jog`: move one motor by hand, to align the rig before a run."""

from typing import Annotated

import typer

from controller.cli.options import (
    BrickOption,
    CalibrationOption,
    RigOption,
    SpeedOption,
    TraceOption,
)
from controller.cli.trace import start_trace
from controller.rigs.registry import DEFAULT_RIG, rig_called
from solvers.foundation.command_line.app import JsonOption, print_json


def jog(
    motor: Annotated[str, typer.Argument(help="cradle, arm or pusher (or its port A, B, C).")],
    angle_deg: Annotated[int, typer.Argument(help="Degrees of the motor; negative is backwards.")],
    brick: BrickOption = "usb",
    power: Annotated[int, typer.Option("--power", min=10, max=100)] = 30,
    rig: RigOption = DEFAULT_RIG,
    calibration: CalibrationOption = None,
    speed: SpeedOption = 1.0,
    trace: TraceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Turn one motor by some degrees and let it coast.

    Examples:
      cuberobot jog cradle -12
    """
    from solvers.foundation.clock import SystemClock
    from solvers.foundation.command_line.interruption import interrupted_once

    start_trace(trace)
    setup = rig_called(rig).setup(calibration)
    with interrupted_once():
        moved = setup.jog(brick, motor, angle_deg, power, SystemClock(speed))
    if as_json:
        print_json({"motor": moved.motor, "before": moved.before, "after": moved.after})
    else:
        print(f"Motor {moved.motor}: {moved.before} -> {moved.after} degrees.")
