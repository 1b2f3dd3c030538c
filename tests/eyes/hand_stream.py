"""A cube shown to a camera by hand, frame by frame: brought, held not quite still, turned."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Final

import cv2
import numpy as np

from controller.vision.camera import CameraSettings
from controller.vision.errors import CameraLostError
from solvers.foundation.arrays import Float64Array, Image
from solvers.rubik.facelets import format_facelets
from solvers.rubik.pocket import pocket_stickers
from solvers.rubik.scramble import random_state
from tests.eyes.disturbances import Grain, compressed, drifted, shrunk
from tests.eyes.shown_cube import Lamp, Pose, draw_cube, facing
from tests.eyes.stickers import sticker_sets

SIZE: Final = (480, 640)
SKIN: Final = (120, 150, 205)
# Front, right, back, left, then up and down: as a scan by hand asks for them.
ORDER: Final = (2, 1, 5, 4, 0, 3)
STILL_RAD: Final = 0.02  # less than this within an exposure blurs nothing that is worth drawing
USUAL_MEAN: Final = 95.0  # what an automatic exposure aims at, in steps of 8 bits


@dataclass(frozen=True, slots=True)
class Manner:
    """A person's way of holding a cube, and the camera."""

    tilt_deg: float  # of a held face off the camera, either way
    roll_deg: float
    roll_about_deg: float = 0.0
    tremor: float = 1.0  # 1: 0.7 degrees and 0.03 pitches from frame to frame
    clutter: int = 60  # things behind the cube
    fingers: bool = True
    gloss: float = 0.5
    noise: float = 4.0
    exposure: float = 1.0
    follow: float = 0.0  # how much of the picture's brightness an automatic exposure takes out
    white_follow: float = 0.0
    rows: int = 480
    jpeg_quality: int = 85
    held_frames: int = 22
    turning_frames: int = 36  # for a quarter: slow enough for each to look like a face at rest
    by_corners: bool = False


MANNERS: Final[dict[str, Manner]] = {
    "easy": Manner(
        4, 5, tremor=0.3, clutter=0, fingers=False, gloss=0.0, noise=2.0, turning_frames=14
    ),
    "usual": Manner(14, 15),
    "by the corners": Manner(14, 20, roll_about_deg=30, by_corners=True),
    "320x240 and dark": Manner(12, 15, noise=7.0, exposure=0.25, rows=240, jpeg_quality=75),
    "automatic exposure": Manner(12, 15, follow=0.9, white_follow=0.6),
}


@dataclass(slots=True)
class HandStream:
    """A source of frames: a random cube from `seed`, shown in a manner, in rounds of six faces.

    With a `side` of 2 it is a 2x2x2 cube as wide as one of 3.
    """

    manner: Manner
    seed: int
    rounds: int = 2
    side: int = 3
    facelets: str = field(init=False)
    frames_read: int = 0
    pose: Pose = field(init=False)  # of the last frame
    _frames: Iterator[Image] = field(init=False)

    name: ClassVar = "hand"
    is_live: ClassVar = False
    is_still: ClassVar = False
    settings: ClassVar = CameraSettings()

    def __post_init__(self) -> None:
        cube = random_state(self.seed)
        self.facelets = pocket_stickers(cube) if self.side == 2 else format_facelets(cube)
        self._frames = self._shown()

    def read(self) -> Image:
        """Return the next frame; raises CameraLostError after the last one."""
        try:
            frame = next(self._frames)
        except StopIteration:
            raise CameraLostError("The hand has gone.") from None
        self.frames_read += 1
        return frame

    def close(self) -> None:
        """Do nothing: nothing is open."""

    def _shown(self) -> Iterator[Image]:
        rng = np.random.default_rng([self.seed, 16])
        stickers = sticker_sets()[self.seed % len(sticker_sets())]
        faces = stickers.faces(self.facelets, rng, self.side)
        lamp = Lamp(np.array([rng.uniform(-8, 8), -rng.uniform(6, 12), 0.0]), self.manner.gloss)
        room = _room(self.manner.clutter, rng)
        grain = Grain(self.manner.noise, (self.manner.rows, self.manner.rows * 4 // 3), rng)
        gain = np.full(3, self.manner.exposure)
        for before, pose in _poses(self.manner, self.rounds, rng):
            frame = _exposed(room, faces, lamp, before, pose, self.manner.fingers)
            self.pose = pose
            gain = self._followed(gain, frame)
            yield self._developed(frame, gain, grain)

    def _followed(self, gain: Float64Array, frame: Image) -> Float64Array:
        """Return the next gain of a camera that follows what it sees, a fifth a frame."""
        if not self.manner.follow:
            return gain
        means = frame[::8, ::8].reshape(-1, 3).mean(axis=0).astype(np.float64) + 1
        brightness = (USUAL_MEAN / means.mean()) ** (2.2 * self.manner.follow)
        white = (means.mean() / means) ** (2.2 * self.manner.white_follow)
        return np.asarray(gain**0.8 * (self.manner.exposure * brightness * white) ** 0.2)

    def _developed(self, frame: Image, gain: Float64Array, grain: Grain) -> Image:
        frame = drifted(cv2.GaussianBlur(frame, (0, 0), 0.8).astype(np.uint8), gain)
        if self.manner.rows < frame.shape[0]:
            frame = shrunk(frame, self.manner.rows)
        return compressed(grain.on(frame), self.manner.jpeg_quality)


def _poses(manner: Manner, rounds: int, rng: np.random.Generator) -> Iterator[tuple[Pose, Pose]]:
    """Yield the pose at the start and at the end of each frame's exposure."""
    last = _held(manner, ORDER[0], rng)
    for number, face in enumerate(ORDER * rounds):
        target = _held(manner, face, rng) if number else last
        way = [last, *([_on_corner(last, target)] if manner.by_corners else []), target]
        for start, end in zip(way, way[1:] if number else [], strict=False):
            steps = np.linspace(0, 1, manner.turning_frames // (len(way) - 1) + 1)
            for share in (0.5 - 0.5 * np.cos(np.pi * steps)).tolist():
                now = _between(start, end, share)
                yield _between(start, end, max(0.0, share - 0.04)), now
        last = target
        for _ in range(manner.held_frames):
            now = _trembled(last, manner.tremor, rng)
            yield last, now
            last = _between(now, target, 0.15)


def _held(manner: Manner, face: int, rng: np.random.Generator) -> Pose:
    tilt = np.radians(np.append(rng.uniform(-manner.tilt_deg, manner.tilt_deg, 2), 0.0))
    roll = np.radians(
        rng.uniform(-manner.roll_deg, manner.roll_deg) + rng.choice([-1, 1]) * manner.roll_about_deg
    )
    place = np.array([*rng.uniform(-0.9, 0.9, 2), rng.uniform(8.5, 12.5)])
    turned = _rotation(tilt) @ _rotation(np.array([0, 0, roll]))
    return Pose(turned @ facing(face), place)


def _on_corner(start: Pose, end: Pose) -> Pose:
    """Return a pose half way that shows three faces: the hand turns the cube over a corner."""
    half = _between(start, end, 0.5)
    return Pose(_rotation(np.radians([25.0, 25.0, 20.0])) @ half.rotation, half.place)


def _trembled(pose: Pose, tremor: float, rng: np.random.Generator) -> Pose:
    turn = _rotation(np.radians(rng.normal(0, 0.7 * tremor, 3)))
    return Pose(turn @ pose.rotation, pose.place + rng.normal(0, 0.03 * tremor, 3))


def _between(start: Pose, end: Pose, share: float) -> Pose:
    way, _ = cv2.Rodrigues(end.rotation @ start.rotation.T)
    turned = _rotation(share * np.asarray(way, np.float64).ravel()) @ start.rotation
    return Pose(turned, (1 - share) * start.place + share * end.place)


def _rotation(vector: Float64Array) -> Float64Array:
    return np.asarray(cv2.Rodrigues(vector)[0])


def _exposed(
    room: Image, faces: list[Image], lamp: Lamp, before: Pose, pose: Pose, fingers: bool
) -> Image:
    """Return the mean of what is seen from one pose to another."""
    angle = np.linalg.norm(cv2.Rodrigues(pose.rotation @ before.rotation.T)[0])
    steps = 1 if angle < STILL_RAD else 3
    total = np.zeros(room.shape, np.float32)
    for share in (np.arange(steps) + 0.5) / steps:
        picture = room.copy()
        now = _between(before, pose, float(share))
        if fingers:
            _draw_hand(picture, now)
        draw_cube(picture, faces, now, lamp)
        if fingers:
            _draw_thumb(picture, now)
        cv2.accumulate(picture, total)
    return np.asarray(total / steps, np.uint8)


def _draw_hand(picture: Image, pose: Pose) -> None:
    """Draw the hand behind the cube, from below."""
    x, y, side = _in_picture(picture, pose)
    cv2.ellipse(picture, (x, y + side), (side, round(1.3 * side)), 0, 0, 360, SKIN, -1, cv2.LINE_AA)


def _draw_thumb(picture: Image, pose: Pose) -> None:
    """Draw a thumb on the cube's lower rim."""
    x, y, side = _in_picture(picture, pose)
    tip = (x + side // 6, y + round(0.86 * side))
    root = (x + side // 2, y + 2 * side)
    shade = (int(0.9 * SKIN[0]), int(0.9 * SKIN[1]), int(0.9 * SKIN[2]))
    cv2.line(picture, root, tip, shade, side // 5, cv2.LINE_AA)


def _in_picture(picture: Image, pose: Pose) -> tuple[int, int, int]:
    """Return where the cube's middle is in the picture, and half of its side."""
    height, width = picture.shape[:2]
    scale = 1.1 * width / pose.place[2]
    x, y = pose.place[:2] * scale + (width / 2, height / 2)
    return round(x), round(y), round(1.7 * scale)


def _room(things: int, rng: np.random.Generator) -> Image:
    """Return a wall with things before it: books, tiles, boxes, some as square as a sticker."""
    height, width = SIZE
    room = np.empty((height, width, 3), np.uint8)
    room[:] = rng.integers(60, 190, 3)
    for _ in range(things):
        side = int(rng.integers(20, 90))
        corner = rng.integers(0, (width, height))
        size = (side, side) if rng.random() < 0.5 else (side, int(side * rng.uniform(0.3, 3)))
        colour = rng.integers(10, 250, 3).tolist()
        box = (tuple(corner.tolist()), size, float(rng.normal(0, 8)))
        corners = cv2.boxPoints(box).astype(np.int32)
        cv2.fillConvexPoly(room, corners, colour, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(room, (0, 0), 1.0), np.uint8)
