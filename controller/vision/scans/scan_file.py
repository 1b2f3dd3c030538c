"""What stands in the scan.json of a saved scan."""

from typing import Annotated, Final

import msgspec

from controller.vision.camera.lock import CameraSettings
from controller.vision.reading.result import Verdict

FORMAT: Final = 1
Colour = tuple[float, float, float]
Whole = Annotated[int, msgspec.Meta(ge=0)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]


class SavedReading(msgspec.Struct, frozen=True):
    """What was made of the colours; the keys that the commands print."""

    facelets: str
    confidence: Share
    doubtful: tuple[str, ...]
    verdict: Verdict
    reasons: tuple[str, ...]


class SavedPicture(msgspec.Struct, frozen=True):
    """One look: its PNG, and where the nine stickers lie in it, of which `squares` were seen.

    `grid` takes column and row 0..2 to pixels; `rgb` are the colours in reading order.
    """

    file: str
    sha256: str
    grid: tuple[Colour, Colour, Colour]
    squares: Whole
    rgb: Annotated[tuple[Colour, ...], msgspec.Meta(min_length=9, max_length=9)]


class ScanFile(msgspec.Struct, frozen=True):
    """What stands in scan.json; its format is checked before."""

    format: int
    version: str
    source: str
    camera: CameraSettings
    pictures: tuple[SavedPicture, ...]
    facelets_of_pictures: tuple[tuple[Whole, ...], ...]
    rgb: tuple[tuple[Colour, ...], ...]
    reading: SavedReading
    posteriors: tuple[tuple[Share, ...], ...]
