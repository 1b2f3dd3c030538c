"""Prints and saves a finished scan."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from controller.job_events import ScanReport
    from controller.vision.reading.result import ScanResult


def save_report(report: "ScanReport", folder: Path) -> Path:
    """Save a scan below `folder` under a name with the time; return where."""
    from controller.vision.scans.store import save_scan

    place = folder / f"scan-{datetime.now():%Y%m%d-%H%M%S-%f}"
    save_scan(report.outcome, report.camera, report.settings, place)
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
