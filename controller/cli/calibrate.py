"""`cuberobot jog` and `cuberobot calibrate`: align a rig by hand, and measure its primitives."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from controller.cli import options
from controller.rigs.registry import get_rig
from solvers.foundation.clock import SystemClock
from solvers.foundation.command_line.app import OUTPUT_FILE, Command, json_option, print_json
from solvers.foundation.command_line.progress_view import interrupted_once, show_progress

if TYPE_CHECKING:
    from controller.robot_jobs import CalibrationReport


# Without this a negative angle would be taken for an option.
@click.command("jog", cls=Command, context_settings={"ignore_unknown_options": True})
@click.argument("motor", help="cradle, arm or pusher (or its port A, B, C).")
@click.argument("angle_deg", type=int, help="Degrees of the motor; negative is backwards.")
@options.brick
@click.option("--power", type=click.IntRange(min=10, max=100), default=30)
@options.rig
@options.calibration
@options.speed
@options.trace
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
    options.start_trace(trace)
    setup = get_rig(rig).setup(calibration)
    with interrupted_once():
        moved = setup.jog(brick, motor, angle_deg, power, SystemClock(speed))
    if as_json:
        print_json({"motor": moved.motor, "before": moved.before, "after": moved.after})
    else:
        print(f"Motor {moved.motor}: {moved.before} -> {moved.after} degrees.")


@click.command("calibrate", cls=Command)
@options.brick
@click.option("--rounds", type=click.IntRange(min=1, max=20), default=2)
@click.option("-o", "--output", type=OUTPUT_FILE, help="File to write; default: your own.")
@options.rig
@options.drive
@options.calibration
@options.speed
@options.trace
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

    options.start_trace(trace)
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
    """Yield a row for each value, and the name of each part above its rows."""
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
