"""What the pages' examples need, and which of them no test can run."""

import re
from typing import Final

PLACE_HOLDER: Final = re.compile(r"\b[A-Z]{3,}\b")
"""A word for the reader to replace, as in `aksen verify IMAGE --port PORT`."""

DEVICE: Final = "needs a real machine at the computer"
MINUTES: Final = "takes minutes"
BY_HAND: Final = "is stopped or answered by hand"
_REAL_TIME: Final = (
    "cuberobot demo --seed 7 --speed 1   # a certain cube, in real time instead of 20 times as fast"
)
NOT_RUN: Final = {
    "aksen build hello -o out && aksen flash out/hello.ihx --port /dev/ttyUSB0 --run": DEVICE,
    "aksen flash out/hello.ihx --port /dev/ttyUSB0 --run": DEVICE,
    "aksen puzzle8 gaefdboch doefgbcah --port /dev/ttyUSB0": DEVICE,
    "cuberobot demo --camera             # it scans the cube first, and looks again at the end": (
        "tests/integration/test_cuberobot_commands.py runs it, in more ways"
    ),
    _REAL_TIME: MINUTES,
    "cuberobot resume            # goes on with the newest unfinished run": (
        "needs a run that was cut off"
    ),
    "cuberobot run --brick usb --camera 0": DEVICE,
    "cuberobot scan --camera 0": DEVICE,
    "cuberobot doctor": "ends with 1 where no machine answers",
    "puzzle pack solve bedlam --count": MINUTES,
    "puzzle pack solve ct-puzzle --count --workers 2": BY_HAND,
    "puzzle ubongo ask": BY_HAND,
}
"""Command lines as they stand in a page, each with the reason."""

FILES: Final[dict[str, dict[str, str]]] = {
    "docs/tiles.md": {"puzzle3.txt": "puzzles/triangles/puzzle3.txt"},
}
"""Files that a page's examples take as given: page, name, where in tests/data.

A file of the checkout, `tests/data/...`, every reader has.
"""
