"""The translation of the thesis of 2010, chapter 11.1 (`seitenUmwandlung`).

A fixed routine brings each face down; cradle and layer turn in one direction only.
"""

from collections.abc import Sequence

from controller.motion.cube_orientation import orientation_after
from controller.motion.primitives import Primitive, Spin, Tilt, TurnLayer
from solvers.rubik.notation import Move
from solvers.rubik.rotations import UPRIGHT, Face

# What brings the face at each place down.
ROUTINE: dict[Face, tuple[Tilt | Spin, ...]] = {
    Face.F: (Tilt(),),
    Face.U: (Tilt(), Tilt()),
    Face.B: (Spin(2), Tilt()),
    Face.D: (),
    Face.R: (Spin(1), Tilt()),
    Face.L: (Spin(3), Tilt()),
}

# The thesis numbers the places front, up, back, down, right, left.
PAPER_PLACES = (Face.F, Face.U, Face.B, Face.D, Face.R, Face.L)


def paper_primitives(moves: Sequence[Move]) -> tuple[Primitive, ...]:
    """Return the primitives that the thesis' program would play for `moves`."""
    primitives: list[Primitive] = []
    orientation = UPRIGHT
    for move in moves:
        for motion in ROUTINE[orientation.place_of(move.face)]:
            primitives.append(motion)
            orientation = orientation_after(orientation, motion)
        primitives.append(TurnLayer(move.quarter_turns))
    return tuple(primitives)


def paper_list(moves: Sequence[Move]) -> list[int]:
    """Return the translated list as the thesis sends it to the robot.

    The number of moves, then for each move 3 * place + (quarter turns - 1), where the place is
    where its face lies at that time.
    """
    numbers = [len(moves)]
    orientation = UPRIGHT
    for move in moves:
        place = orientation.place_of(move.face)
        numbers.append(3 * PAPER_PLACES.index(place) + move.quarter_turns - 1)
        for motion in ROUTINE[place]:
            orientation = orientation_after(orientation, motion)
    return numbers
