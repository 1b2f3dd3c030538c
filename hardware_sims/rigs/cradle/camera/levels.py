"""How hard the camera makes it: light, glare, focus, noise and compression, and its faults.

A camera is one of three levels, or a file that says in what it differs from one. No one has
published how webcams above robots differ: where no source is named, amounts are assumed.
"""

from dataclasses import dataclass
from enum import StrEnum
from math import inf, isfinite
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from hardware_sims.errors import InvalidScenarioError
from solvers.foundation.typed_files import convert, load_toml
from solvers.foundation.wording import whole_number

Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
Below1: TypeAlias = Annotated[float, Meta(ge=0, le=0.9)]
Degrees: TypeAlias = Annotated[float, Meta(ge=0, le=45)]
Pixels: TypeAlias = Annotated[float, Meta(ge=0, le=40)]

EASIEST: Final = 1
HARDEST: Final = 3


class Level(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Ranges that a scene is drawn from; 0 means none of it.

    Shares are of full light, pixels those of a picture of 640 x 480. `exposure_follow` and
    `white_follow` say how much of a change of the picture's mean an automatic exposure or white
    balance takes out again (0 locked, 1 all). The two drifts come by themselves, as clouds do, or
    an automatic that hunts: they swing once in ten to forty seconds.
    """

    level: Annotated[int, Meta(ge=EASIEST, le=HARDEST)]
    light_tint: Below1  # greatest deviation of a channel of the light from white
    gradient: Below1  # from the middle of the picture to its edge
    darkest_exposure: Annotated[float, Meta(ge=0.02, le=1)]
    glares: Annotated[int, Meta(ge=0, le=20)]
    glare_strength: Share
    tilt_deg: Degrees  # of the camera off the vertical, either way
    roll_deg: Degrees
    offset_mm: Annotated[float, Meta(ge=0, le=60)]
    noise: Annotated[float, Meta(ge=0, le=60)]  # deviation at mid grey, in steps of 8 bits
    blur_px: Pixels  # sigma of a lens in focus
    jpeg_quality: Annotated[int, Meta(ge=1, le=100)]
    exposure_follow: Share
    white_follow: Share
    red_orange_alike: Below1  # how far orange has faded towards red
    # Sigma, as a share of half of the picture's width; the cube's face is 0.6 wide.
    least_glare: Annotated[float, Meta(gt=0, le=1)] = 0.03
    greatest_glare: Annotated[float, Meta(gt=0, le=1)] = 0.08
    defocus_px: Pixels = 0.0  # radius of the disc that a point becomes
    shake_px: Pixels = 0.0  # how far the picture moves while it is exposed
    exposure_drift: Below1 = 0.0
    white_drift: Below1 = 0.0  # of red against blue
    binning: Literal[1, 2, 4] = 1  # pixels either way that are one of the file's; 2: 320 x 240
    cube: Literal["black", "white", "stickerless"] = "black"  # its plastic
    logo: bool = False  # the maker's name on the white centre

    def __post_init__(self) -> None:
        """Refuse glares of which none can be drawn."""
        if self.least_glare > self.greatest_glare:
            raise ValueError("least_glare is above greatest_glare")


LEVELS: Final = {
    # A desk lamp, and a camera that is locked.
    1: Level(
        level=1, light_tint=0.05, gradient=0.05, darkest_exposure=0.9,
        glares=0, glare_strength=0.0, tilt_deg=2, roll_deg=2, offset_mm=4,
        noise=1.5, blur_px=0.6, jpeg_quality=92,
        exposure_follow=0, white_follow=0, red_orange_alike=0,
    ),
    # A living room.
    2: Level(
        level=2, light_tint=0.15, gradient=0.15, darkest_exposure=0.6,
        glares=1, glare_strength=0.30, tilt_deg=6, roll_deg=6, offset_mm=8,
        noise=3.0, blur_px=0.9, jpeg_quality=85,
        exposure_follow=0.3, white_follow=0.1, red_orange_alike=0.1,
    ),
    # In the evening, with a cheap webcam.
    3: Level(
        level=3, light_tint=0.3, gradient=0.3, darkest_exposure=0.35,
        glares=3, glare_strength=0.55, tilt_deg=10, roll_deg=12, offset_mm=12,
        noise=6.0, blur_px=1.3, jpeg_quality=70,
        exposure_follow=0.6, white_follow=0.3, red_orange_alike=0.3,
    ),
}  # fmt: skip


def level_numbered(number: int) -> Level:
    """Return level 1, 2 or 3; raises InvalidScenarioError for another number."""
    if number not in LEVELS:
        raise InvalidScenarioError(
            f"There is no camera level {number}; the levels are 1 (easy), 2 and 3 (hard)."
        )
    return LEVELS[number]


def level_called(text: str) -> Level:
    """Return the level with this number, or that of the TOML file called so.

    Raises InvalidScenarioError if there is neither, or something in the file makes no sense.
    """
    if text.isdecimal():
        number = whole_number(text, HARDEST)
        return level_numbered(HARDEST + 1 if number is None else number)
    what, path = "The camera file", Path(text)
    where = f"{what} {path}"
    tables = load_toml(path, what, InvalidScenarioError)
    like = convert({"level": tables.get("level", EASIEST)}, _Like, where, InvalidScenarioError)
    usual: dict[str, Any] = msgspec.structs.asdict(LEVELS[like.level])
    return convert({**usual, **tables}, Level, where, InvalidScenarioError)


class _Like(msgspec.Struct, frozen=True):
    """The level that a file leaves as it is in all that it does not name."""

    level: Annotated[int, Meta(ge=EASIEST, le=HARDEST)]


class FaultKind(StrEnum):
    """A kind of trouble."""

    FROZEN = "frozen"  # the last frame again and again
    BLACK = "black"  # frames without light
    EXPOSURE_JUMP = "exposure-jump"  # suddenly much brighter
    HAND = "hand"  # a hand over the cube
    UNPLUGGED = "unplugged"  # no frames; the stream ends


@dataclass(frozen=True, slots=True)
class CameraFault:
    """Trouble from `start_s` to before `end_s` of simulated time."""

    kind: FaultKind
    start_s: float = 0.0
    end_s: float = inf

    def __post_init__(self) -> None:
        """Refuse times that make no interval."""
        if not (isfinite(self.start_s) and 0 <= self.start_s < self.end_s):
            raise ValueError(f"a fault lasts from {self.start_s} s to {self.end_s} s?")

    def is_active(self, time_s: float) -> bool:
        """Return whether the trouble is there at a moment."""
        return self.start_s <= time_s < self.end_s
