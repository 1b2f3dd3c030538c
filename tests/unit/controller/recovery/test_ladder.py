"""Which remedy a fault gets, and when it is enough."""

import pytest

from controller.errors import (
    BrickFullError,
    BrickRefusedError,
    CubeUncertainError,
    DoubtfulScanError,
    LinkLostError,
    MotorStalledError,
)
from controller.motion.driving.recovery import Remedy
from controller.recovery.ladder import Ladder
from controller.recovery.policy import NO_RECOVERY, RecoveryPolicy
from controller.vision.errors import (
    BlackPictureError,
    CameraLostError,
    CameraNotFoundError,
    ScanFailedError,
)
from solvers.foundation.errors import PuzzlerigError

STALL = MotorStalledError("It is stuck.")


def ladder(*, can_look: bool = True, policy: RecoveryPolicy | None = None) -> Ladder:
    return Ladder(policy or RecoveryPolicy(), can_look)


@pytest.mark.parametrize(
    ("fault", "needs"),
    [
        (STALL, {Remedy.HOME}),
        (LinkLostError("gone"), {Remedy.RECONNECT}),
        (BrickRefusedError("no"), {Remedy.RECONNECT}),
        (CubeUncertainError("?"), {Remedy.SCAN}),
        (DoubtfulScanError("?"), {Remedy.HOME, Remedy.SCAN}),
        (ScanFailedError("no face"), {Remedy.HOME, Remedy.SCAN}),
        (CameraLostError("gone"), {Remedy.CAMERA}),
        (BlackPictureError("dark"), {Remedy.CAMERA}),
    ],
)
def test_each_fault_has_its_remedy(fault: PuzzlerigError, needs: set[Remedy]) -> None:
    rungs = ladder()
    assert rungs.take(fault)
    assert rungs.needs == needs
    assert rungs.reason == str(fault)


def test_a_stall_that_finding_home_did_not_mend_needs_a_look() -> None:
    rungs = ladder()
    assert rungs.take(STALL)
    rungs.done(Remedy.HOME, 8.0)
    assert rungs.needs == set()
    assert rungs.take(STALL)
    assert rungs.needs == {Remedy.HOME, Remedy.SCAN}


def test_nobody_looks_without_a_camera() -> None:
    rungs = ladder(can_look=False)
    assert rungs.take(STALL)
    rungs.done(Remedy.HOME, 8.0)
    assert rungs.take(STALL)
    assert rungs.needs == {Remedy.HOME}
    assert not ladder(can_look=False).take(CubeUncertainError("?"))


def test_home_that_was_not_found_is_looked_for_again_after_a_longer_rest() -> None:
    rungs = ladder(can_look=False)
    rests = []
    for _ in range(RecoveryPolicy().most_faults):
        assert rungs.take(STALL)
        rests.append(rungs.rest_s())
    assert rests == [1.0, 3.0, 8.0, 8.0, 8.0, 8.0]
    assert not rungs.take(STALL)


def test_a_full_brick_is_for_its_owner() -> None:
    assert not ladder().take(BrickFullError("There is no room."))


def test_a_camera_that_was_never_there_is_not_waited_for() -> None:
    assert not ladder().take(CameraNotFoundError("no camera 7"))


def test_a_camera_gets_three_pauses_in_a_whole_job() -> None:
    rungs = ladder()
    pauses = []
    while rungs.take(CameraLostError("gone")):
        pauses.append(rungs.camera_pause_s)
        rungs.led_on()
    assert pauses == [1.0, 5.0, 10.0]


def test_a_scan_with_doubts_is_repeated_once() -> None:
    rungs = ladder()
    assert rungs.take(DoubtfulScanError("?"))
    assert not rungs.take(ScanFailedError("no face"))


def test_six_episodes_of_six_faults_are_enough() -> None:
    rungs = ladder()
    for _ in range(6):
        for _ in range(6):
            assert rungs.take(STALL)
        rungs.led_on()
    assert rungs.episodes == 6
    assert not rungs.take(STALL)
    one = ladder()
    for _ in range(6):
        assert one.take(STALL)
    assert not one.take(STALL)


def test_a_cube_is_lost_three_times_and_a_link_besides() -> None:
    rungs = ladder()
    for _ in range(3):
        assert rungs.take(CubeUncertainError("another face"))
        rungs.done(Remedy.SCAN, 9.0)
        rungs.led_on()
    assert rungs.take(LinkLostError("gone"))
    rungs.done(Remedy.RECONNECT, 0.5)
    rungs.led_on()
    assert not rungs.take(CubeUncertainError("another face"))


def test_a_link_that_could_not_be_made_again_is_given_up() -> None:
    rungs = ladder()
    assert rungs.take(LinkLostError("gone"))
    assert not rungs.take(LinkLostError("7 tries did not help"))
    other = ladder()
    assert other.take(LinkLostError("gone"))
    other.done(Remedy.RECONNECT, 0.5)
    assert other.take(LinkLostError("gone again"))


def test_remedies_have_their_time() -> None:
    rungs = ladder()
    rungs.done(Remedy.HOME, RecoveryPolicy().most_s + 1)
    assert not rungs.take(LinkLostError("gone"))


def test_what_led_on_is_over() -> None:
    rungs = ladder()
    assert rungs.take(CubeUncertainError("?"))
    rungs.led_on()
    assert rungs.needs == set()


def test_without_recovery_the_first_fault_is_the_last() -> None:
    rungs = ladder(policy=NO_RECOVERY)
    assert not rungs.take(STALL)
    assert rungs.tried == ""


def test_it_tells_how_much_was_tried() -> None:
    rungs = ladder()
    rungs.done(Remedy.HOME, 1.0)
    assert rungs.tried == "One attempt to mend it did not help."
    rungs.done(Remedy.SCAN, 1.0)
    assert rungs.tried == "2 attempts to mend it did not help."
