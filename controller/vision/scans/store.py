"""Scans on disk, to be read again by a later version and to become test cases.

A scan is a folder: one PNG per captured face, and scan.json with the colours, grids, posteriors,
camera settings and the version that wrote it. scan.json comes last, and in one step: without it
a folder is no scan. Lists of colours are the JSON that `cuberobot scan read` takes and
`export-case` writes.
"""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Final

import cv2
import msgspec
import numpy as np

from controller.vision.camera import CameraSettings, decoded
from controller.vision.errors import InvalidScanError, ScanNotSavedError
from controller.vision.finding.steady_gate import FaceView, view_of_still
from controller.vision.reading.reader import read_cube
from controller.vision.reading.result import ScanResult, Verdict
from controller.vision.scans.events import ScanOutcome
from solvers.foundation.arrays import Float64Array, Image, Int64Array
from solvers.foundation.files import read_bytes, write_bytes
from solvers.foundation.typed_files import convert, parse_json
from solvers.rubik.facelets import parse_facelets

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
    """One view: its PNG, and where the nine stickers are in it, of which `squares` were seen.

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


FORMAT_HINT = 'Expected a list of {"name": ..., "rgb": [[r, g, b], ... 54 of them]}.'

Channel = Annotated[float, msgspec.Meta(ge=0, le=255)]


class ScanCase(msgspec.Struct, frozen=True):
    """A name and 54 sRGB colours in URFDLB order; whatever else stands there is passed over."""

    rgb: tuple[tuple[Channel, Channel, Channel], ...]
    name: str = ""


def load_scan_list(path: Path) -> list[ScanCase]:
    """Return the cases of a JSON file: one case, a list of them, or an object with `cases`.

    Raises InvalidScanError that names the file, and the case if only that is malformed.
    """
    data = read_bytes(path, InvalidScanError, "The list of scans")
    content: object = parse_json(data, object, f"The list of scans {path}", InvalidScanError)
    return parse_scan_list(content, str(path))


def parse_scan_list(content: Any, source: str) -> list[ScanCase]:
    """Return the cases in decoded JSON; `source` names it in messages."""
    if isinstance(content, dict):
        content = content.get("cases", [content])
    if not isinstance(content, list):
        raise InvalidScanError(f"{source} holds no list of scans. {FORMAT_HINT}")
    if not content:
        raise InvalidScanError(f"{source} holds an empty list. {FORMAT_HINT}")
    return [_case(entry, number, source) for number, entry in enumerate(content, start=1)]


def _case(entry: Any, number: int, source: str) -> ScanCase:
    if not isinstance(entry, dict):
        raise InvalidScanError(f"Case {number} of {source} is no object. {FORMAT_HINT}")
    name = entry.get("name", f"case {number}")
    where = f"Case {number} ({name!r}) of {source}"
    case = convert({**entry, "name": name}, ScanCase, where, InvalidScanError)
    if len(case.rgb) != 54:
        raise InvalidScanError(f"{where} has {len(case.rgb)} colours; a cube has 54.")
    return case


FILE_NAME: Final = "scan.json"


@dataclass(frozen=True, slots=True, eq=False)
class StoredScan:
    """A scan as it was saved: pictures BGR in the order of capture, and what was made of them.

    `facelets` (looks, 54) says which captured sticker, 9 * picture + cell, is which facelet.
    """

    name: str
    pictures: tuple[Image, ...]
    facelets: Int64Array
    rgb: Float64Array
    reading: SavedReading


def save_scan(outcome: ScanOutcome, source: str, settings: CameraSettings, folder: Path) -> None:
    """Write a scan to the new folder `folder`.

    Raises InvalidScanError if it exists already, ScanNotSavedError if it cannot be written.
    """
    if folder.exists():
        raise InvalidScanError(f"{folder} exists already; save the scan under another name.")
    try:
        folder.mkdir(parents=True)
    except OSError as reason:
        raise ScanNotSavedError(f"{folder} cannot be written: {reason.strerror}.") from reason
    try:
        pictures = tuple(
            _save_picture(folder / f"look-{number:02}.png", view)
            for number, view in enumerate(outcome.views, start=1)
        )
        content = ScanFile(
            format=FORMAT,
            version=version("puzzlerig"),
            source=source,
            camera=settings,
            pictures=pictures,
            facelets_of_pictures=outcome.facelets.tolist(),
            rgb=np.round(outcome.rgb, 2).tolist(),
            reading=msgspec.convert(outcome.result.as_json(), SavedReading),
            posteriors=np.round(outcome.result.posteriors, 5).tolist(),
        )
        json = msgspec.json.format(msgspec.json.encode(content), indent=1)
        write_bytes(folder / FILE_NAME, json + b"\n", error=ScanNotSavedError)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _save_picture(path: Path, view: FaceView) -> SavedPicture:
    _, encoded = cv2.imencode(".png", view.picture)
    png = encoded.tobytes()
    write_bytes(path, png, error=ScanNotSavedError)
    return SavedPicture(
        file=path.name,
        sha256=sha256(png).hexdigest(),
        grid=view.grid.homography.tolist(),
        squares=view.grid.squares,
        rgb=np.round(view.colours, 2).tolist(),
    )


def load_scan(folder: Path) -> StoredScan:
    """Return a saved scan; raises InvalidScanError that says what is missing or damaged."""
    path = folder / FILE_NAME
    content = _content(path)
    pictures = tuple(_picture(folder, entry) for entry in content.pictures)
    stickers = range(9 * len(pictures))
    rows = content.facelets_of_pictures
    adds_up = (
        len(rows) > 0
        and len(rows) == len(content.rgb)
        and all(len(row) == 54 for row in (*rows, *content.rgb))
        and all(sticker in stickers for row in rows for sticker in row)
    )
    if not adds_up:
        raise InvalidScanError(f"{path} is damaged: its 54 stickers do not add up.")
    facelets = np.array(rows, dtype=np.int64)
    rgb = np.array(content.rgb, dtype=np.float64)
    return StoredScan(folder.name, pictures, facelets, rgb, content.reading)


def scans_below(folder: Path) -> list[Path]:
    """Return `folder` if it is a saved scan, else the saved scans in it, by name."""
    if (folder / FILE_NAME).exists():
        return [folder]
    found = sorted(path.parent for path in folder.glob(f"*/{FILE_NAME}"))
    if not found:
        raise InvalidScanError(f"{folder} is no saved scan and contains none (no {FILE_NAME}).")
    return found


def _content(path: Path) -> ScanFile:
    where = f"The scan {path}"
    tables = parse_json(
        read_bytes(path, InvalidScanError, "The scan"), dict[str, Any], where, InvalidScanError
    )
    if tables.get("format") != FORMAT:
        raise InvalidScanError(f"{path} is no scan of format {FORMAT}; scan the cube again.")
    return convert(tables, ScanFile, where, InvalidScanError)


def _picture(folder: Path, entry: SavedPicture) -> Image:
    path = folder / Path(entry.file).name
    png = read_bytes(path, InvalidScanError, "The picture")
    if sha256(png).hexdigest() != entry.sha256:
        raise InvalidScanError(f"{path} was changed after the scan was saved.")
    picture = decoded(png, path)
    if picture is None:
        raise InvalidScanError(f"{path} is no picture.")
    return picture


@dataclass(frozen=True, slots=True, eq=False)
class Replay:
    """`result` is None when a face is not found any more; `lost` numbers those pictures from 1."""

    result: ScanResult | None
    lost: tuple[int, ...]
    as_saved: bool

    def as_json(self) -> dict[str, Any]:
        """Return the keys of a reading, and whether it is the one that was saved."""
        if self.result is not None:
            return {**self.result.as_json(), "as_saved": self.as_saved}
        pictures = ", ".join(map(str, self.lost))
        return {
            "facelets": None,
            "confidence": 0.0,
            "doubtful": [],
            "verdict": str(Verdict.RESCAN),
            "reasons": [f"No face is found in picture {pictures} of the saved scan."],
            "as_saved": False,
        }


def replay_scan(scan: StoredScan, corrections: Mapping[int, str] | None = None) -> Replay:
    """Find and read the pictures of a saved scan again, with stickers set by hand if given."""
    views = [view_of_still(picture) for picture in scan.pictures]
    lost = tuple(number for number, view in enumerate(views, start=1) if view is None)
    if lost:
        return Replay(None, lost, as_saved=False)
    colours = np.concatenate([view.colours for view in views if view is not None])
    result = read_cube(colours[scan.facelets], corrections)
    return Replay(result, (), as_saved=result.facelets == scan.reading.facelets)


def case_of_scan(scan: StoredScan, truth: str | None = None) -> dict[str, Any]:
    """Return a case for `cuberobot scan read` and for the tests, its truth included.

    The truth is what the scan read if it was accepted; otherwise it has to be given.
    Raises InvalidScanError without it, FaceletError if it is no cube.
    """
    if truth is None:
        if scan.reading.verdict is not Verdict.ACCEPTED:
            raise InvalidScanError(
                f"The reading of {scan.name} was not certain, so it cannot serve as the truth. "
                "Give the 54 facelets that the cube really had."
            )
        truth = scan.reading.facelets
    parse_facelets(truth)
    return {"name": scan.name, "rgb": scan.rgb[-1].tolist(), "truth": truth}
