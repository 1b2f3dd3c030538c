"""`cuberobot calibrate`: measure how long the primitives take on your rig."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from controller.cli.options import (
    brick_option,
    calibration_option,
    drive_option,
    rig_option,
    speed_option,
    start_trace,
    trace_option,
)
from solvers.foundation.command_line.app import OUTPUT_FILE, Command, json_option, print_json

if TYPE_CHECKING:
    from controller.robot_jobs import CalibrationReport


@click.command("calibrate", cls=Command)
@brick_option
@click.option("--rounds", type=click.IntRange(min=1, max=20), default=2)
@click.option("-o", "--output", type=OUTPUT_FILE, help="File to write; default: your own.")
@rig_option
@drive_option
@calibration_option
@speed_option
@trace_option
@json_option
def calibrate(
    brick: str,
    rounds: int,
    output: Path | None,
    rig: str,
    drive: str | None,
    calibration: Path | None,
    speed: float,
    trace: Path | None,
    as_json: bool,
) -> None:
    """Play each primitive some times and write the mean seconds into your calibration file.

    The cube ends as it started. Other values in the file stay as they are.

    Examples:
      cuberobot calibrate --brick usb --rounds 5
    """
    from controller.robot_jobs import calibrate as calibrated
    from solvers.foundation.clock import SystemClock
    from solvers.foundation.command_line.progress_view import interrupted_once, show_progress

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
