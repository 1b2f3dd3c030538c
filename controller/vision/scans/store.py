"""Every scan on disk, so that it can be read again by a later version and become a test case.

A scan is a folder: one PNG per captured face, and scan.json with the colours, grids, posteriors,
camera settings and the version that wrote it. It appears whole or not at all.
"""

import json
import shutil
from dataclasses import asdict, dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from controller.vision.camera.lock import CameraSettings
from controller.vision.errors import InvalidScanError
from controller.vision.scans.events import ScanOutcome
from solvers.foundation.arrays import Float64Array, Image, Int64Array

FORMAT: Final = 1
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
    reading: dict[str, Any]


def save_scan(outcome: ScanOutcome, source: str, settings: CameraSettings, folder: Path) -> None:
    """Write a scan to the new folder `folder`; raises InvalidScanError if it exists already."""
    if folder.exists():
        raise InvalidScanError(f"{folder} exists already; save the scan under another name.")
    partial = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    pictures = []
    for number, view in enumerate(outcome.views, start=1):
        file = partial / f"look-{number:02}.png"
        png = _png(view.picture)
        file.write_bytes(png)
        pictures.append(
            {
                "file": file.name,
                "sha256": sha256(png).hexdigest(),
                "grid": view.grid.homography.tolist(),
                "squares": view.grid.squares,
                "rgb": np.round(view.colours, 2).tolist(),
            }
        )
    content = {
        "format": FORMAT,
        "version": version("puzzlerig"),
        "source": source,
        "camera": asdict(settings),
        "pictures": pictures,
        "facelets_of_pictures": outcome.facelets.tolist(),
        "rgb": np.round(outcome.rgb, 2).tolist(),
        "reading": outcome.result.as_json(),
        "posteriors": np.round(outcome.result.posteriors, 5).tolist(),
    }
    (partial / FILE_NAME).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    partial.replace(folder)


def load_scan(folder: Path) -> StoredScan:
    """Return a saved scan; raises InvalidScanError that says what is missing or damaged."""
    content = _content(folder / FILE_NAME)
    try:
        pictures = tuple(_picture(folder, entry) for entry in content["pictures"])
        facelets = np.array(content["facelets_of_pictures"], dtype=np.int64)
        rgb = np.array(content["rgb"], dtype=np.float64)
        reading = dict(content["reading"])
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidScanError(f"{folder / FILE_NAME} is damaged: {error!r}.") from error
    looks = len(facelets)
    in_range = facelets.size and facelets.min() >= 0 and facelets.max() < 9 * len(pictures)
    if facelets.shape != (looks, 54) or rgb.shape != (looks, 54, 3) or not in_range:
        raise InvalidScanError(f"{folder / FILE_NAME} is damaged: its 54 stickers do not add up.")
    return StoredScan(folder.name, pictures, facelets, rgb, reading)


def scans_below(folder: Path) -> list[Path]:
    """Return `folder` if it is a saved scan, else the saved scans in it, by name."""
    if (folder / FILE_NAME).exists():
        return [folder]
    found = sorted(path.parent for path in folder.glob(f"*/{FILE_NAME}"))
    if not found:
        raise InvalidScanError(f"{folder} is no saved scan and contains none (no {FILE_NAME}).")
    return found


def _content(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidScanError(f"{path} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:
        raise InvalidScanError(f"{path} is damaged: {error}.") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InvalidScanError(f"{path} is no scan of format {FORMAT}; scan the cube again.")
    return content


def _png(picture: Image) -> bytes:
    _, file = cv2.imencode(".png", picture)
    return file.tobytes()


def _picture(folder: Path, entry: dict[str, Any]) -> Image:
    path = folder / Path(entry["file"]).name
    try:
        png = path.read_bytes()
    except OSError as error:
        raise InvalidScanError(f"{path} cannot be read: {error.strerror or error}.") from error
    if sha256(png).hexdigest() != entry["sha256"]:
        raise InvalidScanError(f"{path} was changed after the scan was saved.")
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise InvalidScanError(f"{path} is no picture.")
    return np.asarray(picture, dtype=np.uint8)
