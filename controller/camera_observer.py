"""Lets a connected robot show its cube to a camera: all faces, or the upper one."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Final

from controller import job_events
from controller.motion.mechanism import Mechanism, ReadsFaces
from controller.motion.primitives import Primitive
from controller.motion.virtual_cube import VirtualCube
from controller.opening import OpenCamera, Robot, own_sensor
from controller.vision.camera import CameraSettings, FrameSource
from controller.vision.errors import CameraLostError, CameraNotFoundError, ScanFailedError
from controller.vision.finding.steady_gate import FaceView
from controller.vision.reading.result import ScanResult, Verdict
from controller.vision.scans.events import ScanOutcome
from controller.vision.scans.robot_scan import glance, robot_scan, view_stops, without_veil
from controller.vision.scans.sensor_scan import read_stops, sensor_scan
from controller.vision.scans.spot_check import choose_spot_check
from controller.vision.scans.tour import TourStop
from controller.vision.scans.viewing import Palette, shows
from solvers.foundation.progress import Job, with_cancellation
from solvers.rubik.cubies import CubieCube

SURE: Final = 0.99
"""Confidence of a scan after which few faces are enough to verify a drive."""


class CameraObserver:
    """A camera that is opened for each look: in between its pictures would only take time."""

    can_glance = True
    """Whether one face is seen in a moment."""
    eye = "camera"

    def __init__(self, camera: OpenCamera, robot: Robot) -> None:
        self._camera = camera
        self._robot = robot
        self._last: ScanOutcome | None = None
        self._has_opened = False

    @property
    def last(self) -> ScanOutcome:
        """The last scan, by which a single face can be compared."""
        assert self._last is not None, "nothing was scanned"
        return self._last

    def find_camera(self) -> None:
        """Open the camera once, before anything moves: a wrong name is reported at once.

        One that was there is waited for when it is gone later. Raises CameraError.
        """
        with self._open():
            pass

    def scan(self, mechanism: Mechanism) -> Job[job_events.LookEvent, job_events.ScanReport]:
        """Let the robot show all faces; in a pause the motors are off.

        Raises ScanFailedError, CameraError and RobotError.
        """
        with self._open() as source:
            yield opened(source)
            scan = robot_scan(source, mechanism.perform, self._robot.costs)
            outcome = yield from with_cancellation(scan, lambda: self._wait(mechanism))
            self._last = outcome
            yield job_events.CubeRead(outcome.result, outcome.rgb)
            return job_events.ScanReport(outcome, source.name, source.settings)

    def verify(
        self, target: CubieCube, mechanism: Mechanism
    ) -> Job[job_events.RobotEvent, job_events.Verification]:
        """Scan a cube that was driven; only a reading without doubts shows that it is `target`."""
        yield job_events.StageStarted(job_events.Stage.VERIFY)
        report = yield from self.scan(mechanism)
        result = report.outcome.result
        is_target = result.verdict is Verdict.ACCEPTED and shows(result, target)
        return job_events.Verification(result, is_target, self.eye)

    def spot_check(
        self, start: CubieCube, primitives: Sequence[Primitive], mechanism: Mechanism
    ) -> Job[job_events.RobotEvent, job_events.Verification | None]:
        """Verify an undisturbed drive of the scanned cube `start` by a few of its faces.

        They show each fault of the drive, and each pair. Return None if one of their stickers is
        not surely as expected, or where few faces show too little: what the scan itself misread
        may be on the others. Raises CameraError and RobotError.
        """
        if self.last.result.confidence < SURE:
            return None
        check = choose_spot_check(start, primitives, self._robot.costs)
        if check is None:
            return None
        yield job_events.StageStarted(job_events.Stage.VERIFY)
        try:
            views = yield from self._view(check.stops, mechanism)
        except ScanFailedError:
            return None
        palette = Palette.of(self.last)
        if not all(map(palette.shows, views, check.expected)):
            return None
        end = VirtualCube(start).after_all(primitives)
        result = ScanResult.of(end.position, self.last.result.confidence)
        return job_events.Verification(result, True, self.eye, str(check))

    def _view(
        self, stops: Sequence[TourStop], mechanism: Mechanism
    ) -> Job[job_events.LookEvent, list[FaceView]]:
        with self._open() as source:
            job = view_stops(source, mechanism.perform, stops)
            views = yield from with_cancellation(job, lambda: self._wait(mechanism))
        # Where a lamp is mirrored shows in many pictures of one place, not in two.
        return without_veil([*self.last.views, *views])[-len(views) :]

    def glance(self, mechanism: Mechanism) -> Job[job_events.LookEvent, FaceView]:
        """View the face that is up. Raises ScanFailedError and CameraError."""
        with self._open() as source:
            return (yield from with_cancellation(glance(source), lambda: self._wait(mechanism)))

    @contextmanager
    def _open(self) -> Iterator[FrameSource]:
        """Open the camera; one that was there before is not wrongly named, but lost."""
        with ExitStack() as stack:
            try:
                source = stack.enter_context(self._camera())
            except CameraNotFoundError as error:
                if not self._has_opened:
                    raise
                raise CameraLostError(str(error)) from None
            self._has_opened = True
            yield source

    def _wait(self, mechanism: Mechanism) -> None:
        """Wait while the job is paused, motors off."""
        controls = self._robot.controls
        if controls.is_paused:
            mechanism.release()
        controls.wait()


class SensorObserver(CameraObserver):
    """The rig's own colour sensor, which takes seconds for a face."""

    can_glance = False
    eye = "sensor"

    def find_camera(self) -> None:
        """Do nothing: the sensor is found when the rig is connected."""

    def scan(self, mechanism: Mechanism) -> Job[job_events.LookEvent, job_events.ScanReport]:
        """Let the robot read all faces; in a pause the motors are off.

        Raises RobotError, and InvalidInputError from a rig without a sensor.
        """
        assert isinstance(mechanism, ReadsFaces)
        scan = sensor_scan(mechanism.read_face, mechanism.perform, self._robot.costs)
        outcome = yield from with_cancellation(scan, lambda: self._wait(mechanism))
        self._last = outcome
        yield job_events.CubeRead(outcome.result, outcome.rgb)
        return job_events.ScanReport(outcome, "the rig's colour sensor", CameraSettings())

    def _view(
        self, stops: Sequence[TourStop], mechanism: Mechanism
    ) -> Job[job_events.LookEvent, list[FaceView]]:
        assert isinstance(mechanism, ReadsFaces)
        views = read_stops(mechanism.read_face, mechanism.perform, stops)
        return (yield from with_cancellation(views, lambda: self._wait(mechanism)))


def new_observer(camera: OpenCamera, robot: Robot) -> CameraObserver:
    """Return who looks at the cube: a camera, or the rig's own sensor."""
    return (SensorObserver if camera is own_sensor else CameraObserver)(camera, robot)


def opened(source: FrameSource) -> job_events.CameraOpened:
    """Return the event that names the open camera."""
    return job_events.CameraOpened(source.name, tuple(source.settings.warnings), source.is_live)
