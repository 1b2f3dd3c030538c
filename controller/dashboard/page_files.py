"""The pages: a frame that all share, and what each puts into it; files beside this module.

Styles and scripts have an address that names a digest of all of them. A browser keeps what is there
and does not ask again, in no tab: what changes has another address. A page names all scripts that
it will need, so that they come at once.
"""

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent
PAGES: Final = {"cube": "Cube", "robot": "Robot", "board": "Board", "puzzles": "Puzzles"}
TYPES: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
DIGEST_BYTES: Final = 8
_IMPORT: Final = re.compile(rb"^import .*'/assets/([\w.]+)';", re.MULTILINE)


@cache
def page(name: str) -> str:
    """Return the HTML of a page."""
    frame = _text(FOLDER / "pages" / "frame.html")
    for key, text in {
        "TITLE": PAGES[name],
        "ICONS": _text(FOLDER / "pages" / "icons.svg"),
        "PAGE": _text(FOLDER / "pages" / f"{name}.html"),
        "PRELOADS": "\n".join(
            f'<link rel="modulepreload" href="{{{{ASSETS}}}}/{each}">'
            for each in imported_by(f"{name}.js")
        ),
        "ASSETS": f"/assets/{digest()}",
        "NAME": name,
    }.items():
        frame = frame.replace(f"{{{{{key}}}}}", text)
    return frame.replace(f'href="/{name}"><svg', f'href="/{name}" aria-current="page"><svg')


def asset(name: str) -> tuple[bytes, str] | None:
    """Return a style or script and its media type. What scripts import has the digest's address."""
    found = _assets().get(name)
    if found is None:
        return None
    content, media_type = found
    return content.replace(b"'/assets/", f"'/assets/{digest()}/".encode()), media_type


@cache
def digest() -> str:
    """Return what names these styles and scripts, and no others."""
    found = hashlib.blake2b(digest_size=DIGEST_BYTES)
    for name, (content, _) in sorted(_assets().items()):
        found.update(f"{name} {len(content)} ".encode() + content)
    return found.hexdigest()


def imported_by(script: str) -> list[str]:
    """Return the scripts that a script imports, with those that they import in turn."""
    found = [script]
    for each in found:  # grows as it is gone through
        names = [name.decode() for name in _IMPORT.findall(_assets()[each][0])]
        found += [name for name in names if name not in found]
    return found[1:]


@cache
def _assets() -> dict[str, tuple[bytes, str]]:
    """Return styles and scripts by name, each with its media type.

    Those of a page are in a folder of its name; what several pages show is in `shared`.
    """
    paths = (FOLDER / "components").rglob("*")
    return {
        path.name: (path.read_bytes(), TYPES[path.suffix]) for path in paths if path.suffix in TYPES
    }


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
