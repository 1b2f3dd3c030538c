"""Options that several commands of `cuberobot` share."""

from pathlib import Path
from typing import Annotated

import typer

from controller.rigs.registry import RIGS
from solvers.foundation.command_line.options import output_file

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
