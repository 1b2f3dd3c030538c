"""What the pages' examples need, and which of them no test can run."""

import re
from typing import Final

APPS: Final = {
    "puzzle": "solvers",
    "aksen": "firmware_tools",
    "cuberobot": "controller",
    "hwsim": "hardware_sims",
}
"""Each command and the package that has it."""

PLACE_HOLDER: Final = re.compile(r"\b[A-Z]{3,}\b")
"""A word for the reader to replace, as in `aksen verify IMAGE --port PORT`."""

DEVICE: Final = "needs a real machine at the computer"
MINUTES: Final = "takes minutes"
BY_HAND: Final = "is stopped or answered by hand"
PREPARED: Final = "`make test` and `make setup` run it"
ELSEWHERE: Final = "a test of its own runs it, in more ways"
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
    "cuberobot demo --camera 3 --seed 7  # in the evening, with a cheap webcam": ELSEWHERE,
    _REAL_TIME: MINUTES,
    "cuberobot resume            # continues the newest unfinished run": (
        "needs a run that was cut off"
    ),
    "cuberobot dashboard": BY_HAND,
    "cuberobot dashboard --lan": BY_HAND,
    "cuberobot run --brick usb --camera 0": DEVICE,
    "cuberobot tune --brick usb --camera 0": DEVICE,
    "cuberobot scan --camera 0": DEVICE,
    "cuberobot doctor": "ends with 1 where no machine answers",
    "puzzle pack solve bedlam --count": MINUTES,
    "puzzle pack solve ct-puzzle --count --workers 2": BY_HAND,
    "puzzle ubongo ask": BY_HAND,
}
"""Command lines as they stand in a page, each with the reason."""

FILES: Final[dict[str, dict[str, str]]] = {}
"""Files that a page's examples take as given: page, name, where in tests/data.

A file of the checkout, `tests/data/...`, every reader has.
"""

NO_SCAN: Final = "needs a scan that a camera has made"
HELP_NOT_RUN: Final = {
    "aksen build main.c --board mine.toml": "needs a program and a board of one's own",
    "aksen flash out/hello.ihx --port /dev/ttyUSB0 --run": DEVICE,
    "aksen verify out/hello.ihx --port /dev/ttyUSB0": DEVICE,
    "aksen info --port /dev/ttyUSB0": DEVICE,
    "aksen erase --port /dev/ttyUSB0": DEVICE,
    "aksen run --port /dev/ttyUSB0 --monitor": DEVICE,
    "aksen monitor --port /dev/ttyUSB0": DEVICE,
    "aksen puzzle8 gaefdboch doefgbcah --port /dev/ttyUSB0": DEVICE,
    "hwsim nxt --seed 4 --camera": BY_HAND,
    "hwsim aksen --listen 127.0.0.1:7000": BY_HAND,
    "hwsim prepare": PREPARED,
    "puzzle prepare": PREPARED,
    "cuberobot prepare": PREPARED,
    "cuberobot demo": ELSEWHERE,
    "cuberobot demo --camera --seed 7 --speed 5": ELSEWHERE,
    "cuberobot demo --camera 3 --seed 7": ELSEWHERE,
    "cuberobot run --brick usb --camera 0": DEVICE,
    "cuberobot resume": "needs a run that was cut off",
    "cuberobot jog cradle -12": DEVICE,
    "cuberobot calibrate --brick usb --rounds 5": DEVICE,
    "cuberobot tune --brick usb --camera 0": DEVICE,
    "cuberobot doctor --brick bluetooth": DEVICE,
    # It removes the compiled code that all tests of this run use.
    "cuberobot doctor --clean": ELSEWHERE,
    "cuberobot dashboard": BY_HAND,
    "cuberobot dashboard --lan": BY_HAND,
    "cuberobot dashboard --port 0 --no-open": BY_HAND,
    "cuberobot scan --camera 0": DEVICE,
    "cuberobot scan --camera 0 --brick usb --save scans": DEVICE,
    "cuberobot scan replay scans": NO_SCAN,
    "cuberobot scan export-case scans > cases.json": NO_SCAN,
    "puzzle ubongo ask --html card.html": BY_HAND,
    "puzzle pack design --box 3x3x3 --sizes 4,4,4,5,5,5": "docs/packing.md runs it",
    "puzzle tiles solve mine.txt --count": "needs a file of one's own",
}
"""Examples of the commands' helps, each with the reason."""
