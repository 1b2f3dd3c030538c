"""Why a scan shows no legal cube: which face is turned, exchanged, repeated or off its grid."""

from collections.abc import Iterator
from itertools import combinations
from typing import Final

import numpy as np

from controller.vision.reading.colour_space import grey_balanced, linear_light, weighted_lab
from controller.vision.reading.legal_reader import CENTRES, cheapest_legal, cheapest_per_colour
from controller.vision.reading_order import QUARTER_TURNED, turned_orders
from solvers.foundation.arrays import Float64Array, Int64Array
from solvers.rubik.facelets import FACE_LETTERS
from solvers.rubik.rotations import Face

# Two pictures of one face differ by noise alone; in weighted Lab, mean over nine stickers.
SAME_FACE_DISTANCE: Final = 4.0
# Centres nearer than this are one colour to the eye; red and orange in poor light have 9 to 16.
ALIKE_CENTRES: Final = 4.0
# A hypothesis explains the scan when it leaves no more than this of the gap.
EXPLAINED_SHARE: Final = 0.15

_TURN_NAMES = {1: "a quarter clockwise", 2: "a half", 3: "a quarter counter-clockwise"}


def repeated_face_reasons(rgb: Float64Array) -> tuple[str, ...]:
    """Say which two of the six pictures, colours of shape (54, 3), show the same face."""
    faces = weighted_lab(grey_balanced(linear_light(rgb))).reshape(6, 9, 3)
    turned = faces[:, turned_orders()]
    apart = np.linalg.norm(faces[:, None, None] - turned, axis=-1).mean(axis=-1).min(axis=-1)
    for first, second in combinations(range(6), 2):
        if apart[first, second] < SAME_FACE_DISTANCE:
            names = f"{FACE_LETTERS[first]} and {FACE_LETTERS[second]}"
            return (
                f"The pictures of faces {names} show the same colours everywhere: one face "
                f"was shown twice, or their centres look alike. Scan both again.",
            )
    return ()


def broken_scan_reasons(costs: Float64Array, balanced_cost: float) -> tuple[str, ...]:
    """Say what would explain a scan without a legal cube.

    `balanced_cost` is the cost of the best four and four stickers to each colour, which turning or
    exchanging faces does not change.
    """
    gap = cheapest_legal(costs).cost - balanced_cost
    explanations = [
        (cheapest_legal(costs[order][:, colours]).cost - balanced_cost, reason)
        for order, colours, reason in _hypotheses()
    ]
    remaining, reason = min(explanations)
    if remaining < EXPLAINED_SHARE * gap:
        return (reason,)
    face = FACE_LETTERS[_worst_face(costs)]
    return (
        f"No legal cube fits these colours; face {face} fits worst. Scan face {face} again and "
        "see that the grid lies on its nine stickers.",
    )


def alike_centre_reasons(rgb: Float64Array) -> tuple[str, ...]:
    """Say which two centres of a scan, colours of shape (54, 3), cannot be told apart."""
    centres = weighted_lab(grey_balanced(linear_light(rgb)))[CENTRES]
    for first, second in combinations(range(6), 2):
        if np.linalg.norm(centres[first] - centres[second]) < ALIKE_CENTRES:
            names = f"{FACE_LETTERS[first]} and {FACE_LETTERS[second]}"
            return (f"The centres of faces {names} look alike; scan these two faces again.",)
    return ()


def _hypotheses() -> list[tuple[Int64Array, Int64Array, str]]:
    """Return what may have happened: orders of facelets and colours that undo it, a sentence."""
    return [*_turned_faces(), *_exchanged_faces()]


def _turned_faces() -> Iterator[tuple[Int64Array, Int64Array, str]]:
    for face, letter in enumerate(FACE_LETTERS):
        order = np.arange(54).reshape(6, 9)
        for turns in (1, 2, 3):
            order[face] = order[face][QUARTER_TURNED]
            reason = f"Face {letter} fits if its picture is turned {_TURN_NAMES[turns]}."
            yield order.flatten(), np.arange(6), f"{reason} Show it upright."


def _exchanged_faces() -> Iterator[tuple[Int64Array, Int64Array, str]]:
    for first, second in combinations(range(6), 2):
        faces = np.arange(6)
        faces[[first, second]] = second, first
        reason = f"Faces {FACE_LETTERS[first]} and {FACE_LETTERS[second]} seem to be exchanged"
        if (first, second) == (Face.R, Face.L):
            # Exchanging them and mirroring every picture sideways cannot be told apart.
            reason += ", or the camera shows mirror images: switch mirroring off"
        yield np.arange(54).reshape(6, 9)[faces].flatten(), faces, f"{reason}. Scan them again."


def _worst_face(costs: Float64Array) -> int:
    """Return the face without whose evidence the gap is smallest."""
    gaps = []
    for face in range(6):
        without = costs.copy()
        stickers = [i for i in range(9 * face, 9 * face + 9) if i not in CENTRES]
        without[stickers] = 0
        gaps.append(cheapest_legal(without).cost - cheapest_per_colour(without).cost)
    return int(np.argmin(gaps))
