"""Flip and slice together, reduced to 64 430 classes by the 16 symmetries of the U-D axis.

A raw number is slice * 2048 + flip. Each class has a representative, its smallest raw number;
raw = conjugate(representative, symmetry). The pair is packed as class * 16 + symmetry.
"""

import numpy as np

from solvers.foundation.arrays import Int32Array, UInt8Array, UInt16Array
from solvers.rubik.notation import Face, Move
from solvers.rubik.symmetries import Symmetry, up_down_symmetries
from solvers.rubik.two_phase.coordinates import (
    FLIPS,
    SLICES,
    flip_digits,
    four_of_twelve,
    four_of_twelve_masks,
    twist_digits,
    twist_number,
)

CLASSES = 64_430


_MIDDLE_LAYER = 0xF00  # edge places 8 to 11


def symmetry_products() -> UInt8Array:
    """Return the number of "j, then i" for each pair of symmetries, shape (16, 16)."""
    symmetries = up_down_symmetries()
    return np.array([[symmetries.index(i.after(j)) for j in symmetries] for i in symmetries], "u1")


def symmetry_inverses() -> UInt8Array:
    """Return the number of the inverse of each symmetry, shape (16)."""
    return np.asarray(np.argmin(symmetry_products(), axis=1), np.uint8)  # 0 is the identity


def conjugated_moves() -> UInt8Array:
    """Return what each move looks like after each symmetry, shape (16, 18)."""
    return np.array([[s.conjugate(move) for move in Move] for s in up_down_symmetries()], "u1")


def normalised_twists() -> UInt16Array:
    """Return each twist conjugated with the inverse of each symmetry, shape (2187, 16)."""
    columns = []
    for symmetry in up_down_symmetries():
        # Undoing the symmetry: what the place of `place` holds comes back to `place`.
        places = [symmetry.corner_place(place) for place in range(8)]
        digits = twist_digits()[:, places]
        columns.append(twist_number(-digits % 3 if symmetry.is_mirror else digits))
    return np.column_stack(columns).astype(np.uint16)


def packed_classes() -> Int32Array:
    """Return class * 16 + symmetry of each raw number, shape (495 * 2048)."""
    raws = np.arange(SLICES * FLIPS, dtype=np.int32)
    smallest = raws.copy()
    by = np.zeros(SLICES * FLIPS, np.uint8)
    for number, symmetry in enumerate(up_down_symmetries()):
        image = _conjugated(raws, symmetry)
        by[image < smallest] = number
        np.minimum(smallest, image, out=smallest)
    classes = np.cumsum(smallest == raws, dtype=np.int32) - 1
    return (classes[smallest] * 16 + symmetry_inverses()[by]).astype(np.int32)


def representatives(packed: Int32Array) -> Int32Array:
    """Return the raw number that represents each class, shape (64430)."""
    # Only a representative is itself under the identity, symmetry number 0.
    return np.flatnonzero(packed & 15 == 0).astype(np.int32)


def own_symmetries(raws: Int32Array) -> UInt16Array:
    """Return for each raw number a mask with bit j set where symmetry j maps it to itself."""
    masks = np.zeros(raws.size, np.uint16)
    for number, symmetry in enumerate(up_down_symmetries()):
        masks |= (_conjugated(raws, symmetry) == raws).astype(np.uint16) << number
    return masks


def _conjugated(raws: Int32Array, symmetry: Symmetry) -> Int32Array:
    """Return the raw number that each raw number is conjugated to."""
    places = [symmetry.edge_place(place) for place in range(12)]
    masks = np.arange(1 << 12)
    moved = np.zeros(1 << 12, np.int32)
    for place in range(12):
        moved |= ((masks >> place & 1) << places[place]).astype(np.int32)
    slices = four_of_twelve_masks().astype(np.int32)
    new_slices = four_of_twelve()[moved[slices]].astype(np.int32)
    flips = (flip_digits() @ (1 << np.arange(12))).astype(np.int32)
    # Flip is counted by quarter turns of F and B. Where these become R and L, an edge counts as
    # flipped the other way if exactly one of its place and its home is in the middle layer.
    swaps_axes = symmetry.faces[Face.F] not in (Face.F, Face.B)
    correction = slices ^ _MIDDLE_LAYER if swaps_axes else np.zeros_like(slices)
    slice_, flip = raws // FLIPS, raws % FLIPS
    new_flips = moved[flips[flip] ^ correction[slice_]] & (FLIPS - 1)
    return np.asarray(new_slices[slice_] * FLIPS + new_flips, np.int32)


def class_moves(packed: Int32Array, flips: UInt16Array, slices: UInt16Array) -> Int32Array:
    """Return class * 16 + symmetry after each move of each representative, shape (64430, 18)."""
    raws = representatives(packed)
    moved = slices[raws // FLIPS].astype(np.int32) * FLIPS + flips[raws % FLIPS]
    return np.asarray(packed[moved], np.int32)
