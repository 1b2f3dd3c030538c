"""Every scan on disk, so that it can be read again by a later version and become a test case.

A scan is a folder: one PNG per captured face, and scan.json with the colours, grids, posteriors,
camera settings and the version that wrote it. scan.json comes last, and in one step: without it
a folder is no scan.
"""

import shutil
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import cv2
import msgspec
import numpy as np

from controller.vision.camera.lock import CameraSettings
from controller.vision.errors import InvalidScanError, ScanNotSavedError
from controller.vision.finding.steady_gate import FaceView
from controller.vision.picture_file import decoded
from controller.vision.scans.events import ScanOutcome
from controller.vision.scans.scan_file import FORMAT, SavedPicture, SavedReading, ScanFile
from solvers.foundation.arrays import Float64Array, Image, Int64Array
from solvers.foundation.files import write_bytes
from solvers.foundation.typed_files import convert, parse_json, read_bytes

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
