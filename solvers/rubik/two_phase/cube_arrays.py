"""Cubes as the kernels have them: 40 numbers, as `CubieCube.numbers` gives them."""

from typing import Final

from solvers.foundation.arrays import Int8Array, Int32Array
from solvers.foundation.compiled import kernel
from solvers.rubik.two_phase.coordinates import Number

TWISTS_AT: Final = 8
EDGES_AT: Final = 16
FLIPS_AT: Final = 28


@kernel(inlining="llvm")
def copy_to(target: Int8Array, source: Int8Array) -> None:
    """Make `target` the same as `source`."""
    for i in range(source.size):
        target[i] = source[i]


@kernel(inlining="llvm")
def is_same(first: Int8Array | Int32Array, second: Int8Array | Int32Array) -> bool:
    """Return whether all numbers are the same."""
    # Without an early return the loop has no branch, and the compiler can use vector instructions.
    different = 0
    for i in range(first.size):
        different += first[i] != second[i]
    return different == 0


@kernel
def compose(first: Int8Array, second: Int8Array, result: Int8Array) -> None:
    """Set `result` to the position after doing to `first` what leads to `second`."""
    for i in range(8):
        source = second[i]
        result[i] = first[source]
        result[TWISTS_AT + i] = (first[TWISTS_AT + source] + second[TWISTS_AT + i]) % 3
    for i in range(12):
        source = second[EDGES_AT + i]
        result[EDGES_AT + i] = first[EDGES_AT + source]
        result[FLIPS_AT + i] = first[FLIPS_AT + source] ^ second[FLIPS_AT + i]


@kernel
def invert(cube: Int8Array, result: Int8Array) -> None:
    """Set `result` to the position that undoes `cube`."""
    for i in range(8):
        result[cube[i]] = i
        result[TWISTS_AT + cube[i]] = (3 - cube[TWISTS_AT + i]) % 3
    for i in range(12):
        result[EDGES_AT + cube[EDGES_AT + i]] = i
        result[FLIPS_AT + cube[EDGES_AT + i]] = cube[FLIPS_AT + i]


@kernel
def is_cube(cube: Int8Array) -> bool:
    """Return whether all numbers are in range and each piece is there once."""
    # One bit for each piece found: with a piece missing or twice, a bit is missing.
    corners, edges = 0, 0
    for i in range(8):
        if not (0 <= cube[i] < 8 and 0 <= cube[TWISTS_AT + i] < 3):
            return False
        corners |= 1 << cube[i]
    for i in range(12):
        if not (0 <= cube[EDGES_AT + i] < 12 and 0 <= cube[FLIPS_AT + i] < 2):
            return False
        edges |= 1 << cube[EDGES_AT + i]
    return bool(corners == (1 << 8) - 1 and edges == (1 << 12) - 1)


@kernel
def is_solvable(cube: Int8Array) -> bool:
    """Return whether turning can solve a cube."""
    # The same three sums as in `facelets.check_solvable`, which has the sentences.
    twist: Number = 0
    flip: Number = 0
    inversions = 0
    for i in range(8):
        twist += cube[TWISTS_AT + i]
        for j in range(i):
            inversions += cube[j] > cube[i]
    for i in range(12):
        flip += cube[FLIPS_AT + i]
        for j in range(i):
            inversions += cube[EDGES_AT + j] > cube[EDGES_AT + i]
    return bool(twist % 3 == 0 and flip % 2 == 0 and inversions % 2 == 0)
