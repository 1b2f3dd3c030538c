"""What several commands of `cuberobot` share: options, the trace, and the user's browser."""

import logging
import os
import sys
import webbrowser
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from controller.rigs.registry import DEFAULT_RIG, RIGS
from solvers.foundation.command_line.app import OUTPUT_FILE, PATH
from solvers.foundation.errors import InvalidInputError

if TYPE_CHECKING:
    from solvers.rubik.cubies import CubieCube


rig = click.option(
    "--rig", default=DEFAULT_RIG, metavar="NAME", help=f"The make of your rig: {', '.join(RIGS)}."
)
brick = click.option(
    "--brick",
    default="usb",
    metavar="ADDRESS",
    help="usb, bluetooth[:ADDRESS], devfile:PATH or ip:HOST:PORT.",
)
drive = click.option(
    "--drive", metavar="NAME", help="How the motors are driven: auto, program or direct."
)
calibration = click.option("--calibration", type=PATH, help="Calibration file of your rig.")
camera = click.option(
    "--camera",
    metavar="SOURCE",
    help="Camera that looks at the cube: number or URL. Without one nothing is verified.",
)
speed = click.option(
    "--speed",
    type=click.FloatRange(min=0.1, max=100.0),
    default=1.0,
    help="How much faster than real the simulated brick runs; 1 for a real one.",
)
search_time = click.option(
    "--time",
    "search_s",
    type=click.FloatRange(min=0.0, max=600.0),
    default=1.0,
    help="CPU seconds to search for a faster plan.",
)
journal = click.option("--journal", type=OUTPUT_FILE, help="Where to keep the run's journal.")
trace = click.option(
    "--trace", type=OUTPUT_FILE, help="Write every telegram to and from the brick to this file."
)


def pocket_in(state: str | None, *, camera: str | None, target: str | None) -> "CubieCube | None":
    """Return the 2x2x2 cube that `state` is, as the corners of a cube; None if it is none.

    Raises InvalidInputError for stickers that cannot be, and for what such a cube cannot have.
    """
    from solvers.rubik.held_cube import looks_like_stickers, sticker_letters
    from solvers.rubik.pocket import STICKERS, as_whole_cube, read_pocket

    if state is None or not looks_like_stickers(state) or len(sticker_letters(state)) != STICKERS:
        return None
    if camera is not None:
        raise InvalidInputError(
            "A camera reads 3x3x3 cubes alone; leave out --camera for the 24 stickers of a 2x2x2."
        )
    if target is not None:
        raise InvalidInputError("A 2x2x2 cube is solved; it takes no --target.")
    return as_whole_cube(read_pocket(state))


_FORMAT: Final = "%(relativeCreated)10.1f ms  %(message)s"
_RIGS: Final = logging.getLogger("controller.rigs")
_log: Final = logging.getLogger(__name__)


class _TraceFile(logging.FileHandler):
    """A log file that closes with a warning when its disk is full; the robot continues."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: ARG002, N802 - logging's own
        _RIGS.removeHandler(self)
        with suppress(OSError):
            self.close()
        _log.warning(
            "The trace %s cannot be written any more, so it ends here. Is the disk full?",
            self.baseFilename,
        )


def start_trace(path: Path | None) -> None:
    """Write what the rigs log from now on, their telegrams, to a file.

    Raises InvalidInputError if that is not possible.
    """
    if path is None:
        return
    try:
        handler = _TraceFile(path, mode="w", encoding="utf-8")
    except OSError as error:
        raise InvalidInputError(f"The trace {path} cannot be written: {error.strerror}.") from None
    handler.setFormatter(logging.Formatter(_FORMAT))
    _RIGS.setLevel(logging.DEBUG)
    _RIGS.addHandler(handler)


SCREENS: Final = ("DISPLAY", "WAYLAND_DISPLAY")
"""Set where X or Wayland has a screen; elsewhere Python would start a browser for terminals."""


def open_page(address: str) -> None:
    """Open a page in the browser; do nothing where there is no screen, as over SSH."""
    if sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in SCREENS):
        webbrowser.open(address)
