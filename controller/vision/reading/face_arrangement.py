"""Put six faces together that were shown in any order and turned in any way.

Only the right arrangement makes a legal cube (on real scans exactly one of 4096 rotations does).
30 ways to place six faces times 4096 rotations are bounded from below piece by piece, and those
that could be the best are read exactly, in the order of their bounds.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Final

import numpy as np

from controller.vision.reading.colour_model import learnt_costs
from controller.vision.reading.legal_reader import cheapest_legal, cheapest_per_colour
from controller.vision.reading.reader import TEMPERATURE
from controller.vision.reading.rotation_bounds import ROTATIONS, rotation_bounds
from controller.vision.reading_order import turned_orders
from solvers.foundation.arrays import Float64Array, Int64Array
from solvers.rubik.cubies import CubieCube

# A cube that is far from solved leaves a handful of candidates, a solved one all 122 880.
MOST_CANDIDATES: Final = 400
# Arrangements that cost so much more than the best are not worth reading: e^-15 of its weight.
WORTHWHILE_GAP: Final = 15 * TEMPERATURE


@dataclass(frozen=True, slots=True, eq=False)
class Arrangement:
    """`facelets[i]` is the captured sticker, 0..53, that facelet i of the assembled cube shows.

    `probability` compares it with all other arrangements that make a different cube.
    """

    facelets: Int64Array
    probability: float


def arrange_faces(colours: Float64Array) -> Arrangement:
    """Return the arrangement of six captured faces, sRGB of shape (6, 9, 3), that is most legal.

    The face shown first becomes U; the second becomes R unless it lies opposite, then the third.
    Faces shown upright in the order U R F D L B thus keep their letters.
    """
    rgb = colours.reshape(54, 3)
    costs = learnt_costs(rgb, {}, assign=cheapest_per_colour).stickers
    best = np.inf
    found: list[_Candidate] = []
    for bound, order, faces in _candidates(costs):
        if bound > best + WORTHWHILE_GAP or len(found) >= MOST_CANDIDATES:
            break
        legal = cheapest_legal(costs[order][:, faces])
        best = min(best, legal.cost)
        found.append(_Candidate(legal.cost, legal.cube, tuple(faces.tolist()), order))
    cheapest = min(found, key=lambda candidate: candidate.cost)
    if cheapest.cube.is_solved:  # nothing is left to be put together
        return Arrangement(cheapest.order, 1.0)
    # Turning faces of a symmetric cube may give the same cube once more.
    dearest_first = sorted(found, key=lambda candidate: -candidate.cost)
    costs_of_cubes = {(each.faces, each.cube): each.cost for each in dearest_first}
    weights = [np.exp((cheapest.cost - cost) / TEMPERATURE) for cost in costs_of_cubes.values()]
    return Arrangement(cheapest.order, float(1 / np.sum(weights)))


@dataclass(frozen=True, slots=True, eq=False)
class _Candidate:
    """The cube that one arrangement makes; `faces` are the captured ones at U R F D L B."""

    cost: float
    cube: CubieCube
    faces: tuple[int, ...]
    order: Int64Array


def _candidates(costs: Float64Array) -> Iterator[tuple[float, Int64Array, Int64Array]]:
    """Yield lower bounds in ascending order, facelet orders and captured faces at U R F D L B."""
    turned = turned_orders()
    placements = list(_placements())
    bounds = np.empty((len(placements), ROTATIONS))
    for number, faces in enumerate(placements):
        placed = costs.reshape(6, 9, 6)[faces][:, :, faces].reshape(54, 6)
        bounds[number] = rotation_bounds(placed)
    for index in np.argsort(bounds, axis=None, kind="stable"):
        number, rotation = divmod(int(index), ROTATIONS)
        faces = placements[number]
        order = np.concatenate([9 * faces[f] + turned[rotation >> (2 * f) & 3] for f in range(6)])
        yield float(bounds[number, rotation]), order, faces


def _placements() -> Iterator[Int64Array]:
    """Yield the 30 ways to put captured faces at U R F D L B, up to turning the whole cube."""
    for opposite in range(1, 6):
        first, *others = (face for face in range(1, 6) if face != opposite)
        for front, left, back in permutations(others):
            yield np.array([0, first, front, opposite, left, back])
