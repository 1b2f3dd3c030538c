"""What the pages' examples need, and which of them no test can run."""

import re
from typing import Final

PLACE_HOLDER: Final = re.compile(r"\b[A-Z]{3,}\b")
"""A word for the reader to replace, as in `aksen verify IMAGE --port PORT`."""

DEVICE: Final = "needs a real machine at the computer"
NOT_RUN: Final = {
    "aksen flash out/hello.ihx --port /dev/ttyUSB0 --run": DEVICE,
}
"""Command lines as they stand in a page, each with the reason."""

FILES: Final[dict[str, dict[str, str]]] = {}
"""Files that a page's examples take as given: page, name, content."""
