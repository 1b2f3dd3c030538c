"""`cuberobot calibrate`: measure how long the primitives take on your rig."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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


def _lines(values: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    """Yield a row for each value, and the name of a part above the rows of its own."""
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield f"{indent}{name}"
            yield from _lines(value, f"{indent}  ")
        else:
            shown = f"{value:7.2f}" if isinstance(value, float) else f"{value}"
            yield f"{indent + name:20} {shown}"


def _show(report: "CalibrationReport", as_json: bool) -> None:
    import msgspec

    values = msgspec.to_builtins(report.prices)
    if as_json:
        print_json({"file": str(report.path), **values})
        return
    print(f"{'price':20} seconds")
    for line in _lines(values):
        print(line)
    print(f"Written to {report.path}.")
