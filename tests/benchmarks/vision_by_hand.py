"""Cubes shown by hand, and photographs that are disturbed: how many are read right."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from controller.vision.errors import ScanFailedError
from controller.vision.finding.grid_finder import find_grid_in_still
from controller.vision.finding.steady_gate import FaceView, view_of_still
from controller.vision.reading.result import Verdict
from controller.vision.scans.events import ScanEvent, ScanOutcome
from controller.vision.scans.hand_scan import hand_scan
from controller.vision.scans.shown_faces import ShownFaces
from controller.vision.scans.viewing import shows
from solvers.foundation.progress import Job, run_job
from solvers.rubik.cubies import CubieCube
from solvers.rubik.facelets import parse_facelets
from tests.eyes.disturbances import DISTURBANCES, Disturbance
from tests.eyes.hand_stream import MANNERS, HandStream
from tests.eyes.stickers import sticker_sets
from tests.vision_data import PHOTO_FOLDER, photo, real_scans

STREAMS: Final = 10
DISTURBED: Final = 8  # each photographed cube so often
TIMES: Final = 3  # that faces are shown while the reading is in doubt

_TRUTHS: Final = {scan.name.removeprefix("img/"): scan.truth for scan in real_scans()}


def hand_table() -> Iterator[str]:
    """Yield what is read of streams in each manner."""
    yield "| manner | right and accepted | wrong and accepted | frames (median) |"
    yield "|---|---|---|---|"
    for name, manner in MANNERS.items():
        right = wrong = 0
        frames = []
        for seed in range(STREAMS):
            stream = HandStream(manner, seed)
            verdict = _judged(_scanned(stream), parse_facelets(stream.facelets))
            right, wrong = right + (verdict is True), wrong + (verdict is False)
            frames.append(stream.frames_read)
        yield f"| {name} | {right}/{STREAMS} | {wrong} | {np.median(frames):.0f} |"


def disturbed_table() -> Iterator[str]:
    """Yield what is read of disturbed photographs, and of those shown again after a doubt.

    Each time they are turned by a quarter, as a cube is in its place; glares stay where they are.
    """
    cubes = DISTURBED * len(sticker_sets())
    yield "| disturbance | faces found | right and accepted | shown twice | three times | wrong |"
    yield "|---|---|---|---|---|---|"
    for name, disturbance in DISTURBANCES.items():
        found = wrong = 0
        right = [0] * TIMES
        for folder in (each.name for each in sticker_sets()):
            truth = _TRUTHS[folder]
            assert truth is not None
            for seed in range(DISTURBED):
                shown = ShownFaces()
                for time in range(TIMES):
                    if not shown.is_certain:
                        captured = _show(shown, folder, disturbance, seed, quarters=time)
                        found += captured if time == 0 else 0
                    verdict = _judged(shown.outcome, parse_facelets(truth))
                    right[time] += verdict is True
                wrong += verdict is False
        shares = " | ".join(f"{each}/{cubes}" for each in right)
        yield f"| {name} | {found}/{6 * cubes} | {shares} | {wrong} |"


def _show(
    shown: ShownFaces, folder: str, disturbance: Disturbance, seed: int, *, quarters: int
) -> int:
    """Show the six faces of a photographed cube; return how many were found."""
    views = list(_disturbed(folder, disturbance, seed, quarters=quarters))
    for view in views:
        if not shown.is_certain:
            shown.taken_away()
            run_job(_taken(shown, view))
    return len(views)


def _taken(shown: ShownFaces, view: FaceView) -> Job[ScanEvent, None]:
    yield from shown.take(view)


def _scanned(stream: HandStream) -> ScanOutcome | None:
    try:
        return run_job(hand_scan(stream))
    except ScanFailedError:
        return None


def _judged(outcome: ScanOutcome | None, truth: CubieCube) -> bool | None:
    """Return whether an accepted reading is right, None without one."""
    if outcome is None or outcome.result.verdict is not Verdict.ACCEPTED:
        return None
    return shows(outcome.result, truth)


def _disturbed(
    folder: str, disturbance: Disturbance, seed: int, *, quarters: int
) -> Iterator[FaceView]:
    for number, face in enumerate("URFDLB"):
        picture = photo(PHOTO_FOLDER / folder / f"rubiks-side-{face}.png")
        picture = np.rot90(picture, quarters).copy()
        grid = find_grid_in_still(picture)
        assert grid is not None
        rng = np.random.default_rng([seed, number, 18])
        view = view_of_still(disturbance.on(picture, grid.centres, rng))
        if view is not None:
            yield view
