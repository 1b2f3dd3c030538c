"""Shows a cube to a camera: the robot turns it, or somebody does by hand."""

from controller.job_events import CameraOpened, LookEvent, ScanReport
from controller.motion.mechanism import Mechanism
from controller.opening import OpenCamera, Robot
from controller.vision.frame_source import FrameSource
from controller.vision.hand_scan import HandScan
from controller.vision.scan_session import RobotScan
from solvers.foundation.progress import Job


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
        scan = HandScan(source)
        yield from scan.events()
    assert scan.outcome is not None
    return ScanReport(scan.outcome, source.name, source.settings)


def look(source: FrameSource, robot: Robot, mechanism: Mechanism) -> Job[LookEvent, ScanReport]:
    """Let a connected robot show all faces; in a pause the motors are off."""
    controls = robot.controls
    yield _opened(source)
    scan = RobotScan(source, mechanism.perform, robot.costs)
    for event in scan.events():
        yield event
        if controls.is_paused:
            mechanism.release()
        controls.wait()
    assert scan.outcome is not None
    return ScanReport(scan.outcome, source.name, source.settings)


def _opened(source: FrameSource) -> CameraOpened:
    return CameraOpened(source.name, tuple(source.settings.warnings), source.is_live)
