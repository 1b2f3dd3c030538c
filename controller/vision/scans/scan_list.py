"""Lists of colours in files: the JSON that `cuberobot scan read` takes and `export-case` writes."""

from pathlib import Path
from typing import Annotated, Any

import msgspec

from controller.vision.errors import InvalidScanError
from solvers.foundation.typed_files import convert, parse_json, read_bytes

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
