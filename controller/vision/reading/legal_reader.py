"""The most likely legal cube for a table of sticker costs, and how sure each sticker is.

A sticker is never decided alone: costs are added up over pieces, and only the arrangements of
pieces that turning can reach compete. Both answers are exact.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from controller.vision.reading.legal_kernels import (
    arrangement_weights,
    cheapest_arrangements,
    cheapest_balanced,
)
from solvers.foundation.arrays import Float64Array, Int64Array
from solvers.rubik.cubies import CubieCube
from solvers.rubik.facelets import CENTRE_FACELETS, CORNER_FACELETS, EDGE_FACELETS, is_odd

FACELETS = 54
COLOURS = 6
CENTRES: Int64Array = np.array(CENTRE_FACELETS)


@dataclass(frozen=True, slots=True, eq=False)
class PieceKind:
    """Corners or edges: `facelets` (n, m) and the colours (n, m, m) that turned pieces show.

    `colours[piece, turn, side]` is what a place shows on its sticker number `side`.
    """

    facelets: Int64Array
    colours: Int64Array

    def costs(self, sticker_costs: Float64Array) -> Float64Array:
        """Return the cost of each piece at each place in each turn, shape (n, n, m)."""
        places, sides = self.facelets.shape
        total = np.zeros((places, places, sides))
        for side in range(sides):
            total += sticker_costs[self.facelets[:, side]][:, self.colours[:, :, side]]
        return total


def _piece_kind(facelets: tuple[tuple[int, ...], ...]) -> PieceKind:
    table = np.array(facelets)
    sides = table.shape[1]
    home = table // 9
    turned = [np.roll(home, turn, axis=1) for turn in range(sides)]
    return PieceKind(table, np.stack(turned, axis=1))


@cache
def piece_kinds() -> tuple[PieceKind, PieceKind]:
    """Return the corners and the edges."""
    return _piece_kind(CORNER_FACELETS), _piece_kind(EDGE_FACELETS)


@dataclass(frozen=True, slots=True, eq=False)
class Assignment:
    """A colour 0..5 for each of the 54 stickers, and what they cost together."""

    colours: Int64Array
    cost: float


@dataclass(frozen=True, slots=True, eq=False)
class LegalAssignment(Assignment):
    """The colours of a cube, and the pieces that show them."""

    cube: CubieCube


def cheapest_legal(sticker_costs: Float64Array) -> LegalAssignment:
    """Return the cheapest cube that turning can reach, for costs of shape (54, 6).

    Costs of centres do not count: a face is named by its centre. The cost is infinite when every
    legal cube contains a sticker of infinite cost.
    """
    costs = [kind.costs(sticker_costs) for kind in piece_kinds()]
    total, arrangements = _cheapest_apart(costs) or _cheapest_together(costs)
    colours = np.repeat(np.arange(COLOURS), 9)
    pieces: list[tuple[int, ...]] = []
    for kind, arrangement in zip(piece_kinds(), arrangements, strict=True):
        piece, turn = arrangement.T
        colours[kind.facelets] = kind.colours[piece, turn]
        pieces += tuple(piece.tolist()), tuple(turn.tolist())
    return LegalAssignment(colours, total, CubieCube(*pieces))


def _cheapest_apart(costs: list[Float64Array]) -> tuple[float, list[Int64Array]] | None:
    """Return every place's own cheapest piece and turn, if these make a legal cube together.

    Then nothing is cheaper; most clear pictures need no more.
    """
    total, found, odd = 0.0, [], set()
    for cost in costs:
        places, _, turns = cost.shape
        of_place = cost.reshape(places, -1)
        piece, turn = np.divmod(of_place.argmin(axis=1), turns)
        if len(set(piece.tolist())) < places or turn.sum() % turns:
            return None
        total += float(of_place.min(axis=1).sum())
        found.append(np.stack([piece, turn], axis=1))
        odd.add(is_odd(tuple(piece.tolist())))
    return (total, found) if len(odd) == 1 else None


def _cheapest_together(costs: list[Float64Array]) -> tuple[float, list[Int64Array]]:
    """Return the pieces and turns of the cheapest legal cube, and what it costs."""
    corners, edges = map(cheapest_arrangements, costs)
    totals = corners[0] + edges[0]
    parity = int(totals.argmin())
    return float(totals[parity]), [corners[1][parity], edges[1][parity]]


def cheapest_per_colour(sticker_costs: Float64Array) -> Assignment:
    """Return the cheapest colours with four corner and four edge stickers of each, legal or not.

    Never dearer than the cheapest legal cube; how much cheaper shows a broken scan.
    """
    colours = np.repeat(np.arange(COLOURS), 9)
    total = 0.0
    for kind in piece_kinds():
        stickers = kind.facelets.ravel()
        costs = sticker_costs[stickers]
        assigned = costs.argmin(axis=1)
        if (np.bincount(assigned, minlength=COLOURS) == 4).all():
            cost = float(costs.min(axis=1).sum())
        else:
            cost, assigned = cheapest_balanced(costs, 4)
        colours[stickers] = assigned
        total += cost
    return Assignment(colours, total)


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """Exact marginals over all 43 252 003 274 489 856 000 cubes, each weighing exp(-cost).

    `stickers` has shape (54, 6) and rows that sum to 1; `free_energy` is -log of the total weight,
    so that a cube of cost c has the probability exp(free_energy - c).
    """

    stickers: Float64Array
    free_energy: float


def posterior(sticker_costs: Float64Array) -> Posterior:
    """Return how probable each colour is for each sticker, for costs of shape (54, 6)."""
    offset = 0.0
    totals, shares = [], []
    for kind in piece_kinds():
        costs = kind.costs(sticker_costs)
        # The cheapest entry of each place weighs 1, so that the products stay in range.
        floor = costs.min(axis=(1, 2), keepdims=True)
        offset += float(floor.sum())
        total, share = arrangement_weights(np.exp(floor - costs))
        totals.append(total)
        shares.append(share)
    weight = float(totals[0] @ totals[1])
    stickers = np.zeros((FACELETS, COLOURS))
    stickers[CENTRES, np.arange(COLOURS)] = 1
    # Corners and edges go together when their parities agree.
    for kind, share, other in zip(piece_kinds(), shares, reversed(totals), strict=True):
        probability = np.tensordot(other, share, axes=1) / weight
        for side in range(kind.facelets.shape[1]):
            for colour in range(COLOURS):
                shows = kind.colours[:, :, side] == colour
                stickers[kind.facelets[:, side], colour] = probability[:, shows].sum(axis=1)
    return Posterior(stickers, offset - float(np.log(weight)))
