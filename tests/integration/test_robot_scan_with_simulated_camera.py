"""The robot's scan against rendered frames, in virtual time: the cube moves as it is told to."""

import numpy as np
import pytest
from msgspec.structs import replace

from controller.vision.errors import BlackPictureError, FrozenPictureError, ScanFailedError
from controller.vision.reading.reader import ACCEPTED_CONFIDENCE
from controller.vision.reading.result import Verdict
from controller.vision.scans.events import ScanOutcome
from controller.vision.scans.hand_scan import hand_scan
from controller.vision.scans.robot_scan import robot_scan
from hardware_sims.rigs.cradle.camera.levels import LEVELS, CameraFault, FaultKind
from hardware_sims.rigs.cubes import CradledCube
from solvers.foundation.arrays import Image
from solvers.foundation.progress import run_job
from solvers.rubik.cubies import SOLVED
from solvers.rubik.facelets import format_facelets
from solvers.rubik.rotations import Face
from solvers.rubik.scramble import random_state
from tests.camera_rig import COSTS, CameraRig


def scanned(rig: CameraRig) -> ScanOutcome:
    return run_job(robot_scan(rig, rig.perform, COSTS, patience_frames=45))


@pytest.mark.parametrize(("level", "seed"), [(1, 0), (2, 3)])
def test_the_robot_reads_the_cube_as_it_lies_in_the_end(level: int, seed: int) -> None:
    rig = CameraRig(CradledCube(random_state(seed)), level, seed)
    outcome = scanned(rig)
    assert outcome.result.facelets == rig.cube.facelets
    assert outcome.result.verdict is Verdict.ACCEPTED
    own = format_facelets(random_state(seed))
    places = [outcome.orientation.place_of(Face[letter]).name for letter in rig.cube.stickers]
    assert "".join(places) == rig.cube.facelets
    assert sorted(own) == sorted(rig.cube.stickers)


def test_a_cube_that_was_put_in_turned_over_is_read_as_it_lies() -> None:
    rig = CameraRig(CradledCube(random_state(3)).tilted().spun(1).tilted())
    assert scanned(rig).result.facelets == rig.cube.facelets


@pytest.mark.parametrize("seed", [190, 193])
def test_what_is_clear_needs_one_tour(seed: int) -> None:
    """Dark but with no question left; a lamp in a sticker that a turned layer would not explain."""
    rig = CameraRig(CradledCube(random_state(seed)), level=3, seed=seed)
    outcome = scanned(rig)
    assert len(outcome.views) == len(Face)
    assert outcome.result.facelets == rig.cube.facelets


@pytest.mark.parametrize("seed", [4, 9])
def test_at_the_hardest_level_nothing_wrong_is_accepted(seed: int) -> None:
    rig = CameraRig(CradledCube(random_state(seed)), level=3, seed=seed)
    try:
        result = scanned(rig).result
    except ScanFailedError:
        return
    if result.facelets != rig.cube.facelets:
        assert result.verdict is not Verdict.ACCEPTED
        assert result.confidence < ACCEPTED_CONFIDENCE


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_the_camera_may_be_mounted_any_way_round(quarters: int) -> None:
    rig = CameraRig(CradledCube(random_state(9)))
    upright = rig.read
    rig.read = lambda: np.ascontiguousarray(np.rot90(upright(), quarters))  # type: ignore[method-assign]
    assert scanned(rig).result.facelets == rig.cube.facelets


def test_six_faces_are_shown_with_seven_motions() -> None:
    rig = CameraRig(CradledCube(random_state(5)))
    scanned(rig)
    assert rig.motions == 7  # five tilts and two spins


def test_after_a_solve_the_robot_sees_that_the_cube_is_solved() -> None:
    assert scanned(CameraRig(CradledCube(SOLVED))).result.cube.is_solved


def test_a_hand_over_the_cube_is_waited_for() -> None:
    hand = CameraFault(FaultKind.HAND, start_s=3.0, end_s=5.0)
    rig = CameraRig(CradledCube(random_state(6)), faults=[hand])
    assert scanned(rig).result.facelets == rig.cube.facelets


def test_a_first_face_that_is_not_seen_gives_way_to_another_one() -> None:
    """Noise stands for a face with too much glare on it, as long as that comes first."""
    rig = CameraRig(CradledCube(random_state(5)))
    seen, noise = rig.read, np.random.default_rng(1)

    def read() -> Image:
        picture = seen()
        return picture if rig.motions else noise.integers(90, 99, picture.shape, np.uint8)

    rig.read = read  # type: ignore[method-assign]
    assert scanned(rig).result.facelets == rig.cube.facelets
    assert rig.motions == 8


def test_a_hand_that_stays_is_reported() -> None:
    rig = CameraRig(CradledCube(random_state(6)), faults=[CameraFault(FaultKind.HAND)])
    with pytest.raises(ScanFailedError, match="covers the cube"):
        scanned(rig)
    assert rig.motions == 1


def test_a_cube_under_four_strong_lamps_is_read() -> None:
    """No frame of the first two faces shows where they are; a mean of some without glare does."""
    level = replace(LEVELS[2], glares=4, glare_strength=0.95)
    rig = CameraRig(CradledCube(random_state(1006)), level, seed=1006)
    outcome = scanned(rig)
    assert outcome.result.facelets == rig.cube.facelets
    assert outcome.result.verdict is Verdict.ACCEPTED
    assert rig.motions == 7


def test_an_exposure_jump_between_faces_is_no_wrong_reading() -> None:
    jump = CameraFault(FaultKind.EXPOSURE_JUMP, start_s=4.0, end_s=6.0)
    rig = CameraRig(CradledCube(random_state(7)), faults=[jump])
    result = scanned(rig).result
    assert result.facelets == rig.cube.facelets or result.verdict is not Verdict.ACCEPTED


@pytest.mark.parametrize(
    ("kind", "error"),
    [(FaultKind.FROZEN, FrozenPictureError), (FaultKind.BLACK, BlackPictureError)],
)
def test_a_camera_that_sees_nothing_new_is_reported(kind: FaultKind, error: type) -> None:
    rig = CameraRig(CradledCube(random_state(8)), faults=[CameraFault(kind, start_s=0.5)])
    with pytest.raises(error, match="simulated camera"):
        scanned(rig)


class Hand(CameraRig):
    """Somebody who shows the faces one after the other, each turned somehow."""

    FRAMES = 9

    def __init__(self, cube: CradledCube, faces: str, seed: int) -> None:
        super().__init__(cube, level=1, seed=seed)
        self._views = [self._showing(face, index + seed) for index, face in enumerate(faces)]
        self._frames = 0

    def read(self) -> Image:
        index = min(self._frames // self.FRAMES, len(self._views) - 1)
        self.cube = self._views[index]
        self._frames += 1
        if self._frames % self.FRAMES == 0:
            return np.full((480, 640, 3), 90, np.uint8)  # turning the cube
        return self.camera.picture()

    def _showing(self, face: str, spins: int) -> CradledCube:
        ways = [self.cube, self.cube.spun(1)]
        ways += [way.tilted().tilted() for way in ways] + [way.tilted() for way in ways]
        ways += [way.tilted() for way in ways[2:4]]
        return next(w for w in ways if w.orientation[Face.U].name == face).spun(spins)


@pytest.mark.parametrize(("faces", "seed"), [("URFDLB", 1), ("URRFDULB", 2)])
def test_a_cube_shown_by_hand_is_put_together(faces: str, seed: int) -> None:
    cube = CradledCube(random_state(seed))
    result = run_job(hand_scan(Hand(cube, faces, seed))).result
    assert result.facelets == cube.facelets
    assert result.verdict is Verdict.ACCEPTED


def test_too_few_faces_are_reported_with_their_number() -> None:
    hand = Hand(CradledCube(random_state(3)), "UR", 3)
    with pytest.raises(ScanFailedError, match="Only 2 of the 6 faces"):
        run_job(hand_scan(hand, patience_frames=24))
