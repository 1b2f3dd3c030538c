"""The system's Chromium, without a window."""

import shutil
from typing import Final

# The shell renders as the browser does and leaves out what is round the page: a quarter less CPU.
_NAMES: Final = ("chromium-headless-shell", "chromium", "google-chrome")


def chromium() -> str | None:
    """Return the path of a Chromium, None if there is none; `make browser` installs one."""
    return next((path for name in _NAMES if (path := shutil.which(name))), None)
