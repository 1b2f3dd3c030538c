"""Options that several commands of `cuberobot` share, and how a 2x2x2 cube is told by one."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from controller.rigs.registry import RIGS
from solvers.foundation.command_line.options import output_file
from solvers.foundation.errors import InvalidInputError

if TYPE_CHECKING:
    from solvers.rubik.cubies import CubieCube

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


def pocket_in(state: str | None, *, camera: str | None, target: str | None) -> "CubieCube | None":
    """Return the 2x2x2 cube that `state` is, as the corners of a cube; None if it is none.

    Raises InvalidInputError for stickers that cannot be, and for what such a cube cannot have.
    """
    from solvers.rubik.held_cube import looks_like_stickers
    from solvers.rubik.pocket.pocket_cube import STICKERS, as_whole_cube, read_pocket

    if state is None or not looks_like_stickers(state) or len("".join(state.split())) != STICKERS:
        return None
    if camera is not None:
        raise InvalidInputError(
            "A camera reads 3x3x3 cubes alone; leave out --camera for the 24 stickers of a 2x2x2."
        )
    if target is not None:
        raise InvalidInputError("A 2x2x2 cube is solved; it takes no --target.")
    return as_whole_cube(read_pocket(state))
