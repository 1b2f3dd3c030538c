"""The most likely legal cube for a table of sticker costs, and how sure each sticker is.

A sticker is never decided alone: costs are added up over pieces, and only the arrangements of
pieces that turning can reach compete. Both answers are exact.
"""

from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np

from solvers.foundation.arrays import Float64Array, Int64Array
from solvers.foundation.compiled import compiled, kernel
from solvers.rubik.cubies import CubieCube
from solvers.rubik.facelets import CENTRE_FACELETS, CORNER_FACELETS, EDGE_FACELETS, is_odd


@kernel
def _used(mask: int) -> int:
    count = 0
    while mask:
        count += mask & 1
        mask >>= 1
    return count


@kernel
def _odd_above(mask: int, piece: int) -> int:
    """Return whether an odd number of used pieces comes after `piece`: its inversions."""
    return _used(mask >> (piece + 1)) & 1


@compiled
def cheapest_arrangements(cost: Float64Array, sums: int) -> tuple[Float64Array, Int64Array]:
    """Return the cheapest arrangement for each of the first `sums` sums of turns, of either parity.

    `cost[place, piece, turn]` has shape (n, n, m) with m turns (3 twists or 2 flips). Returns the
    totals (sums, 2), even and odd apart and infinite where there is none, and an array
    (sums, 2, n, 2) of the piece and the turn at each place. Turning reaches those with the sum 0.
    """
    places, turns = cost.shape[0], cost.shape[2]
    states = 1 << places
    best = np.full((states, turns, 2), np.inf)
    best[0, 0, 0] = 0.0
    for mask in range(states - 1):
        place = _used(mask)
        odd = place & 1  # whether an odd number of used pieces comes after `piece`
        for piece in range(places):
            if mask >> piece & 1:
                odd ^= 1
                continue
            following = mask | 1 << piece
            for turn in range(turns):
                step = cost[place, piece, turn]
                after = turn
                for total in range(turns):
                    # Both parities without a branch; `_trace_back` finds what was chosen.
                    even, other = best[mask, total, 0] + step, best[mask, total, 1] + step
                    best[following, after, odd] = min(best[following, after, odd], even)
                    best[following, after, odd ^ 1] = min(best[following, after, odd ^ 1], other)
                    after = after + 1 if after + 1 < turns else 0
    return best[states - 1, :sums].copy(), _trace_back(cost, best, sums)


@compiled
def _trace_back(cost: Float64Array, best: Float64Array, sums: int) -> Int64Array:
    """Return pieces and turns (sums, 2, n, 2) whose costs add up to the best sums."""
    places, turns = cost.shape[0], cost.shape[2]
    arrangement = np.zeros((sums, 2, places, 2), np.int64)
    for final_total in range(sums):
        for final_parity in range(2):
            mask, total, parity = (1 << places) - 1, final_total, final_parity
            for place in range(places - 1, -1, -1):
                piece, turn = _last_step(cost, best, (mask, total, parity))
                arrangement[final_total, final_parity, place] = piece, turn
                mask ^= 1 << piece
                parity ^= _odd_above(mask, piece)
                total = (total - turn) % turns
    return arrangement


@kernel
def _last_step(
    cost: Float64Array, best: Float64Array, state: tuple[int, int, int]
) -> tuple[int, int]:
    """Return the piece and the turn by which a state was reached at its best sum."""
    mask, total, parity = state
    places, turns = cost.shape[0], cost.shape[2]
    for piece in range(places - 1, -1, -1):
        if not mask >> piece & 1:
            continue
        before = mask ^ 1 << piece
        came_from = best[before, :, parity ^ _odd_above(before, piece)]
        for turn in range(turns):
            reached = came_from[(total - turn) % turns] + cost[_used(before), piece, turn]
            if reached == best[mask, total, parity]:
                return piece, turn
    return 0, 0  # only where costs are not numbers


@compiled
def arrangement_weights(weight: Float64Array) -> tuple[Float64Array, Float64Array]:
    """Return the summed weight of all arrangements, and of those with each piece at each place.

    `weight[place, piece, turn]` has shape (n, n, m); an arrangement weighs the product of its
    entries. Returns the totals (m, 2) by the sum of turns, even and odd apart, and the shares
    (2, n, n, m) of arrangements without a sum that have `piece` at `place` turned by `turn`.
    """
    before = _weights_before(weight)
    return before[-1].copy(), _shares(before, weight)


@compiled
def arrangement_totals(weight: Float64Array) -> Float64Array:
    """Return only the totals (m, 2) of `arrangement_weights`, in a third of the time."""
    before = _weights_before(weight)
    totals: Float64Array = before[-1].copy()
    return totals


@compiled
def _weights_before(weight: Float64Array) -> Float64Array:
    """Return the summed weight of all ways to fill the first places, by the pieces used."""
    places, turns = weight.shape[0], weight.shape[2]
    states = 1 << places
    before = np.zeros((states, turns, 2))
    before[0, 0, 0] = 1.0
    for mask in range(states - 1):
        place = _used(mask)
        odd = place & 1  # whether an odd number of used pieces comes after `piece`
        for piece in range(places):
            if mask >> piece & 1:
                odd ^= 1
                continue
            following = mask | 1 << piece
            for turn in range(turns):
                for total in range(turns):
                    for parity in range(2):
                        before[following, (total + turn) % turns, parity ^ odd] += (
                            before[mask, total, parity] * weight[place, piece, turn]
                        )
    return before


@compiled
def _shares(before: Float64Array, weight: Float64Array) -> Float64Array:
    places, turns = weight.shape[0], weight.shape[2]
    states = 1 << places
    # Weight of all completions that end even; those that end odd start from the other parity.
    behind = np.zeros((states, turns, 2))
    behind[states - 1, 0, 0] = 1.0
    shares = np.zeros((2, places, places, turns))
    for mask in range(states - 2, -1, -1):
        place = _used(mask)
        odd = place & 1  # whether an odd number of used pieces comes after `piece`
        for piece in range(places):
            if mask >> piece & 1:
                odd ^= 1
                continue
            following = mask | 1 << piece
            for turn in range(turns):
                step = weight[place, piece, turn]
                for total in range(turns):
                    after = (total + turn) % turns
                    for parity in range(2):
                        arriving = before[mask, total, parity] * step
                        even_end = behind[following, after, parity ^ odd]
                        behind[mask, total, parity] += step * even_end
                        shares[0, place, piece, turn] += arriving * even_end
                        shares[1, place, piece, turn] += (
                            arriving * behind[following, after, parity ^ odd ^ 1]
                        )
    return shares


@compiled
def cheapest_balanced(cost: Float64Array, each: int) -> tuple[float, Int64Array]:
    """Return the cheapest way to give every colour to exactly `each` stickers, legal or not.

    `cost[sticker, colour]` has shape (6 * each, 6). A state is how often each colour was used, as
    the digits of a number. Returns the total and the colour of each sticker.
    """
    stickers, colours = cost.shape
    base = each + 1
    states = base**colours
    best = np.full(states, np.inf)
    choice = np.zeros(states, np.int64)
    best[0] = 0.0
    for state in range(states - 1):
        if best[state] == np.inf:
            continue
        sticker = 0
        rest = state
        while rest:
            sticker += rest % base
            rest //= base
        digit = 1
        for colour in range(colours):
            if state // digit % base < each:
                candidate = best[state] + cost[sticker, colour]
                if candidate < best[state + digit]:
                    best[state + digit] = candidate
                    choice[state + digit] = colour
            digit *= base
    assigned = np.zeros(stickers, np.int64)
    state = states - 1
    for sticker in range(stickers - 1, -1, -1):
        assigned[sticker] = choice[state]
        state -= base ** choice[state]
    return best[states - 1], assigned


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
class CubeAssignment(Assignment):
    """The colours of a cube, and the pieces that show them."""

    cube: CubieCube


def cheapest_legal(sticker_costs: Float64Array) -> CubeAssignment:
    """Return the cheapest cube that turning can reach, for costs of shape (54, 6).

    Costs of centres do not count: a face is named by its centre. The cost is infinite when every
    legal cube contains a sticker of infinite cost.
    """
    costs = [kind.costs(sticker_costs) for kind in piece_kinds()]
    total, arrangements = _cheapest_apart(costs) or _cheapest_together(costs)
    return _assigned(total, arrangements)


@dataclass(frozen=True, slots=True, order=True)
class Assembly:
    """How a cube's pieces were put in: the sums of twists and flips, and whether parities differ.

    Turning changes none of the three, and reaches cubes that have none of them.
    """

    twist: int
    flip: int
    is_odd: int

    @property
    def mistakes(self) -> int:
        """How many of the three are wrong."""
        return (self.twist > 0) + self.flip + self.is_odd


def cheapest_assembled(sticker_costs: Float64Array, assembly: Assembly) -> CubeAssignment:
    """Return the cheapest cube of twenty different pieces that were put in like that."""
    costs = [kind.costs(sticker_costs) for kind in piece_kinds()]
    (corner_totals, corners), (edge_totals, edges) = (
        cheapest_arrangements(cost, cost.shape[2]) for cost in costs
    )
    twist, flip = assembly.twist, assembly.flip
    parities = [(odd, odd ^ assembly.is_odd) for odd in range(2)]
    totals = [corner_totals[twist, odd] + edge_totals[flip, other] for odd, other in parities]
    odd, other = parities[int(np.argmin(totals))]
    return _assigned(float(min(totals)), [corners[twist, odd], edges[flip, other]])


def cheapest_pieces(sticker_costs: Float64Array) -> CubeAssignment:
    """Return the cheapest cube of twenty different pieces, however they were put in."""
    total, found = 0.0, []
    for kind in piece_kinds():
        cost = kind.costs(sticker_costs)
        totals, arrangements = cheapest_arrangements(cost, cost.shape[2])
        best = np.unravel_index(totals.argmin(), totals.shape)
        total += float(totals[best])
        found.append(arrangements[best])
    return _assigned(total, found)


def _assigned(total: float, arrangements: list[Int64Array]) -> CubeAssignment:
    colours = np.repeat(np.arange(COLOURS), 9)
    pieces: list[tuple[int, ...]] = []
    for kind, arrangement in zip(piece_kinds(), arrangements, strict=True):
        piece, turn = arrangement.T
        colours[kind.facelets] = kind.colours[piece, turn]
        pieces += tuple(piece.tolist()), tuple(turn.tolist())
    return CubeAssignment(colours, total, CubieCube(*pieces))


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
    corners, edges = (cheapest_arrangements(cost, 1) for cost in costs)
    totals = corners[0][0] + edges[0][0]
    parity = int(totals.argmin())
    return float(totals[parity]), [corners[1][0, parity], edges[1][0, parity]]


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


_LEAST_WEIGHT = 1e-300  # where corrections leave no other cube, or rounding none


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """Exact marginals over all 43 252 003 274 489 856 000 cubes, each weighing exp(-cost).

    `stickers` has shape (54, 6) and rows that sum to 1; `free_energy` is -log of the total weight,
    so that a cube of cost c has the probability exp(free_energy - c). `impossible` is the log
    of the weight of cubes that turning cannot reach, eleven times as many, relative to theirs.
    """

    stickers: Float64Array
    free_energy: float
    impossible: float


def weights_of(costs: Float64Array) -> tuple[Float64Array, float]:
    """Return the weights of pieces in places, (n, n, m), and the cost that was taken off for that.

    The cheapest entry of each place weighs 1, so that products stay in range.
    """
    floor = costs.min(axis=(1, 2), keepdims=True)
    return np.exp(floor - costs), float(floor.sum())


def impossible_odds(sticker_costs: Float64Array) -> float:
    """Return the log of the weight of cubes that turning cannot reach relative to all others.

    The same as `Posterior.impossible`, which takes three times as long.
    """
    totals = []
    for kind in piece_kinds():
        weights, _ = weights_of(kind.costs(sticker_costs))
        totals.append(arrangement_totals(weights))
    return _impossible(*totals)


def _impossible(corners: Float64Array, edges: Float64Array) -> float:
    # Turning reaches sums of 0, with corners and edges of one parity.
    weight = float(corners[0] @ edges[0])
    elsewhere = float(corners.sum() * edges.sum()) - weight
    return float(np.log(max(elsewhere, _LEAST_WEIGHT)) - np.log(max(weight, _LEAST_WEIGHT)))


def assembly_odds(sticker_costs: Float64Array) -> dict[Assembly, float]:
    """Return for eleven wrong assemblies the log of their cubes' weight over that of the legal."""
    corners, edges = (
        arrangement_totals(weights_of(kind.costs(sticker_costs))[0]) for kind in piece_kinds()
    )
    weights = {
        Assembly(twist, flip, odd): float(corners[twist] @ edges[flip, :: -1 if odd else 1])
        for twist, flip, odd in product(range(3), range(2), range(2))
    }
    legal = np.log(max(weights.pop(Assembly(0, 0, 0)), _LEAST_WEIGHT))
    return {
        assembly: float(np.log(max(weight, _LEAST_WEIGHT)) - legal)
        for assembly, weight in weights.items()
    }


def posterior(sticker_costs: Float64Array) -> Posterior:
    """Return how probable each colour is for each sticker, for costs of shape (54, 6)."""
    offset = 0.0
    totals, shares = [], []
    for kind in piece_kinds():
        weights, taken_off = weights_of(kind.costs(sticker_costs))
        offset += taken_off
        total, share = arrangement_weights(weights)
        totals.append(total)
        shares.append(share)
    by_parity = [total[0] for total in totals]
    weight = float(by_parity[0] @ by_parity[1])
    impossible = _impossible(*totals)
    stickers = np.zeros((FACELETS, COLOURS))
    stickers[CENTRES, np.arange(COLOURS)] = 1
    # Corners and edges go together when their parities agree.
    for kind, share, other in zip(piece_kinds(), shares, reversed(by_parity), strict=True):
        probability = np.tensordot(other, share, axes=1) / weight
        for side in range(kind.facelets.shape[1]):
            for colour in range(COLOURS):
                shows = kind.colours[:, :, side] == colour
                stickers[kind.facelets[:, side], colour] = probability[:, shows].sum(axis=1)
    return Posterior(stickers, offset - float(np.log(weight)), impossible)
