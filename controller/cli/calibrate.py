"""`cuberobot calibrate`: measure how long the primitives take on your rig."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from controller.cli.drive_view import connected
from controller.cli.options import BrickOption, CalibrationOption, MotorControlOption, SpeedOption
from solvers.foundation.command_line.app import JsonOption, print_json, stderr

if TYPE_CHECKING:
    from controller.calibration.calibration import Seconds


def calibrate(
    brick: BrickOption = "usb",
    rounds: Annotated[int, typer.Option("--rounds", min=1, max=20)] = 3,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="File to write; default: your own.")
    ] = None,
    motor_control: MotorControlOption = False,
    calibration: CalibrationOption = None,
    speed: SpeedOption = 1.0,
    as_json: JsonOption = False,
) -> None:
    """Play each primitive some times and write the mean seconds into your calibration file.

    The cube ends as it began. Other values in the file stay as they are.
    """
    from controller.calibration.calibration_file import (
        load_calibration,
        save_seconds,
        user_calibration_path,
    )
    from controller.calibration.measurement import measure_seconds
    from solvers.foundation.clock import SystemClock

    rig = load_calibration(calibration)
    clock = SystemClock(speed)
    path = output or calibration or user_calibration_path()
    with connected(brick, motor_control, rig, clock) as mechanism:
        try:
            mechanism.set_home()
            with stderr.status("measuring"):
                seconds = measure_seconds(mechanism, clock, rounds)
        finally:
            mechanism.release()
    save_seconds(path, seconds)
    _show(seconds, path, as_json)


def _show(seconds: "Seconds", path: Path, as_json: bool) -> None:
    values = {
        "tilt": seconds.tilt,
        "spin": list(seconds.spin),
        "turn": list(seconds.turn),
        "open_arm_saving": seconds.open_arm_saving,
    }
    if as_json:
        print_json({"file": str(path), **values})
        return
    for name, value in values.items():
        print(f"{name:16} {value}")
    print(f"Written to {path}.")
