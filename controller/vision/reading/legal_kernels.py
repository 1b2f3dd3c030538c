"""Dynamic programmes over the ways to put all pieces of one kind into their places.

Places are filled in order. A state is the set of pieces already used (a bit mask), the sum of
their twists or flips, and the parity of the permutation so far: that is all that the rest of the
cube has to know. 256 x 3 x 2 states for the corners, 4096 x 2 x 2 for the edges.
"""

import numpy as np

from solvers.foundation.arrays import Float64Array, Int64Array
from solvers.foundation.compiled import compiled, kernel


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
def cheapest_arrangements(cost: Float64Array) -> tuple[Float64Array, Int64Array]:
    """Return the cheapest arrangement of either parity, with all turns adding up.

    `cost[place, piece, turn]` has shape (n, n, m) with m turns (3 twists or 2 flips). Returns the
    two totals (even, odd; infinite where there is none) and an array (2, n, 2) of the piece and
    the turn at each place.
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
                    # Both parities without a branch: what is kept is found again by `_trace_back`.
                    even, other = best[mask, total, 0] + step, best[mask, total, 1] + step
                    best[following, after, odd] = min(best[following, after, odd], even)
                    best[following, after, odd ^ 1] = min(best[following, after, odd ^ 1], other)
                    after = after + 1 if after + 1 < turns else 0
    return best[states - 1, 0].copy(), _trace_back(cost, best)


@compiled
def _trace_back(cost: Float64Array, best: Float64Array) -> Int64Array:
    """Return pieces and turns (2, n, 2) whose costs add up to the best sums."""
    places = cost.shape[0]
    arrangement = np.zeros((2, places, 2), np.int64)
    for final_parity in range(2):
        mask, total, parity = (1 << places) - 1, 0, final_parity
        for place in range(places - 1, -1, -1):
            piece, turn = _last_step(cost, best, (mask, total, parity))
            arrangement[final_parity, place] = piece, turn
            mask ^= 1 << piece
            parity ^= _odd_above(mask, piece)
            total = (total - turn) % cost.shape[2]
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
    entries. Returns the totals of even and odd arrangements, and the shares (2, n, n, m) that
    have `piece` at `place` turned by `turn`.
    """
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
    return before[states - 1, 0].copy(), _shares(before, weight)


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
