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
import numpy.typing as npt
from numba import njit

from controller.vision.colour_model import learnt_costs
from controller.vision.legal_reader import cheapest_legal, cheapest_per_colour, piece_kinds
from controller.vision.reader import TEMPERATURE
from controller.vision.scan_diagnosis import QUARTER_TURNED
from solvers.rubik.facelets import FACE_LETTERS

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

# A cube that is far from solved leaves a handful of candidates, a solved one all 122 880.
MOST_CANDIDATES: Final = 400
# Arrangements that cost so much more than the best are not worth reading: e^-15 of its weight.
WORTHWHILE_GAP: Final = 15 * TEMPERATURE


@dataclass(frozen=True, eq=False)
class Arrangement:
    """`facelets[i]` is the captured sticker, 0..53, that facelet i of the assembled cube shows.

    `probability` compares it with all other arrangements that make a different cube.
    """

    facelets: IntArray
    probability: float


def arrange_faces(colours: FloatArray) -> Arrangement:
    """Return the arrangement of six captured faces, sRGB of shape (6, 9, 3), that is most legal.

    The face shown first becomes U; the second becomes R unless it lies opposite, then the third.
    Faces shown upright in the order U R F D L B thus keep their letters.
    """
    rgb = colours.reshape(54, 3)
    costs = learnt_costs(rgb, {}, assign=cheapest_per_colour).stickers
    best_cost = np.inf
    found: list[tuple[float, str, IntArray]] = []
    for bound, order, faces in _candidates(costs):
        if bound > best_cost + WORTHWHILE_GAP or len(found) >= MOST_CANDIDATES:
            break
        cube = cheapest_legal(costs[order][:, faces])
        best_cost = min(best_cost, cube.cost)
        name = "".join(FACE_LETTERS[faces[colour]] for colour in cube.colours)
        found.append((cube.cost, name, order))
    cost, name, order = min(found, key=lambda entry: entry[0])
    # Turning or exchanging faces of a symmetric cube may give the same cube once more.
    costs_of_cubes = {n: c for c, n, _ in sorted(found, key=lambda entry: -entry[0])}
    if not _is_uniform(name):
        weights = [np.exp((cost - other) / TEMPERATURE) for other in costs_of_cubes.values()]
        return Arrangement(order, float(1 / np.sum(weights)))
    return Arrangement(order, 1.0)


def _is_uniform(name: str) -> bool:
    """Return whether every face has one colour, so that nothing is left to be put together."""
    return all(len(set(name[9 * face : 9 * face + 9])) == 1 for face in range(6))


def _candidates(costs: FloatArray) -> Iterator[tuple[float, IntArray, IntArray]]:
    """Yield lower bounds in ascending order, facelet orders and captured faces at U R F D L B."""
    turned = _turned_orders()
    placements = list(_placements())
    bounds = np.empty((len(placements), 4096))
    for number, faces in enumerate(placements):
        placed = costs.reshape(6, 9, 6)[faces][:, :, faces].reshape(54, 6)
        edges, corners = _piece_bounds(placed)
        bounds[number] = _rotation_bounds(edges, corners)
    for index in np.argsort(bounds, axis=None, kind="stable"):
        number, rotation = divmod(int(index), 4096)
        faces = placements[number]
        order = np.concatenate([9 * faces[f] + turned[rotation >> (2 * f) & 3] for f in range(6)])
        yield float(bounds[number, rotation]), order, faces


def _placements() -> Iterator[IntArray]:
    """Yield the 30 ways to put captured faces at U R F D L B, up to turning the whole cube."""
    for opposite in range(1, 6):
        first, *others = (face for face in range(1, 6) if face != opposite)
        for front, left, back in permutations(others):
            yield np.array([0, first, front, opposite, left, back])


def _turned_orders() -> IntArray:
    """Return the reading orders of a face turned by 0 to 3 quarters, (4, 9)."""
    orders = [np.arange(9)]
    for _ in range(3):
        orders.append(orders[-1][QUARTER_TURNED])
    return np.array(orders)


def _piece_bounds(costs: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return what the cheapest piece costs at each place, for each rotation of its faces.

    Shapes (12, 4, 4) and (8, 4, 4, 4), rotations in the order of the place's stickers.
    """
    turned = _turned_orders()
    tables = []
    for kind in reversed(piece_kinds()):
        places, sides = kind.facelets.shape
        shape = (places,) + (4,) * sides
        total = np.zeros((*shape, *kind.colours.shape[:2]))
        for side in range(sides):
            facelets = kind.facelets[:, side]
            shown = 9 * (facelets // 9) + turned[:, facelets % 9]  # (4, places)
            colours = kind.colours[:, :, side]
            axes = [1] * sides
            axes[side] = 4
            total += costs[shown.T][:, :, colours].reshape(places, *axes, *colours.shape)
        tables.append(total.min(axis=(-2, -1)))
    return tables[0], tables[1]


def _rotation_bounds(edges: FloatArray, corners: FloatArray) -> FloatArray:
    corner_kind, edge_kind = piece_kinds()
    return np.asarray(
        _sum_bounds(edges, edge_kind.facelets // 9, corners, corner_kind.facelets // 9)
    )


@njit(cache=True)
def _sum_bounds(
    edges: FloatArray, edge_faces: IntArray, corners: FloatArray, corner_faces: IntArray
) -> FloatArray:
    """Return the sum of the places' bounds for each of 4096 rotations, two bits a face."""
    bounds = np.zeros(4096)
    for rotation in range(4096):
        total = 0.0
        for place in range(12):
            a, b = edge_faces[place]
            total += edges[place, rotation >> (2 * a) & 3, rotation >> (2 * b) & 3]
        for place in range(8):
            a, b, c = corner_faces[place]
            total += corners[
                place, rotation >> (2 * a) & 3, rotation >> (2 * b) & 3, rotation >> (2 * c) & 3
            ]
        bounds[rotation] = total
    return bounds
