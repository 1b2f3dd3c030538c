"""Options that several commands of `cuberobot` share."""

import logging
from pathlib import Path
from typing import Annotated, Final

import typer

from controller.rigs.registry import RIGS
from solvers.foundation.command_line.options import output_file
from solvers.foundation.errors import InvalidInputError

RigOption = Annotated[
    str, typer.Option("--rig", metavar="NAME", help=f"The make of your rig: {', '.join(RIGS)}.")
]
BrickOption = Annotated[
    str,
    typer.Option(
        "--brick",
        metavar="ADDRESS",
        help="usb, bluetooth[:ADDRESS], devfile:PATH or ip:HOST:PORT.",
    ),
]
DriveOption = Annotated[
    str | None,
    typer.Option(
        "--drive", metavar="NAME", help="How the motors are driven: auto, program or direct."
    ),
]
CalibrationOption = Annotated[
    Path | None, typer.Option("--calibration", help="Calibration file of your rig.")
]
CameraOption = Annotated[
    str | None,
    typer.Option(
        "--camera",
        metavar="SOURCE",
        help="Camera that looks at the cube: number or URL. Without one nothing is verified.",
    ),
]
SpeedOption = Annotated[
    float,
    typer.Option(
        "--speed",
        min=0.1,
        max=100.0,
        help="How much faster than real the simulated brick runs; 1 for a real one.",
    ),
]
SearchTimeOption = Annotated[
    float,
    typer.Option("--time", min=0.0, max=600.0, help="CPU seconds to search for a faster plan."),
]
JournalOption = Annotated[
    Path | None, output_file("--journal", help="Where to keep the run's journal.")
]
TraceOption = Annotated[
    Path | None,
    output_file("--trace", help="Write every telegram to and from the brick to this file."),
]

_TRACE_FORMAT: Final = "%(relativeCreated)10.1f ms  %(message)s"


def start_trace(path: Path | None) -> None:
    """Write what the rigs log from now on, their telegrams, to a file.

    Raises InvalidInputError if that is not possible.
    """
    if path is None:
        return
    try:
        handler = logging.FileHandler(path, mode="w", encoding="utf-8")
    except OSError as error:
        raise InvalidInputError(f"The trace {path} cannot be written: {error.strerror}.") from None
    handler.setFormatter(logging.Formatter(_TRACE_FORMAT))
    rigs = logging.getLogger("controller.rigs")
    rigs.setLevel(logging.DEBUG)
    rigs.addHandler(handler)
