"""Lists of colours in files: the JSON that `cuberobot scan read` takes and `export-case` writes."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from controller.vision.errors import InvalidScanError
from solvers.foundation.arrays import Float64Array

FORMAT_HINT = 'Expected a list of {"name": ..., "rgb": [[r, g, b], ... 54 of them]}.'


@dataclass(frozen=True, slots=True, eq=False)
class ScanCase:
    """A name and 54 sRGB colours 0..255 in URFDLB order, shape (54, 3)."""

    name: str
    rgb: Float64Array


def load_scan_list(path: Path) -> list[ScanCase]:
    """Return the cases of a JSON file: one case, a list of them, or an object with `cases`.

    Raises InvalidScanError that names the file, and the case if only that is malformed.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidScanError(f"{path} cannot be read: {error.strerror or error}.") from error
    except (ValueError, RecursionError) as error:
        raise InvalidScanError(f"{path} is no JSON file: {error}. {FORMAT_HINT}") from error
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
    if not isinstance(name, str):
        raise InvalidScanError(f"{where} has a name that is no text.")
    if "rgb" not in entry:
        raise InvalidScanError(f"{where} has no rgb. {FORMAT_HINT}")
    return ScanCase(name, _colours(entry["rgb"], where))


def _colours(rgb: Any, where: str) -> Float64Array:
    if not isinstance(rgb, list):
        raise InvalidScanError(f"{where} has an rgb that is no list. {FORMAT_HINT}")
    if len(rgb) != 54:
        raise InvalidScanError(f"{where} has {len(rgb)} colours; a cube has 54.")
    for index, colour in enumerate(rgb):
        if not (
            isinstance(colour, list) and len(colour) == 3 and all(_is_channel(v) for v in colour)
        ):
            raise InvalidScanError(
                f"{where} has {json.dumps(colour)[:60]} as colour {index + 1}; "
                "a colour is three numbers from 0 to 255."
            )
    return np.array(rgb, dtype=np.float64)


def _is_channel(value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and 0 <= value <= 255
