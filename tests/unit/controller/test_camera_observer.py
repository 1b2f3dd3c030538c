"""What counts as seen: only a reading without doubts verifies a cube."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest

from controller.camera_observer import SURE, CameraObserver
from controller.vision.camera import CameraSettings
from controller.vision.reading.result import ScanResult, Verdict
from controller.vision.scans.events import ScanEvent, ScanOutcome
from solvers.foundation.arrays import Image
from solvers.foundation.progress import Job, run_job
from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.notation import Move
from tests.unit.controller.recovery.test_runner import Machine

TURNED = SOLVED.apply([Move.R1])


class Source:
    """A camera that is there; its frames do not matter."""

    name = "camera"
    settings = CameraSettings()
    is_live = True
    is_still = False

    def read(self) -> Image:
        return np.zeros((1, 1, 3), np.uint8)

    def close(self) -> None:
        pass


@contextmanager
def camera() -> Iterator[Source]:
    yield Source()


def outcome(cube: CubieCube, verdict: Verdict) -> ScanOutcome:
    result = ScanResult(cube, 0.9, (), verdict, np.zeros((54, 6)))

    class Outcome(ScanOutcome):
        rgb = np.zeros((1, 54, 3))

    return Outcome(result, (), np.zeros(0, np.int64))


@pytest.mark.parametrize(
    ("seen", "verdict", "is_reached"),
    [
        (TURNED, Verdict.ACCEPTED, True),
        (TURNED, Verdict.DOUBTFUL, False),
        (TURNED, Verdict.RESCAN, False),
        (SOLVED, Verdict.ACCEPTED, False),
    ],
)
def test_only_a_reading_without_doubts_verifies_the_target(
    monkeypatch: pytest.MonkeyPatch,
    seen: CubieCube,
    verdict: Verdict,
    is_reached: bool,
) -> None:
    def scan(*_: object) -> Job[ScanEvent, ScanOutcome]:
        yield from ()
        return outcome(seen, verdict)

    monkeypatch.setattr("controller.camera_observer.robot_scan", scan)
    machine = Machine()
    sight = run_job(CameraObserver(camera, machine.robot).verify(TURNED, machine))
    assert sight.target_reached is is_reached
    assert sight.result.verdict is verdict


@pytest.mark.parametrize(("confidence", "is_checked"), [(SURE, True), (0.98, False)])
def test_few_faces_verify_a_drive_only_after_a_scan_that_is_sure(
    monkeypatch: pytest.MonkeyPatch, confidence: float, is_checked: bool
) -> None:
    chosen: list[object] = []
    monkeypatch.setattr("controller.camera_observer.choose_spot_check", lambda *a: chosen.append(a))
    machine = Machine()
    observer = CameraObserver(camera, machine.robot)
    scanned = outcome(TURNED, Verdict.ACCEPTED)
    observer._last = replace(scanned, result=replace(scanned.result, confidence=confidence))
    assert run_job(observer.spot_check(TURNED, (), machine)) is None
    assert bool(chosen) is is_checked
