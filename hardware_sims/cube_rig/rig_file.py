"""The rig's cube on disk, so that it survives a power cut of the simulator.

What is kept is what an owner finds after a power cut: the cube and how it lies. Before switching on
again he straightens the cradle and the layer to the nearest quarter and puts arm and pusher home;
a cube that leaned on the arm he lays down the way it was falling.
"""

import json
from contextlib import suppress
from pathlib import Path

import msgspec

from hardware_sims.cube_rig.cradled_cube import CradledCube
from hardware_sims.errors import InvalidScenarioError, SimulatorError
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.files import write_text
from solvers.foundation.typed_files import read_json
from solvers.rubik.facelets import format_facelets, parse_facelets
from solvers.rubik.rotations import Face, Orientation, all_orientations

VERSION = 1


class _RigFile(msgspec.Struct, frozen=True):
    """What is kept: 54 facelets of the upright cube, and its faces that lie at U R F D L B."""

    version: int
    cube: str = ""
    lies: str = ""


def save_cube(path: Path, cube: CradledCube) -> None:
    """Replace the file in one step. Raises SimulatorError if it cannot be written."""
    document = {
        "version": VERSION,
        "cube": format_facelets(cube.cube),
        "lies": "".join(face.name for face in cube.orientation.faces),
    }
    write_text(path, json.dumps(document) + "\n", error=SimulatorError)


def load_cube(path: Path) -> CradledCube:
    """Return the cube that `save_cube` wrote.

    Raises:
        InvalidScenarioError: the file cannot be read or was not written by `save_cube`.
    """
    try:
        file = read_json(path, _RigFile, "The rig file")
        if file.version != VERSION:
            raise InvalidInputError(
                f"{path} is of version {file.version}, this program reads {VERSION}."
            )
        orientation = _orientation(file.lies)
        return CradledCube(parse_facelets(file.cube), orientation)
    except InvalidInputError as error:
        raise InvalidScenarioError(
            f"{path} is no rig file ({error}); delete it to start with a new cube."
        ) from error


def _orientation(lies: str) -> Orientation:
    with suppress(KeyError, ValueError):
        orientation = Orientation(tuple(Face[letter] for letter in lies))
        if orientation in all_orientations():
            return orientation
    raise InvalidInputError(f"a cube cannot lie as {lies!r}")
