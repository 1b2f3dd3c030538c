"""The cube that lies in the rig when the simulator starts."""

from hardware_sims.cube_rig.cradled_cube import CradledCube
from hardware_sims.errors import InvalidScenarioError
from solvers.foundation.errors import InvalidInputError
from solvers.rubik.cubies import SOLVED
from solvers.rubik.held_cube import read_stickers
from solvers.rubik.notation import read_moves
from solvers.rubik.scramble import random_state


def starting_cube(
    scramble: str | None = None, facelets: str | None = None, seed: int | None = None
) -> CradledCube:
    """Return the cube after the moves of a scramble, of 54 facelets, or of a seed; else solved.

    Raises:
        InvalidScenarioError: more than one is given, or it cannot be read.
    """
    given = [
        option
        for option, value in (("--scramble", scramble), ("--facelets", facelets), ("--seed", seed))
        if value is not None
    ]
    if len(given) > 1:
        raise InvalidScenarioError(f"{' and '.join(given)} exclude each other; give one of them.")
    try:
        if scramble is not None:
            written = read_moves(scramble)
            return CradledCube(SOLVED.apply(written.moves), written.lies)
        if facelets is not None:
            return CradledCube(read_stickers(facelets).position)
    except InvalidInputError as error:
        raise InvalidScenarioError(f"{given[0]}: {error}") from error
    return CradledCube(SOLVED if seed is None else random_state(seed))
