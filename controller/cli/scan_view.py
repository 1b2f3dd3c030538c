"""Opens cameras for the commands and shows a scan while it goes on."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from solvers.foundation.command_line.app import stderr
from solvers.foundation.progress import run_job

if TYPE_CHECKING:
    from controller.drivers.mechanism import Mechanism
    from controller.motion.cost_model import CostModel
    from controller.vision.camera.sources import FrameSource
    from controller.vision.reading.result import ScanResult
    from controller.vision.scans.events import ScanEvent, ScanJob, ScanOutcome

HAND_INSTRUCTIONS = (
    "Show the six faces to the camera one after the other, in any order and turned anyhow. "
    "Hold each still until it is counted. Ctrl-C ends the scan."
)


@contextmanager
def opened_camera(name: str) -> "Iterator[FrameSource]":
    """Open a camera, show its warnings, and close it afterwards."""
    # OpenCV and FFmpeg would write to the terminal what the errors below say in a sentence.
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    from controller.vision.camera.opening import open_source

    with stderr.status(f"Opening {name}"):
        source = open_source(name)
    try:
        for warning in source.settings.warnings:
            stderr.print(f"Warning: {warning}", style="yellow", markup=False, highlight=False)
        yield source
    finally:
        source.close()


def scan_by_robot(
    source: "FrameSource", mechanism: "Mechanism", costs: "CostModel"
) -> "ScanOutcome":
    """Let the robot show all faces; the rig has to stand at home."""
    from controller.vision.scans.robot_scan import robot_scan

    return _shown(robot_scan(source, mechanism.perform, costs))


def scan_by_hand(source: "FrameSource") -> "ScanOutcome":
    """Let somebody show all faces."""
    from controller.vision.scans.hand_scan import hand_scan

    if source.is_live:
        stderr.print(HAND_INSTRUCTIONS)
    return _shown(hand_scan(source))


def _shown(scan: "ScanJob") -> "ScanOutcome":
    from controller.vision.scans.events import (
        FaceCaptured,
        FaceSeenBefore,
        FrameSeen,
        SecondLookWanted,
        Turning,
    )

    columns = [TextColumn("{task.description:<34}"), BarColumn(), TimeElapsedColumn()]
    with Progress(*columns, console=stderr) as progress:
        task = progress.add_task("looking for a face", total=6)

        def draw(event: "ScanEvent") -> None:
            if isinstance(event, Turning):
                progress.update(task, description=str(event.motion))
            elif isinstance(event, FrameSeen):
                steady = f"holding still {event.steady}/{event.wanted}"
                text = steady if event.steady else "looking for a face"
                progress.update(task, description=text)
            elif isinstance(event, FaceSeenBefore):
                progress.update(task, description=f"face {event.number} is known; show another")
            elif isinstance(event, SecondLookWanted):
                for reason in event.result.reasons:
                    stderr.print(reason, style="yellow", markup=False, highlight=False)
            elif isinstance(event, FaceCaptured):
                text = f"face {event.number} of {event.total} captured"
                progress.update(task, completed=event.number, description=text)

        return run_job(scan, on_event=draw)


def save_outcome(outcome: "ScanOutcome", source: "FrameSource", folder: Path) -> Path:
    """Save a scan below `folder` under a name with the time; return where."""
    from datetime import datetime

    from controller.vision.scans.store import save_scan

    place = folder / f"scan-{datetime.now():%Y%m%d-%H%M%S-%f}"
    save_scan(outcome, source.name, source.settings, place)
    return place


def reading_as_text(result: "ScanResult") -> str:
    """Return the unfolded cube, what was decided, and why."""
    rows = [result.facelets[start : start + 3] for start in range(0, 54, 3)]
    up, right, front, down, left, back = (rows[3 * face : 3 * face + 3] for face in range(6))
    net = [f"    {row}" for row in up]
    net += [" ".join(strips) for strips in zip(left, front, right, back, strict=True)]
    net += [f"    {row}" for row in down]
    decision = f"{result.verdict} with confidence {result.confidence:.3f}"
    return "\n".join([*net, result.facelets, decision, *result.reasons])
