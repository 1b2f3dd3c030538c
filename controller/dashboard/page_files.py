"""The pages: a frame that all share, and what each puts into it; files beside this module."""

from functools import cache
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent
PAGES: Final = {"cube": "Cube", "robot": "Robot", "board": "Board", "puzzles": "Puzzles"}
TYPES: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


@cache
def page(name: str) -> str:
    """Return the HTML of a page."""
    frame = _text(FOLDER / "pages" / "frame.html")
    for key, text in {
        "TITLE": PAGES[name],
        "ICONS": _text(FOLDER / "pages" / "icons.svg"),
        "PAGE": _text(FOLDER / "pages" / f"{name}.html"),
        "NAME": name,
    }.items():
        frame = frame.replace(f"{{{{{key}}}}}", text)
    return frame.replace(f'href="/{name}"', f'href="/{name}" aria-current="page"')


@cache
def assets() -> dict[str, tuple[bytes, str]]:
    """Return styles and scripts by name, each with its media type.

    Those of a page are in a folder of its name; what several pages show is in `shared`.
    """
    paths = (FOLDER / "components").rglob("*")
    return {
        path.name: (path.read_bytes(), TYPES[path.suffix]) for path in paths if path.suffix in TYPES
    }


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
