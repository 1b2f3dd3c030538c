"""Shows a page in the user's browser, where there is a screen for one."""

import os
import sys
import webbrowser
from typing import Final

SCREENS: Final = ("DISPLAY", "WAYLAND_DISPLAY")
"""Set where X or Wayland has a screen; elsewhere Python would start a browser for terminals."""


def open_page(address: str) -> None:
    """Open a page in the browser; do nothing where there is no screen, as over SSH."""
    if sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in SCREENS):
        webbrowser.open(address)
