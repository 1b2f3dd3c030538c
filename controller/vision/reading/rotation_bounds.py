"""What a cube costs at least, for each of the 4096 ways in which its six faces may be turned.

Each place is given its cheapest piece, whatever the other places have: a lower bound for the legal
cube, and much quicker.
"""

import numpy as np

from controller.vision.reading.legal_reader import piece_kinds
from controller.vision.reading_order import turned_orders
from solvers.foundation.arrays import Float64Array, Int64Array
from solvers.foundation.compiled import kernel

ROTATIONS = 4**6


def rotation_bounds(costs: Float64Array) -> Float64Array:
    """Return a lower bound for each rotation, (4096,), for sticker costs of shape (54, 6).

    A rotation has two bits a face, U lowest: by how many quarters its picture is turned.
    """
    corner_kind, edge_kind = piece_kinds()
    corners, edges = _piece_bounds(costs)
    bounds = np.empty(ROTATIONS)
    _sum_bounds(edges, edge_kind.facelets // 9, corners, corner_kind.facelets // 9, bounds)
    return bounds


def _piece_bounds(costs: Float64Array) -> tuple[Float64Array, Float64Array]:
    """Return what the cheapest piece costs at each place, for each rotation of its faces.

    Shapes (8, 4, 4, 4) and (12, 4, 4), rotations in the order of the place's stickers.
    """
    turned = turned_orders()
    tables = []
    for kind in piece_kinds():
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


@kernel
def _sum_bounds(
    edges: Float64Array,
    edge_faces: Int64Array,
    corners: Float64Array,
    corner_faces: Int64Array,
    bounds: Float64Array,
) -> None:
    """Put the sum of the places' bounds for each rotation into `bounds`."""
    for rotation in range(bounds.size):
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
