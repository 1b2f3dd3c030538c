"""Saved scans once more through today's finder and reader, and as cases for the tests."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from controller.vision.errors import InvalidScanError
from controller.vision.finding.steady_gate import view_of_still
from controller.vision.reading.reader import read_cube
from controller.vision.reading.result import ScanResult, Verdict
from controller.vision.scans.store import StoredScan
from solvers.rubik.facelets import parse_facelets


@dataclass(frozen=True, slots=True, eq=False)
class Replay:
    """`result` is None when a face is not found any more; `lost` numbers those pictures from 1."""

    result: ScanResult | None
    lost: tuple[int, ...]
    as_saved: bool

    def as_json(self) -> dict[str, Any]:
        """Return the keys of a reading, and whether it is the one that was saved."""
        if self.result is not None:
            return {**self.result.as_json(), "as_saved": self.as_saved}
        pictures = ", ".join(map(str, self.lost))
        return {
            "facelets": None,
            "confidence": 0.0,
            "doubtful": [],
            "verdict": str(Verdict.RESCAN),
            "reasons": [f"No face is found in picture {pictures} of the saved scan."],
            "as_saved": False,
        }


def replay_scan(scan: StoredScan, corrections: Mapping[int, str] | None = None) -> Replay:
    """Find and read the pictures of a saved scan again, with stickers set by hand if given."""
    views = [view_of_still(picture) for picture in scan.pictures]
    lost = tuple(number for number, view in enumerate(views, start=1) if view is None)
    if lost:
        return Replay(None, lost, as_saved=False)
    colours = np.concatenate([view.colours for view in views if view is not None])
    result = read_cube(colours[scan.facelets], corrections)
    return Replay(result, (), as_saved=result.facelets == scan.reading.facelets)


def case_of_scan(scan: StoredScan, truth: str | None = None) -> dict[str, Any]:
    """Return a case for `cuberobot scan read` and for the tests, its truth included.

    The truth is what the scan read if it was accepted; otherwise it has to be given.
    Raises InvalidScanError without it, FaceletError if it is no cube.
    """
    if truth is None:
        if scan.reading.verdict is not Verdict.ACCEPTED:
            raise InvalidScanError(
                f"The reading of {scan.name} was not certain, so it cannot serve as the truth. "
                "Give the 54 facelets that the cube really had."
            )
        truth = scan.reading.facelets
    parse_facelets(truth)
    return {"name": scan.name, "rgb": scan.rgb[-1].tolist(), "truth": truth}
