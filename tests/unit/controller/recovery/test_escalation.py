"""Which recovery action a fault needs, and when recovery gives up."""

import pytest

from controller.errors import (
    BrickFullError,
    BrickRefusedError,
    CubeUncertainError,
    DoubtfulScanError,
    LinkLostError,
    MotorStalledError,
)
from controller.motion.run_record import RecoveryAction
from controller.recovery.escalation import NO_RECOVERY, EscalationPolicy, RecoveryPolicy
from controller.rigs.nxt_cradle.choreography import MANNERS
from controller.vision.errors import (
    BlackPictureError,
    CameraLostError,
    CameraNotFoundError,
    ScanFailedError,
)
from solvers.foundation.errors import PuzzlerigError

STALL = MotorStalledError("It is stuck.")


def new_policy(*, can_look: bool = True, policy: RecoveryPolicy | None = None) -> EscalationPolicy:
    return EscalationPolicy(policy or RecoveryPolicy(), can_look)


@pytest.mark.parametrize(
    ("fault", "needs"),
    [
        (STALL, {RecoveryAction.HOME}),
        (LinkLostError("gone"), {RecoveryAction.RECONNECT}),
        (BrickRefusedError("no"), {RecoveryAction.RECONNECT}),
        (CubeUncertainError("?"), {RecoveryAction.SCAN}),
        (DoubtfulScanError("?"), {RecoveryAction.HOME, RecoveryAction.SCAN}),
        (ScanFailedError("no face"), {RecoveryAction.HOME, RecoveryAction.SCAN}),
        (CameraLostError("gone"), {RecoveryAction.CAMERA}),
        (BlackPictureError("dark"), {RecoveryAction.CAMERA}),
    ],
)
def test_each_fault_needs_its_action(fault: PuzzlerigError, needs: set[RecoveryAction]) -> None:
    escalation = new_policy()
    assert escalation.escalate(fault)
    assert escalation.needs == needs
    assert escalation.reason == str(fault)


def test_a_stall_that_finding_home_did_not_clear_needs_a_scan() -> None:
    escalation = new_policy()
    assert escalation.escalate(STALL)
    escalation.completed(RecoveryAction.HOME, 8.0)
    assert escalation.needs == set()
    assert escalation.escalate(STALL)
    assert escalation.needs == {RecoveryAction.HOME, RecoveryAction.SCAN}


def test_nothing_is_scanned_without_a_camera() -> None:
    escalation = new_policy(can_look=False)
    assert escalation.escalate(STALL)
    escalation.completed(RecoveryAction.HOME, 8.0)
    assert escalation.escalate(STALL)
    assert escalation.needs == {RecoveryAction.HOME}
    assert not new_policy(can_look=False).escalate(CubeUncertainError("?"))


def test_home_that_was_not_found_is_looked_for_again_after_a_longer_rest() -> None:
    escalation = new_policy(can_look=False)
    rests = []
    for _ in range(RecoveryPolicy().max_faults):
        assert escalation.escalate(STALL)
        rests.append(escalation.rest_s())
    assert rests == [1.0, 3.0, 8.0, 8.0, 8.0, 8.0]
    assert not escalation.escalate(STALL)


def test_a_full_brick_is_for_its_owner() -> None:
    assert not new_policy().escalate(BrickFullError("There is no room."))


def test_a_camera_that_was_never_there_is_not_waited_for() -> None:
    assert not new_policy().escalate(CameraNotFoundError("no camera 7"))


def test_a_camera_gets_three_pauses_in_a_whole_job() -> None:
    escalation = new_policy()
    pauses = []
    while escalation.escalate(CameraLostError("gone")):
        pauses.append(escalation.camera_pause_s)
        escalation.progressed()
    assert pauses == [1.0, 5.0, 10.0]


def test_a_scan_with_doubts_is_repeated_twice() -> None:
    escalation = new_policy()
    assert escalation.escalate(DoubtfulScanError("?"))
    assert escalation.escalate(DoubtfulScanError("?"))
    assert not escalation.escalate(ScanFailedError("no face"))


def test_six_episodes_of_six_faults_are_enough() -> None:
    escalation = new_policy()
    for _ in range(6):
        for _ in range(6):
            assert escalation.escalate(STALL)
        escalation.progressed()
    assert escalation.episodes == 6
    assert not escalation.escalate(STALL)
    one = new_policy()
    for _ in range(6):
        assert one.escalate(STALL)
    assert not one.escalate(STALL)


def test_a_cube_is_lost_four_times_and_a_link_besides() -> None:
    escalation = new_policy()
    for _ in MANNERS:  # from the usual manner to the last of the others
        assert escalation.escalate(CubeUncertainError("another face"))
        escalation.completed(RecoveryAction.SCAN, 9.0)
        escalation.progressed()
    assert escalation.escalate(LinkLostError("gone"))
    escalation.completed(RecoveryAction.RECONNECT, 0.5)
    escalation.progressed()
    assert not escalation.escalate(CubeUncertainError("another face"))


def test_a_link_that_could_not_be_made_again_is_given_up() -> None:
    escalation = new_policy()
    assert escalation.escalate(LinkLostError("gone"))
    assert not escalation.escalate(LinkLostError("7 tries did not help"))
    other = new_policy()
    assert other.escalate(LinkLostError("gone"))
    other.completed(RecoveryAction.RECONNECT, 0.5)
    assert other.escalate(LinkLostError("gone again"))


def test_recovery_actions_have_limited_time() -> None:
    escalation = new_policy()
    escalation.completed(RecoveryAction.HOME, RecoveryPolicy().max_s + 1)
    assert not escalation.escalate(LinkLostError("gone"))


def test_progress_ends_an_episode() -> None:
    escalation = new_policy()
    assert escalation.escalate(CubeUncertainError("?"))
    escalation.progressed()
    assert escalation.needs == set()


def test_without_recovery_the_first_fault_is_the_last() -> None:
    escalation = new_policy(policy=NO_RECOVERY)
    assert not escalation.escalate(STALL)
    assert escalation.tried == ""


def test_the_summary_counts_the_actions() -> None:
    escalation = new_policy()
    escalation.completed(RecoveryAction.HOME, 1.0)
    assert escalation.tried == "One recovery action did not help."
    escalation.completed(RecoveryAction.SCAN, 1.0)
    assert escalation.tried == "2 recovery actions did not help."


def test_what_goes_wrong_before_a_lost_cube_is_seen_again_loses_it_no_further() -> None:
    escalation = new_policy()
    assert escalation.escalate(CubeUncertainError("another face"))
    assert escalation.escalate(LinkLostError("gone"))
    escalation.completed(RecoveryAction.RECONNECT, 0.5)
    assert escalation.escalate(CameraLostError("gone"))
    assert escalation.losses == 1
    escalation.progressed()
    assert escalation.escalate(CubeUncertainError("another face"))
    assert escalation.losses == 2
