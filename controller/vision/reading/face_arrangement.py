"""Arrangement of six faces that were shown in any order and rotation.

Only the right arrangement makes a legal cube (on real scans exactly one of 4096 rotations does).
30 ways to place six faces times 4096 rotations are bounded from below piece by piece, and those
that could be the best are read exactly, in the order of their bounds. The bound gives each place
its cheapest piece, whatever the other places have: much quicker than a legal cube.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import permutations
from typing import Final

import numpy as np

from controller.vision.reading.colour_model import TEMPERATURE, learnt_costs
from controller.vision.reading.legal_reader import (
    cheapest_legal,
    cheapest_per_colour,
    piece_kinds,
)
from controller.vision.reading_order import turned_orders
from solvers.foundation.arrays import Float64Array, Int64Array
from solvers.foundation.compiled import kernel
from solvers.rubik.cubies import CubieCube

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


# A cube that is far from solved leaves a handful of candidates, a solved one all 122 880.
MOST_CANDIDATES: Final = 400
# Arrangements that cost so much more than the best are not worth reading: e^-15 of its weight.
WORTHWHILE_GAP: Final = 15 * TEMPERATURE


# Another arrangement that shows twenty real pieces this little dearer may be the right one, of a
# cube that was put together wrongly: e^-3 of the weight.
RIVAL_GAP: Final = 3 * TEMPERATURE

# Faces of one colour fit however they are turned: with more of them, faces in any order look as if
# they were shown as people are asked to.
MOST_PLAIN_FACES: Final = 2

# Ways to show six faces that people are asked for: captured faces at U R F D L B, and by how many
# quarters each is turned. In the order of the letters; and in the guide's, each face upright: one,
# then to the left three times, then the top, then the one below.
EXPECTED_ORDERS: Final = (
    ((0, 1, 2, 3, 4, 5), (0, 0, 0, 0, 0, 0)),
    ((0, 1, 5, 2, 3, 4), (0, 1, 0, 2, 3, 2)),
)


class Fit(Enum):
    """What else six faces could be."""

    EXPECTED = "arranged as they were asked for"
    FOUND = "compared with all other arrangements"
    IMPOSSIBLE_TOO = "another arrangement shows pieces that turning cannot bring there"


@dataclass(frozen=True, slots=True, eq=False)
class Arrangement:
    """`facelets[i]` is the captured sticker, 0..53, that facelet i of the assembled cube shows.

    `probability` compares it with all other arrangements that make a different cube. It is 1 where
    the faces make a cube just as they were asked for: others are then a coincidence, unless most
    faces have one colour.
    """

    facelets: Int64Array
    probability: float
    fit: Fit = Fit.FOUND


def arrange_faces(colours: Float64Array) -> Arrangement:
    """Return the arrangement of six captured faces, sRGB of shape (6, 9, 3), that is most legal.

    The face shown first becomes U; the second becomes R unless it is opposite, then the third.
    Faces shown upright in the order U R F D L B thus keep their letters.
    """
    rgb = colours.reshape(54, 3)
    costs = learnt_costs(rgb, {}, assign=cheapest_per_colour).stickers
    best = np.inf
    found: list[_Candidate] = []
    bounds: list[float] = []
    for bound, order, faces in _candidates(costs):
        if bound > best + WORTHWHILE_GAP or len(found) >= MOST_CANDIDATES:
            break
        legal = cheapest_legal(costs[order][:, faces])
        best = min(best, legal.cost)
        bounds.append(bound)
        found.append(_Candidate(legal.cost, legal.cube, tuple(faces.tolist()), order))
    cheapest = min(found, key=lambda candidate: candidate.cost)
    if cheapest.cube.is_solved:  # nothing is left to be put together
        return Arrangement(cheapest.order, 1.0)
    for expected in _expected_candidates(costs):
        if expected.cost < best + RIVAL_GAP:
            is_coincidence = _plain_faces(costs) > MOST_PLAIN_FACES
            return Arrangement(expected.order, 0.5 if is_coincidence else 1.0, Fit.EXPECTED)
    rivals = [each for bound, each in zip(bounds, found, strict=True) if bound < best + RIVAL_GAP]
    # Each place shows a real piece. One of them may be there twice, where a sticker was misread.
    is_impossible_too = any(each.cost >= best + RIVAL_GAP for each in rivals)
    # Turning faces of a symmetric cube may give the same cube once more.
    dearest_first = sorted(found, key=lambda candidate: -candidate.cost)
    costs_of_cubes = {(each.faces, each.cube): each.cost for each in dearest_first}
    weights = [np.exp((cheapest.cost - cost) / TEMPERATURE) for cost in costs_of_cubes.values()]
    fit = Fit.IMPOSSIBLE_TOO if is_impossible_too else Fit.FOUND
    return Arrangement(cheapest.order, float(1 / np.sum(weights)), fit)


@dataclass(frozen=True, slots=True, eq=False)
class _Candidate:
    """The cube that one arrangement makes; `faces` are the captured ones at U R F D L B."""

    cost: float
    cube: CubieCube
    faces: tuple[int, ...]
    order: Int64Array


def _plain_faces(costs: Float64Array) -> int:
    """Return how many captured faces look as if all their stickers had one colour."""
    colours = costs.argmin(axis=1).reshape(6, 9)
    return int((colours == colours[:, :1]).all(axis=1).sum())


def _expected_candidates(costs: Float64Array) -> Iterator[_Candidate]:
    """Yield what the faces make if they were shown as people are asked to."""
    for faces, quarters in EXPECTED_ORDERS:
        turned = zip(faces, quarters, strict=True)
        order = np.concatenate([9 * face + turned_orders()[turns] for face, turns in turned])
        legal = cheapest_legal(costs[order][:, faces])
        yield _Candidate(legal.cost, legal.cube, faces, order)


def _candidates(costs: Float64Array) -> Iterator[tuple[float, Int64Array, Int64Array]]:
    """Yield lower bounds in ascending order, facelet orders and captured faces at U R F D L B."""
    turned = turned_orders()
    placements = list(placements_of_faces())
    bounds = np.empty((len(placements), ROTATIONS))
    for number, faces in enumerate(placements):
        placed = costs.reshape(6, 9, 6)[faces][:, :, faces].reshape(54, 6)
        bounds[number] = rotation_bounds(placed)
    for index in np.argsort(bounds, axis=None, kind="stable"):
        number, rotation = divmod(int(index), ROTATIONS)
        faces = placements[number]
        order = np.concatenate([9 * faces[f] + turned[rotation >> (2 * f) & 3] for f in range(6)])
        yield float(bounds[number, rotation]), order, faces


def placements_of_faces() -> Iterator[Int64Array]:
    """Yield the 30 ways to put captured faces at U R F D L B, up to turning the whole cube."""
    for opposite in range(1, 6):
        first, *others = (face for face in range(1, 6) if face != opposite)
        for front, left, back in permutations(others):
            yield np.array([0, first, front, opposite, left, back])
