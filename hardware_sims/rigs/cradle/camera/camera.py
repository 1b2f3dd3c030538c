"""A webcam above the rig, frame by frame: lens, sensor, automatics and faults."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Self, TypeVar

import cv2
import numpy as np

from hardware_sims.errors import SimulatorError
from hardware_sims.rigs.cradle.camera.levels import CameraFault, FaultKind, Level, level_numbered
from hardware_sims.rigs.cradle.camera.painting import (
    draw_scenery,
    paint_hand,
    paint_motion,
    paint_pose,
)
from hardware_sims.rigs.cradle.rig import RigPose
from solvers.foundation.arrays import Float32Array, Float64Array, Image
from solvers.foundation.clock import Clock
from solvers.foundation.compiled import kernel

_CURVE_STEPS = 4096


@cache
def linear_of_code() -> Float32Array:
    """Return the linear light of each of the 256 codes (IEC 61966-2-1)."""
    value = np.arange(256) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4).astype(
        np.float32
    )


@cache
def code_of_linear() -> Float32Array:
    """Return the code 0..255 of linear light in steps of 1 / 4095, not yet rounded."""
    value = np.arange(_CURVE_STEPS) / (_CURVE_STEPS - 1)
    curve = np.where(value <= 0.0031308, 12.92 * value, 1.055 * value ** (1 / 2.4) - 0.055)
    return (255 * curve).astype(np.float32)


@kernel
def develop(
    picture: Image,
    light: Float32Array,
    glare: Float32Array,
    gain: Float32Array,
    noise: Float32Array,
    shift: int,
    to_linear: Float32Array,
    to_code: Float32Array,
) -> None:
    """Turn what surfaces reflect, shape (height, width, 3), into what the file shows, in place.

    `light` has the picture's shape; `glare` (height, width) is light mirrored by glossy surfaces.
    `gain` is the exposure of each channel. `noise` is a flat bank in steps of 8 bits, read from
    `shift` on; it grows with the signal as the noise of photons does.
    """
    height, width, channels = picture.shape
    place = shift % noise.size
    top = to_code.size - 1
    for row in range(height):
        for column in range(width):
            mirrored = glare[row, column]
            for channel in range(channels):
                value = to_linear[picture[row, column, channel]]
                value = value * light[row, column, channel] * (1 - mirrored) + mirrored
                value *= gain[channel]
                code = to_code[min(top, int(value * top))]
                code += noise[place] * (0.6 + 0.4 * code / 128)
                picture[row, column, channel] = min(255.0, max(0.0, code + 0.5))
                place += 1
                if place == noise.size:
                    place = 0


SLOWEST_SWING_S = 40.0
FASTEST_SWING_S = 10.0


def defocused(picture: Image, radius_px: float) -> Image:
    """Return a picture in which each point has become a disc."""
    size = 2 * int(np.ceil(radius_px)) + 1
    y, x = np.mgrid[:size, :size] - size // 2
    disc = np.clip(radius_px + 0.5 - np.hypot(x, y), 0, 1)
    return np.asarray(cv2.filter2D(picture, -1, disc / disc.sum()), np.uint8)


def shaken(picture: Image, length_px: float, angle_rad: float) -> Image:
    """Return a picture whose points have moved evenly along a line while it was exposed."""
    size = 2 * int(np.ceil(length_px / 2)) + 1
    way = np.array([np.cos(angle_rad), np.sin(angle_rad)]) * length_px / 2
    steps = np.linspace(-1, 1, 4 * size)[:, None]
    columns, rows = np.round(size // 2 + steps * way).astype(int).T
    line = np.zeros((size, size))
    np.add.at(line, (rows, columns), 1)
    return np.asarray(cv2.filter2D(picture, -1, line / line.sum()), np.uint8)


@dataclass(frozen=True, slots=True)
class Drift:
    """Exposure and white balance that swing by themselves; `exposure` and `white` are shares."""

    exposure: float
    white: float
    periods_s: tuple[float, float]
    phases_rad: tuple[float, float]

    @classmethod
    def drawn(cls, level: Level, rng: np.random.Generator) -> Self:
        """Draw how fast they swing, and where they start."""
        slow, white_slow = rng.uniform(FASTEST_SWING_S, SLOWEST_SWING_S, 2)
        phase, white_phase = rng.uniform(0, 2 * np.pi, 2)
        return cls(
            level.exposure_drift, level.white_drift, (slow, white_slow), (phase, white_phase)
        )

    def gain(self, time_s: float) -> Float64Array:
        """Return what blue, green and red are multiplied by at a moment of the camera's clock."""
        angles = 2 * np.pi * time_s / np.array(self.periods_s) + self.phases_rad
        brighter, warmer = np.sin(angles) * (self.exposure, self.white)
        return np.array([1 - warmer, 1.0, 1 + warmer]) * (1 + float(brighter))


EXPOSURE_S: Final = 1 / 60
EXPOSURE_JUMP: Final = 3.5
# What an automatic exposure aims at: the mean of an ordinary picture of the rig, in linear light.
_USUAL_MEAN: Final = 0.16
_METERING_STEP: Final = 16  # distance of the pixels that are measured
_NOISE_VALUES: Final = 1 << 20

Pixels = TypeVar("Pixels", Image, Float32Array)


class CameraUnpluggedError(SimulatorError):
    """The simulated camera gives no frame because a fault has unplugged it."""


class SimulatedCamera:
    """Renders the pose of a rig; a frame is exposed while the clock advances by `EXPOSURE_S`.

    `level` is one of the three levels or says itself what is to be borne. Everything random is
    drawn from `seed` at the start, except the noise of each frame and where it is shaken to. May be
    used from several threads.
    """

    def __init__(
        self,
        pose: Callable[[], RigPose],
        clock: Clock,
        level: int | Level = 1,
        seed: int = 0,
        faults: Sequence[CameraFault] = (),
    ) -> None:
        self.level = level if isinstance(level, Level) else level_numbered(level)
        rng = np.random.default_rng([seed, self.level.level])
        self.scenery = draw_scenery(self.level, rng)
        self._binning = self.level.binning
        self._light = self._binned(self.scenery.light)
        self._glare = self._binned(self.scenery.glare)
        self._pose = pose
        self._painted: tuple[RigPose, Image] | None = None
        self._clock = clock
        self._faults = tuple(faults)
        self._noise = rng.normal(0, self.level.noise, _NOISE_VALUES).astype(np.float32)
        self._drift = Drift.drawn(self.level, rng.spawn(1)[0])
        self._rng = rng
        self._last: bytes | None = None
        self._lock = threading.Lock()

    def jpeg(self) -> bytes:
        """Expose one frame and return its file.

        Raises CameraUnpluggedError while a fault has the camera unplugged.
        """
        with self._lock:
            faults = {f.kind for f in self._faults if f.is_active(self._clock.now())}
            if FaultKind.UNPLUGGED in faults:
                raise CameraUnpluggedError("The simulated camera is unplugged.")
            if FaultKind.FROZEN in faults and self._last is not None:
                self._clock.sleep(EXPOSURE_S)
                return self._last
            self._last = self._encode(self._expose(faults))
            return self._last

    def picture(self) -> Image:
        """Expose one frame and return it as a viewer decodes it: BGR, (480, 640, 3) unbinned."""
        decoded = cv2.imdecode(np.frombuffer(self.jpeg(), np.uint8), cv2.IMREAD_COLOR)
        return np.asarray(decoded, dtype=np.uint8)

    def _expose(self, faults: set[FaultKind]) -> Image:
        earlier = self._pose()
        self._clock.sleep(EXPOSURE_S)
        reflected = self._paint(earlier, self._pose())
        if FaultKind.HAND in faults:
            paint_hand(reflected, seed=int(self._rng.integers(1 << 30)))
        if FaultKind.BLACK in faults:
            reflected[:] = 0
        reflected = self._through_lens(self._binned(reflected))
        gain = self._gain(reflected)
        if FaultKind.EXPOSURE_JUMP in faults:
            gain = gain * EXPOSURE_JUMP
        glare = self._glare * np.float32(FaultKind.BLACK not in faults)
        develop(
            reflected,
            light=self._light,
            glare=glare,
            gain=gain.astype(np.float32),
            noise=self._noise,
            shift=int(self._rng.integers(_NOISE_VALUES)),
            to_linear=linear_of_code(),
            to_code=code_of_linear(),
        )
        return reflected

    def _through_lens(self, picture: Image) -> Image:
        level = self.level
        if level.blur_px > 0:
            cv2.GaussianBlur(picture, (0, 0), level.blur_px / self._binning, dst=picture)
        if level.defocus_px > 0:
            picture = defocused(picture, level.defocus_px / self._binning)
        if level.shake_px > 0:
            angle = float(self._rng.uniform(0, np.pi))
            picture = shaken(picture, level.shake_px / self._binning, angle)
        return picture

    def _paint(self, earlier: RigPose, pose: RigPose) -> Image:
        """Return what is seen while the rig moves from one pose to another, if it moves."""
        if earlier != pose:
            return paint_motion(self.scenery, earlier, pose)
        if self._painted is None or self._painted[0] != pose:
            self._painted = pose, paint_pose(self.scenery, pose)
        return self._painted[1].copy()

    def _binned(self, picture: Pixels) -> Pixels:
        if self._binning == 1:
            return picture
        height, width = picture.shape[:2]
        size = (width // self._binning, height // self._binning)
        binned = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        return np.asarray(binned, dtype=picture.dtype)

    def _gain(self, reflected: Image) -> Float64Array:
        """Return the gain of each channel, as far as the camera follows what it sees."""
        step = _METERING_STEP // self._binning
        light = linear_of_code()[reflected[::step, ::step]] * self._light[::step, ::step]
        mean = np.maximum(light.mean(axis=(0, 1)), 0.01)
        overall = float(mean.mean())
        exposure = (_USUAL_MEAN / overall) ** self.level.exposure_follow
        white = (overall / mean) ** self.level.white_follow
        drift = self._drift.gain(self._clock.now())
        return np.asarray(self.scenery.exposure * exposure * white * drift, dtype=np.float64)

    def _encode(self, picture: Image) -> bytes:
        done, file = cv2.imencode(
            ".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, self.level.jpeg_quality]
        )
        if not done:
            raise SimulatorError("OpenCV could not encode a frame as JPEG.")
        return file.tobytes()
