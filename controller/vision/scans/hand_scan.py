"""A cube shown to a camera by hand: its faces in any order, each turned anyhow."""

from collections.abc import Iterator
from typing import Final

from controller.vision.camera.health import FrameHealth
from controller.vision.camera.sources import FrameSource
from controller.vision.errors import CameraLostError, ScanFailedError
from controller.vision.finding.steady_gate import SteadyGate, view_of_still
from controller.vision.scans.by_hand.advice import Adviser
from controller.vision.scans.by_hand.shown_faces import ShownFaces
from controller.vision.scans.events import FACES, Advised, FrameSeen, ScanJob
from solvers.foundation.arrays import Image

PATIENCE_FRAMES: Final = 3000  # a few minutes of a webcam


def hand_scan(source: FrameSource, *, patience_frames: int = PATIENCE_FRAMES) -> ScanJob:
    """Capture each face as soon as it is held still.

    The face shown first becomes U, the next one beside it R. While the reading is not accepted,
    faces that are shown once more count as a second look, or take the place of one that was read
    amiss. Raises ScanFailedError when faces are missing
    in the end, and CameraError.
    """
    gate = SteadyGate(in_a_hand=True)
    shown = ShownFaces()
    adviser = Adviser()
    for picture in _pictures(source, patience_frames):
        view = view_of_still(picture) if source.is_still else gate.look(picture)
        yield FrameSeen(picture, gate.progress, gate.frames)
        is_face = view is not None or gate.progress > 0
        if (sentence := adviser.look(picture, is_face=is_face)) is not None:
            yield Advised(sentence)
        if view is not None:
            yield from shown.take(view)
            if shown.outcome is not None and shown.is_certain:
                return shown.outcome
        elif gate.progress == 0:
            shown.taken_away()
    if shown.outcome is None:
        raise ScanFailedError(
            f"Only {min(len(shown.faces), FACES)} of the {FACES} faces could be captured from "
            f"{source.name}. Show each face flat to the camera and hold it still, in even light "
            "without glare."
        )
    return shown.outcome


def _pictures(source: FrameSource, patience_frames: int) -> Iterator[Image]:
    """Yield pictures until patience or a recording is over; raises CameraError."""
    health = FrameHealth(source.name)
    for _ in range(patience_frames):
        try:
            picture = source.read()
        except CameraLostError:
            if source.is_live:
                raise
            return
        if source.is_live:
            health.check(picture)
        yield picture
