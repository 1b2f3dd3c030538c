"""Options that several commands of `cuberobot` share."""

from pathlib import Path
from typing import Annotated

import typer

BrickOption = Annotated[
    str,
    typer.Option(
        "--brick",
        metavar="ADDRESS",
        help="usb, bluetooth[:ADDRESS], devfile:PATH or ip:HOST:PORT.",
    ),
]
MotorControlOption = Annotated[
    bool,
    typer.Option(
        "--motor-control", help="Let MotorControl22 on the brick position the motors (Bluetooth)."
    ),
]
CalibrationOption = Annotated[
    Path | None, typer.Option("--calibration", help="Calibration file of your rig.")
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
    Path | None, typer.Option("--journal", help="Where to keep the run's journal.")
]
