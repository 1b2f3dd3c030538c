"""`cuberobot tune`: find out how tight the margins of a rig's tilt can be."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from controller.cli import options
from solvers.foundation.clock import SystemClock
from solvers.foundation.command_line.app import Command, json_option, print_json, stderr
from solvers.foundation.command_line.progress_view import interrupted_once, show_progress
from solvers.foundation.progress import Progress, map_events

if TYPE_CHECKING:
    from controller.tuning import Tuned, TuneEvent


@click.command("tune", cls=Command)
@options.brick
@click.option(
    "--camera",
    default="0",
    metavar="SOURCE",
    help="Camera that looks at the cube: number or URL.",
)
@options.rig
@options.calibration
@options.speed
@options.trace
@json_option
def tune(
    brick: str,
    camera: str,
    rig: str,
    calibration: Path | None,
    speed: float,
    trace: Path | None,
    as_json: bool,
) -> None:
    """Find out how fast your rig tilts the cube safely; a camera looks on. Takes ten minutes.

    Ctrl-C ends it with the motors off; what was proven is kept, and the same command continues.

    Examples:
      cuberobot tune --brick usb --camera 0
    """
    from controller.errors import StoppedError
    from controller.opening import camera_opener
    from controller.tuning import tune as tuned

    options.start_trace(trace)
    job = tuned(brick, SystemClock(speed), camera_opener(camera), rig=rig, calibration=calibration)
    view = _View()
    try:
        with interrupted_once():
            report = show_progress(map_events(job, view.progress), "tuning")
    except KeyboardInterrupt:
        if not view.has_started:
            raise
        raise StoppedError(
            "Stopped by you; the motors are off. What was proven until then is kept; "
            "`cuberobot tune` continues."
        ) from None
    _show(report, as_json)


class _View:
    """Says what was tried, a line each, and how far the trial is."""

    def __init__(self) -> None:
        self.has_started = False
        self._title = ""
        self._done, self._total = 0, 0

    def progress(self, event: "TuneEvent") -> Progress:
        from controller.job_events import CameraOpened
        from controller.motion.run_record import RecoveryStarted
        from controller.tuning import Settled, Tried

        self.has_started = True
        match event:
            case Tried():
                what = "all margins as they are"
                if event.margin is not None:
                    what = f"{event.margin.meaning} {event.value:g}"
                self._title, self._done, self._total = what, event.tilts, event.total
                if event.fault:
                    self._print(f"{what}: wrong within {event.tilts} tilts. {event.fault}")
                elif event.tilts == event.total:
                    self._print(f"{what}: {event.tilts} tilts, all right")
            case Settled():
                self._print(event.sentence)
            case RecoveryStarted():
                self._print(f"{event.reason} {event.action.capitalize()}.")
            case CameraOpened():
                for warning in event.warnings:
                    self._print(f"Warning: {warning}")
            case _:
                pass
        return Progress(self._title, self._done, self._total or None, "tilts")

    @staticmethod
    def _print(text: str) -> None:
        stderr.print(text, markup=False, highlight=False, soft_wrap=True)


def tuned_report(tuned: "Tuned") -> dict[str, Any]:
    """Return what was earned, by which evidence."""
    import msgspec

    report = tuned.report
    return {
        "file": str(tuned.path),
        "complete": report.is_complete,
        "margins": {name: msgspec.to_builtins(earned) for name, earned in report.earned.items()},
        "tilt_seconds_before": None if report.before_s is None else round(report.before_s, 3),
        "tilt_seconds_after": round(report.after_s, 3),
        "robot_seconds": round(report.robot_s, 1),
    }


def _show(tuned: "Tuned", as_json: bool) -> None:
    if as_json:
        print_json(tuned_report(tuned))
        return
    report = tuned.report
    print(f"{'margin':36} {'start':>6} {'now':>6} {'tilts tried':>12} {'failed':>7}")
    for margin in tuned.ladder:
        earned = report.earned.get(margin.name)
        now = margin.start if earned is None else earned.value
        tried, failed = (earned.tried, earned.failed) if earned else (0, 0)
        print(f"{margin.meaning:36} {margin.start:6g} {now:6g} {tried:12} {failed:7}")
    before = "" if report.before_s is None else f"; before it took {report.before_s:.2f} s"
    print(
        f"A tilt among its neighbours takes {report.after_s:.2f} s{before}. "
        f"Written to {tuned.path}."
    )
    if not report.is_complete:
        print("There is more to try: `cuberobot tune` continues.")
    print("Plans are priced as before; `cuberobot calibrate` measures them again.")
