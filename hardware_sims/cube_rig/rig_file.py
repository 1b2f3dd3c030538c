"""The rig's cube on disk, so that it survives a power cut of the simulator.

What is kept is what an owner finds after a power cut: the cube and how it lies. Before switching on
again he straightens the cradle and the layer to the nearest quarter and puts arm and pusher home;
a cube that leaned on the arm he lays down the way it was falling.
"""

import json
from pathlib import Path
from typing import Any

from hardware_sims.cube_rig.cradled_cube import CradledCube
from hardware_sims.errors import InvalidScenarioError, SimulatorError
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.files import write_text
from solvers.rubik.facelets import format_facelets, parse_facelets
from solvers.rubik.rotations import Face, Orientation, all_orientations

VERSION = 1


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
        document: Any = json.loads(path.read_text(encoding="utf-8"))
        if document["version"] != VERSION:
            raise InvalidScenarioError(
                f"{path} is of version {document['version']}, this program reads {VERSION}; "
                "delete it to start with a new cube."
            )
        orientation = Orientation(tuple(Face[letter] for letter in document["lies"]))
        if orientation not in all_orientations():
            raise ValueError(f"a cube cannot lie as {document['lies']}")
        return CradledCube(parse_facelets(document["cube"]), orientation)
    except OSError as error:
        raise InvalidScenarioError(f"Cannot read {path}: {error.strerror or error}.") from error
    except (ValueError, KeyError, TypeError, InvalidInputError) as error:
        raise InvalidScenarioError(
            f"{path} is no rig file ({error}); delete it to start with a new cube."
        ) from error
