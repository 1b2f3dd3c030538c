"""Shows a cube to a camera: the robot turns it, or somebody does by hand."""

from controller.job_events import (
    CameraOpened,
    LookEvent,
    RobotEvent,
    ScanReport,
    Sight,
    Stage,
    StageBegan,
)
from controller.motion.mechanism import Mechanism
from controller.opening import OpenCamera, Robot
from controller.vision.camera.sources import FrameSource
from controller.vision.reading.result import Verdict
from controller.vision.scans.hand_scan import hand_scan
from controller.vision.scans.robot_scan import robot_scan
from controller.vision.scans.viewing import shows
from solvers.foundation.progress import Job, checked
from solvers.rubik.cubies import CubieCube


def scan_by_robot(robot: Robot, camera: OpenCamera) -> Job[LookEvent, ScanReport]:
    """Let the robot show all faces; the rig has to stand at home.

    Raises ScanFailedError, CameraError and RobotError, with the motors off.
    """
    with camera() as source, robot.connect() as mechanism:
        mechanism.set_home()
        try:
            return (yield from look(source, robot, mechanism))
        finally:
            mechanism.release()


def scan_by_hand(camera: OpenCamera) -> Job[LookEvent, ScanReport]:
    """Let somebody show all faces. Raises ScanFailedError and CameraError."""
    with camera() as source:
        yield _opened(source)
        outcome = yield from hand_scan(source)
    return ScanReport(outcome, source.name, source.settings)


def look(source: FrameSource, robot: Robot, mechanism: Mechanism) -> Job[LookEvent, ScanReport]:
    """Let a connected robot show all faces; in a pause the motors are off."""
    controls = robot.controls

    def check() -> None:
        if controls.is_paused:
            mechanism.release()
        controls.wait()

    yield _opened(source)
    scan = robot_scan(source, mechanism.perform, robot.costs)
    outcome = yield from checked(scan, check)
    return ScanReport(outcome, source.name, source.settings)


def look_whether(
    target: CubieCube, camera: OpenCamera, robot: Robot, mechanism: Mechanism
) -> Job[RobotEvent, Sight]:
    """Look at a cube that was driven; only a reading without doubts shows that it is `target`."""
    yield StageBegan(Stage.VERIFY)
    with camera() as source:
        report = yield from look(source, robot, mechanism)
    result = report.outcome.result
    return Sight(result, result.verdict is Verdict.ACCEPTED and shows(result, target))


def _opened(source: FrameSource) -> CameraOpened:
    return CameraOpened(source.name, tuple(source.settings.warnings), source.is_live)
