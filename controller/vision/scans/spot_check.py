"""Few faces after a drive, chosen so that its faults would show.

Where the cube should be is known after a drive; it is elsewhere only if something went wrong
unseen. All single faults of the drive and all pairs of them, at any of its primitives, are
replayed, and the faces are chosen so that each of these cubes differs from the planned one in two
of their stickers or more.

A cube is an array of 54 letters by their places in the rig. A primitive is an array that says from
which place each of them comes, so a list of primitives is one such array indexed by the next, and
tens of thousands of faults are replayed in a moment.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, reduce
from itertools import accumulate, product
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from controller.motion.primitives import CostModel, Primitive, Spin, Tilt, TurnLayer, price_all
from controller.motion.virtual_cube import orientation_after
from controller.vision.reading.evidence import facelets_after_moves
from controller.vision.scans.tour import TourStop
from controller.vision.scans.viewing import lying_facelets
from solvers.foundation.arrays import Int64Array
from solvers.rubik.cubies import CubieCube
from solvers.rubik.facelets import format_facelets
from solvers.rubik.notation import Move
from solvers.rubik.rotations import UPRIGHT, Face, all_orientations

Letters: TypeAlias = npt.NDArray[np.uint8]
Way: TypeAlias = tuple[tuple[Tilt | Spin, ...], ...]
"""The motions before each face that is read."""

LEAST: Final = 2
"""Stickers that have to differ: a single one may be misread as just the colour expected."""
MOST_FACES: Final = 3
UPPER: Final = 9
"""Places of the upper face: the first nine, the back of the rig on top."""
LEGS: Final[tuple[tuple[Tilt | Spin, ...], ...]] = (
    (Tilt(),),
    (Tilt(), Tilt()),
    (Spin(1), Tilt()),
    (Spin(-1), Tilt()),
    (Spin(2), Tilt()),
)


@dataclass(frozen=True, slots=True)
class SpotCheck:
    """Faces to read after a drive; the orientations are relative to that at its end.

    `expected` has the nine letters of the upper face at each stop. `faults` and `pairs` say how
    many were replayed; each that leaves another cube than planned changes `least` of the stickers
    or more.
    """

    stops: tuple[TourStop, ...]
    expected: tuple[str, ...]
    faults: int
    pairs: int
    least: int

    def __str__(self) -> str:
        """What a check that found all as expected shows, as a sentence."""
        read = f"It read {UPPER * len(self.stops)} of the 54 stickers"
        if not self.faults:
            return f"{read}; nothing was to be driven."
        return (
            f"{read}, of which each of {self.faults:,} faults of the drive and of {self.pairs:,} "
            f"pairs of faults would have changed {self.least} or more."
        )


def choose_spot_check(
    start: CubieCube, primitives: Sequence[Primitive], costs: CostModel
) -> SpotCheck | None:
    """Return the quickest check in which all faults show; None if three faces are not enough.

    `start` is upright before the first primitive. The check's own motions may fail as well, after
    any single fault of the drive.
    """
    letters = np.frombuffer(format_facelets(start).encode(), np.uint8)
    planned = letters[_source(tuple(primitives))]
    singles, pairs = _ends(letters, primitives)
    wrong_singles = _others(planned, singles)
    wrong = np.concatenate([wrong_singles, _others(planned, pairs)])
    for way in _ways(costs):
        seen = _seen(way)
        expected = planned[seen]
        failing = (_fewest_differing(wrong_singles[:, each], expected) for each in _misled(way))
        least = min([_fewest_differing(wrong[:, seen], expected), *failing])
        if least >= LEAST:
            text = expected.tobytes().decode()
            return SpotCheck(
                _stops(way),
                tuple(text[first : first + UPPER] for first in range(0, len(text), UPPER)),
                len(singles),
                len(pairs),
                least,
            )
    return None


@cache
def _source(primitives: tuple[Primitive, ...]) -> Int64Array:
    """Return from which place each of the 54 stickers comes."""
    return reduce(lambda one, other: one[other], map(_source_of, primitives), np.arange(54))


@cache
def _source_of(primitive: Primitive) -> Int64Array:
    if isinstance(primitive, TurnLayer):
        move = Move.of(Face.D, primitive.quarters % 4)
        return np.asarray(facelets_after_moves()[move])
    return lying_facelets(orientation_after(UPRIGHT, primitive))


@cache
def _faulty(primitive: Primitive) -> Int64Array:
    """Return the sources of all that may happen instead of a primitive, shape (n, 54)."""
    return np.array([_source(each) for each in what_may_happen(primitive)])


def what_may_happen(primitive: Primitive) -> list[tuple[Primitive, ...]]:
    """Return what may happen instead of a primitive.

    A tilt slips, rolls the cube twice, or throws it into the table turned. A spin turns the cube by
    more or less. A layer turn turns by more or less, and takes the cube along for a part of it.
    """
    match primitive:
        case Tilt():
            thrown: list[tuple[Primitive, ...]] = [(Tilt(), Spin(each)) for each in (1, 2, 3)]
            return [(), (Tilt(), Tilt()), *thrown]
        case Spin():
            wrong = [each for each in range(4) if each != primitive.quarters % 4]
            return [(Spin(each),) if each else () for each in wrong]
        case TurnLayer():
            return [
                (*((TurnLayer(turned),) if turned else ()), *((Spin(spun),) if spun else ()))
                for turned, spun in product(range(4), range(4))
                if (turned, spun) != (primitive.quarters % 4, 0)
            ]


def _ends(letters: Letters, primitives: Sequence[Primitive]) -> tuple[Letters, Letters]:
    """Return the cubes (n, 54) that single faults and pairs of faults leave."""
    sources = [_source((each,)) for each in primitives]
    faulty = [_faulty(each) for each in primitives]
    nothing = np.arange(54)
    before = list(accumulate(sources, lambda one, other: one[other], initial=nothing))
    after = list(accumulate(reversed(sources), lambda one, other: other[one], initial=nothing))
    singles: list[Letters] = [np.empty((0, 54), np.uint8)]
    pairs: list[Letters] = [np.empty((0, 54), np.uint8)]
    ends = [each[:, after[len(sources) - 1 - number]] for number, each in enumerate(faulty)]
    for first in range(len(sources)):
        cubes = letters[before[first]][faulty[first]]
        singles.append(cubes[:, after[len(sources) - 1 - first]])
        for second in range(first + 1, len(sources)):
            pairs.append(cubes[:, ends[second]].reshape(-1, 54))
            cubes = cubes[:, sources[second]]
    return np.concatenate(singles), np.concatenate(pairs)


def _others(planned: Letters, cubes: Letters) -> Letters:
    """Return those that are not the planned cube in any orientation."""
    is_other = np.ones(len(cubes), bool)
    for orientation in all_orientations():
        is_other &= (cubes != planned[lying_facelets(orientation)]).any(axis=1)
    return cubes[is_other]


@cache
def _ways(costs: CostModel) -> tuple[Way, ...]:
    """Return all ways to see one to three faces, those with fewest first, then the quickest."""
    firsts: tuple[tuple[Tilt | Spin, ...], ...] = ((), *LEGS)
    ways = [way for faces in range(MOST_FACES) for way in product(firsts, *[LEGS] * faces)]
    return tuple(sorted(ways, key=lambda way: (len(way), price_all(costs, _motions(way)))))


def _motions(way: Way) -> list[Tilt | Spin]:
    return [motion for leg in way for motion in leg]


def _stops(way: Way) -> tuple[TourStop, ...]:
    stops, orientation = [], UPRIGHT
    for leg in way:
        for motion in leg:
            orientation = orientation_after(orientation, motion)
        stops.append(TourStop(leg, orientation))
    return tuple(stops)


def _seen(way: Way) -> Int64Array:
    """Return the places, at the end of the drive, of the stickers that are read."""
    return np.concatenate([lying_facelets(stop.orientation)[:UPPER] for stop in _stops(way)])


@cache
def _misled(way: Way) -> tuple[Int64Array, ...]:
    """Return as `_seen` what is read if one of the motions fails."""
    found = []
    for number, motion in enumerate(_motions(way)):
        for instead in what_may_happen(motion):
            place, seen, done = 0, [], np.arange(54)
            for leg in way:
                for each in leg:
                    done = done[_source(instead if place == number else (each,))]
                    place += 1
                seen.append(done[:UPPER])
            found.append(np.concatenate(seen))
    return tuple(found)


def _fewest_differing(cubes: Letters, expected: Letters) -> int:
    """Return the fewest stickers in which any of the cubes differs; all of them without a cube."""
    differing = (cubes != expected).sum(axis=1)
    return int(differing.min(initial=len(expected)))
