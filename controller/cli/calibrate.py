"""`cuberobot calibrate`: measure how long the primitives take on your rig."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from controller.cli.options import (
    BrickOption,
    CalibrationOption,
    DriveOption,
    RigOption,
    SpeedOption,
    TraceOption,
)
from controller.cli.trace import start_trace
from controller.rigs.registry import DEFAULT_RIG
from solvers.foundation.command_line.app import JsonOption, print_json
from solvers.foundation.command_line.options import output_file

if TYPE_CHECKING:
    from controller.calibrate_job import CalibrationReport


def calibrate(
    brick: BrickOption = "usb",
    rounds: Annotated[int, typer.Option("--rounds", min=1, max=20)] = 2,
    output: Annotated[
        Path | None, output_file("-o", "--output", help="File to write; default: your own.")
    ] = None,
    rig: RigOption = DEFAULT_RIG,
    drive: DriveOption = None,
    calibration: CalibrationOption = None,
    speed: SpeedOption = 1.0,
    trace: TraceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play each primitive some times and write the mean seconds into your calibration file.

    The cube ends as it began. Other values in the file stay as they are.

    Examples:
      cuberobot calibrate --brick usb --rounds 5
    """
    from controller.calibrate_job import calibrate as calibrated
    from solvers.foundation.clock import SystemClock
    from solvers.foundation.command_line.interruption import interrupted_once
    from solvers.foundation.command_line.progress_view import show_progress

    start_trace(trace)
    job = calibrated(
        brick,
        SystemClock(speed),
        rig=rig,
        drive=drive,
        calibration=calibration,
        output=output,
        rounds=rounds,
    )
    with interrupted_once():
        report = show_progress(job, "calibrating")
    _show(report, as_json)


def _show(report: "CalibrationReport", as_json: bool) -> None:
    import msgspec

    values = msgspec.to_builtins(report.prices)
    if as_json:
        print_json({"file": str(report.path), **values})
        return
    for name, value in values.items():
        print(f"{name:16} {value}")
    print(f"Written to {report.path}.")
