"""Positions drawn uniformly from all 43 252 003 274 489 856 000, reproducible from a seed."""

from math import factorial
from random import Random

from solvers.rubik.cubies import CubieCube
from solvers.rubik.facelets import is_odd

POSITIONS = factorial(8) * 3**7 * (factorial(12) // 2) * 2**11


def random_state(seed: int) -> CubieCube:
    """Return the position of `seed`; every position that turning can reach is equally likely."""
    # Random moves would not be uniform; a random number decoded into a position is.
    return nth_state(Random(seed).randrange(POSITIONS))


def nth_state(number: int) -> CubieCube:
    """Return one position for each `number` from 0 to POSITIONS - 1; number 0 is solved."""
    number, corner_rank = divmod(number, factorial(8))
    number, twist_rank = divmod(number, 3**7)
    edge_rank, flip_rank = divmod(number, 2**11)
    corners = _nth_permutation(corner_rank, 8)
    return CubieCube(
        corners,
        _closed_digits(twist_rank, 3, 8),
        _edges_of_parity(edge_rank, is_odd(corners)),
        _closed_digits(flip_rank, 2, 12),
    )


def _edges_of_parity(rank: int, odd: bool) -> tuple[int, ...]:
    """Return one of the 12!/2 edge permutations of the wanted parity."""
    # Permutations 2k and 2k+1 differ by exchanging the last two, so one of them has the parity.
    edges = _nth_permutation(2 * rank, 12)
    if is_odd(edges) != odd:
        edges = (*edges[:-2], edges[-1], edges[-2])
    return edges


def _nth_permutation(rank: int, size: int) -> tuple[int, ...]:
    """Return the permutations of 0..size-1 in lexicographic order."""
    remaining = list(range(size))
    chosen = []
    for left in range(size - 1, -1, -1):
        index, rank = divmod(rank, factorial(left))
        chosen.append(remaining.pop(index))
    return tuple(chosen)


def _closed_digits(rank: int, base: int, size: int) -> tuple[int, ...]:
    """Return the digits of `rank` and one more that makes their sum a multiple of `base`."""
    digits = []
    for _ in range(size - 1):
        rank, digit = divmod(rank, base)
        digits.append(digit)
    return (*digits, -sum(digits) % base)
