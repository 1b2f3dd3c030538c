"""Scans a cube and does nothing else: the robot shows it, or somebody does by hand."""

from controller.job_events import LookEvent, RobotEvent, ScanReport
from controller.looking import Eyes, opened
from controller.opening import OpenCamera, Robot
from controller.recovery.connection import Connection
from controller.recovery.ladder import Ladder
from controller.recovery.mender import Mender
from controller.recovery.policy import RecoveryPolicy
from controller.vision.scans.hand_scan import hand_scan
from solvers.foundation.progress import Job

ADVICE = "Begin the scan again."


def scan_by_robot(
    robot: Robot, camera: OpenCamera, policy: RecoveryPolicy | None = None
) -> Job[RobotEvent, ScanReport]:
    """Let the robot show all faces, from the first one again where something goes wrong.

    Raises ScanFailedError, CameraError and RobotError, with the motors off.
    """
    policy = policy or RecoveryPolicy()
    eyes = Eyes(camera, robot)
    with Connection(robot, policy) as connection:

        def show_all() -> Job[RobotEvent, ScanReport]:
            if connection.known is None:
                connection.set_home()
            return (yield from eyes.scan(connection))

        mender = Mender(connection, robot.controls, Ladder(policy, can_look=True))
        return (yield from mender.carry_out(show_all, lambda _: ADVICE))


def scan_by_hand(camera: OpenCamera) -> Job[LookEvent, ScanReport]:
    """Let somebody show all faces. Raises ScanFailedError and CameraError."""
    with camera() as source:
        yield opened(source)
        outcome = yield from hand_scan(source)
    return ScanReport(outcome, source.name, source.settings)
