"""The 2x2x2 cube that six faces of four stickers make, shown in any order and turned anyhow.

No centres say which colours there are or what face a picture shows. So the colours start at those
of a usual cube, four stickers of each, and eight different corners decide the rest: of 122 880 ways
to put six random faces together one makes a cube, and in 3 of 1000 sets of faces another one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any, Final, TypeAlias

import numpy as np

from controller.vision.errors import InvalidScanError
from controller.vision.reading import colour_model, legal_reader
from controller.vision.reading.colour_model import TEMPERATURE
from controller.vision.reading.evidence import CLEARLY, is_dark
from controller.vision.reading.face_arrangement import (
    EXPECTED_ORDERS,
    RIVAL_GAP,
    ROTATIONS,
    WORTHWHILE_GAP,
    Fit,
    placements_of_faces,
    rotation_bounds,
)
from controller.vision.reading.reader import ACCEPTED_CONFIDENCE
from controller.vision.reading.result import Verdict
from controller.vision.reading.scheme import Handedness, handedness, usual_light
from controller.vision.reading.shown_reader import MIRRORED, UNKNOWN_HANDEDNESS, Viewing
from controller.vision.reading_order import turned_orders
from solvers.foundation.arrays import Float64Array, Int64Array
from solvers.rubik.cubies import SOLVED, CubieCube, whole_cube_rotations
from solvers.rubik.errors import FaceletError
from solvers.rubik.facelets import FACE_LETTERS
from solvers.rubik.pocket import HOME, PocketCube, pocket_stickers, read_pocket
from solvers.rubik.rotations import all_orientations

STICKERS: Final = 24
COLOURS: Final = legal_reader.COLOURS
_CELLS: Final = (0, 2, 6, 8)  # of a face of nine, where a face of four has its stickers
_FACELETS: Final[Int64Array] = np.array([9 * face + cell for face in range(6) for cell in _CELLS])
MIRRORED_CELLS: Final[Int64Array] = np.array([1, 0, 3, 2])

NO_CUBE: Final = (
    "The six faces make no 2x2x2 cube. Was a layer turned in between, a face left out, or another "
    "cube shown? Show all faces again, in the order that is asked for."
)
AMBIGUOUS: Final = (
    "The six faces fit together in more than one way. Show all faces again, in the order that is "
    "asked for and none of them turned."
)
"""As few stickers as these fit elsewhere by coincidence."""
MIRRORED_TOO: Final = (
    "The six faces fit together as they are, and to another cube if the pictures are mirrored. "
    "Show all faces again, in the order that is asked for and none of them turned, or give "
    "--mirrored or --not-mirrored for the camera."
)
"""Of mirrored cubes, too, one in a hundred fits by coincidence."""

MIRRORED_IN_ORDER_TOO: Final = (
    "These six faces make a cube as they are, and another one if the pictures are mirrored. Give "
    "--mirrored or --not-mirrored for the camera, or turn any layer and show all faces again."
)
"""One cube of three thousand looks so, even shown in order; the order cannot tell."""

DARK: Final = (
    "It is too dark to tell similar colours apart for sure. Switch a light on, or show all faces "
    "again, in the order that is asked for and none of them turned."
)
NAMED_OTHERWISE: Final = (
    "The colours of this cube are unusual, and the six faces fit together in another way if two of "
    "them are confused. Show all faces again, in the order that is asked for and none of them "
    "turned."
)

_EXCHANGED: Final[Int64Array] = np.array([3, 1, 2, 0, 4, 5])  # two opposite colours
# How much farther from the usual colours than in the likeliest naming the right one may be, as a
# share. Two unusual cubes of eight had up to 1.14.
FARTHEST_NAMES: Final = 1.2
# With two opposite colours exchanged, every cube fits in the mirror. Where that naming is no
# farther, only the six colours together could tell, and they are unusual.
NO_FARTHER_MIRROR: Final = 1.1

MOST_CANDIDATES: Final = 400  # arrangements that are tried, in the order of their bounds

# How much likelier the stickers may be in other colours than those of the cube, in units of the
# costs, until that is as likely as that they are no cube; and how soon it is certain beyond.
ANY_GAIN: Final = 5.0
# The same for faces in any order, where the best of 122 880 ways fits better than it should. Right
# cubes reached 2.5 (one of three real ones, none of 45 generated ones), a wrong one 3.1.
FOUND_GAIN: Final = 4.25
GAIN_SCALE: Final = 0.5
_FIRST_STICKERS: Final = range(0, STICKERS, 3)
BROKEN: Final = 20.0  # no cube at all


@dataclass(frozen=True, slots=True)
class PocketReading:
    """The most likely 2x2x2 cube, None if the faces make none.

    `stickers` are 24 letters of colours, W R G Y O B, in the order of the faces U R F D L B while
    the face shown first is U. `reasons` are sentences; empty when accepted.
    """

    cube: PocketCube | None
    stickers: str
    confidence: float
    verdict: Verdict
    reasons: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the keys that the commands print."""
        return {
            "size": 2,
            "facelets": self.stickers,
            "confidence": round(self.confidence, 4),
            "verdict": str(self.verdict),
            "reasons": list(self.reasons),
        }


@dataclass(frozen=True, slots=True, eq=False)
class _Naming:
    """Which of six colours seen are the usual ones (6,), and how far, 1 for the likeliest."""

    names: Int64Array
    distance: float


def learnt_costs(rgb: Float64Array, scheme: str) -> tuple[Float64Array, list[_Naming]]:
    """Return what each sticker costs in each of six colours, (24, 6) of sRGB (24, 3), and names.

    These say which of the colours may be those of the faces U R F D L B of `scheme`, the likeliest
    ones first.
    """
    light = colour_model.grey_balanced(colour_model.linear_light(rgb))
    lab = colour_model.weighted_lab(light)
    starts = [usual_light(scheme), *(light[_far_apart(lab, first)] for first in _FIRST_STICKERS)]
    costs, assigned = min((_learnt_from(light, start) for start in starts), key=_cost)
    middles = np.array([np.median(lab[assigned == each], axis=0) for each in range(COLOURS)])
    return costs, _namings(middles, colour_model.weighted_lab(usual_light(scheme)))


_Learnt: TypeAlias = tuple[Float64Array, Int64Array]
"""What the stickers cost in six colours, (24, 6), and the colour of each, (24,), four times six."""


def _learnt_from(light: Float64Array, start: Float64Array) -> _Learnt:
    """Learn the colours of 24 stickers, linear light (24, 3), from six to start with (6, 3)."""
    white = np.maximum(light.max(axis=0), colour_model.DARKEST)
    first = np.full(COLOURS, colour_model.FIRST_SPREAD)
    costs = colour_model.ColourModel(start, first, white).costs(colour_model.weighted_lab(light))
    _, assigned = legal_reader.cheapest_balanced(costs, 4)
    for _ in range(colour_model.MOST_ROUNDS):
        even = light / colour_model.face_light(light, assigned)
        costs = _fitted(even, assigned, white).costs(colour_model.weighted_lab(even))
        previous = assigned
        _, assigned = legal_reader.cheapest_balanced(costs, 4)
        if np.array_equal(assigned, previous):
            break
    return costs, assigned


def _cost(learnt: _Learnt) -> float:
    costs, assigned = learnt
    return float(costs[np.arange(STICKERS), assigned].sum())


def _far_apart(lab: Float64Array, first: int) -> list[int]:
    """Return six stickers, the next always as far as possible from those before it."""
    chosen = [first]
    nearest = np.linalg.norm(lab - lab[first], axis=1)
    while len(chosen) < COLOURS:
        chosen.append(int(nearest.argmax()))
        nearest = np.minimum(nearest, np.linalg.norm(lab - lab[chosen[-1]], axis=1))
    return chosen


def _namings(middles: Float64Array, usual: Float64Array) -> list[_Naming]:
    """Return the likely ways to name six colours seen, the likeliest first.

    Of those that differ as a cube that is held in another way, one.
    """
    apart = np.linalg.norm(middles[:, None] - usual, axis=2)
    ways = np.array(list(permutations(range(COLOURS))))
    totals = apart[ways, np.arange(COLOURS)].sum(axis=1)
    distances = totals / max(totals.min(), 1e-9)
    chosen: dict[tuple[int, ...], _Naming] = {}
    for index in np.argsort(distances, kind="stable"):
        if distances[index] > FARTHEST_NAMES:
            break
        naming = _Naming(ways[index], float(distances[index]))
        chosen.setdefault(_held_alike(naming.names), naming)
    return list(chosen.values())


def _held_alike(names: Int64Array) -> tuple[int, ...]:
    """Return the names that this cube has in one of the 24 ways to hold it."""
    held = np.array([orientation.faces for orientation in all_orientations()])
    return min(map(tuple, names[held].tolist()))


def grouped(rgb: Float64Array) -> Int64Array:
    """Return which of six colours each of some stickers has, (n,) of sRGB (n, 3), in any order."""
    lab = colour_model.weighted_lab(colour_model.grey_balanced(colour_model.linear_light(rgb)))
    best, groups = np.inf, np.zeros(len(lab), np.int64)
    for first in range(0, len(lab), 3):
        middles = lab[_far_apart(lab, first)]
        for _ in range(colour_model.MOST_ROUNDS):
            apart = np.linalg.norm(lab[:, None] - middles, axis=2)
            nearest = apart.argmin(axis=1)
            middles = np.array(
                [
                    np.median(lab[nearest == each], axis=0) if (nearest == each).any() else middle
                    for each, middle in enumerate(middles)
                ]
            )
        if (total := float(apart.min(axis=1).sum())) < best:
            best, groups = total, nearest
    return np.asarray(groups)


def _fitted(light: Float64Array, cube: Int64Array, white: Float64Array) -> colour_model.ColourModel:
    """Return the model whose colours are the medians of their four stickers."""
    of_colour = [light[cube == colour] for colour in range(COLOURS)]
    prototypes = np.array([np.median(stickers, axis=0) for stickers in of_colour])
    deviations = np.empty(COLOURS)
    for colour, stickers in enumerate(of_colour):
        off = colour_model.weighted_lab(stickers) - colour_model.weighted_lab(prototypes[colour])
        deviations[colour] = np.sort(np.sqrt((off**2).mean(axis=1)))[:3].mean()
    spreads = np.sqrt((deviations**2 + np.median(deviations) ** 2) / 2)
    return colour_model.ColourModel(
        prototypes, np.maximum(spreads, colour_model.LEAST_SPREAD), white
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Cube:
    """What an arrangement shows: the shown sticker at each facelet, and the cube of least cost.

    `position` has the colours in place of the faces, so that the cube may be held in any of 24
    ways; `twist` other than 0 is a cube that turning cannot solve.
    """

    order: Int64Array
    position: CubieCube
    cost: float
    twist: int

    @property
    def faces(self) -> str:
        """The face whose colour each of the 24 stickers has."""
        return pocket_stickers(self.position)

    def held_alike(self) -> CubieCube:
        """Return the position with one corner at home: the same however the cube is held."""
        held = (self.position.compose(rotation) for rotation in whole_cube_rotations())
        return next(
            cube
            for cube in held
            if cube.corner_permutation[HOME] == HOME and cube.corner_twist[HOME] == 0
        )


def _corner_costs(costs: Float64Array) -> Float64Array:
    """Return the cost of each corner at each place in each twist, (8, 8, 3)."""
    corners, _ = legal_reader.piece_kinds()
    return corners.costs(_as_whole(costs))


def _as_whole(costs: Float64Array) -> Float64Array:
    """Return costs (54, 6) of a cube whose edges may be anything."""
    whole = np.zeros((legal_reader.FACELETS, COLOURS))
    whole[_FACELETS] = costs
    return whole


def _cheapest(costs: Float64Array, order: Int64Array, twists: int = 1) -> _Cube:
    """Return the cheapest cube of an arrangement; with 3 `twists` also with a twisted corner."""
    totals, found = legal_reader.cheapest_arrangements(_corner_costs(costs[order]), twists)
    twist, odd = divmod(int(totals.argmin()), 2)
    piece, turn = found[twist, odd].T
    position = replace(
        SOLVED, corner_permutation=tuple(piece.tolist()), corner_twist=tuple(turn.tolist())
    )
    return _Cube(order, position, float(totals[twist, odd]), twist)


def _orders(costs: Float64Array) -> Iterator[tuple[float, Int64Array]]:
    """Yield lower bounds in ascending order, and the shown sticker at each facelet."""
    turned = turned_orders(2)
    placements = list(placements_of_faces())
    bounds = np.empty((len(placements), ROTATIONS))
    for number, faces in enumerate(placements):
        placed = costs.reshape(6, 4, -1)[faces].reshape(STICKERS, -1)
        bounds[number] = rotation_bounds(_as_whole(placed))
    for index in np.argsort(bounds, axis=None, kind="stable")[:MOST_CANDIDATES]:
        number, rotation = divmod(int(index), ROTATIONS)
        faces = placements[number]
        order = [4 * faces[face] + turned[rotation >> (2 * face) & 3] for face in range(6)]
        yield float(bounds[number, rotation]), np.concatenate(order)


def _arranged(costs: Float64Array) -> tuple[_Cube, float, Fit]:
    """Return what the best arrangement shows, how probable it is among all, and how it was found.

    One in which the faces were asked for comes first: others are then a coincidence.
    """
    if (expected := _as_expected(costs)) is not None:
        return expected, 1.0, Fit.EXPECTED
    best = np.inf
    found: dict[tuple[CubieCube, int], _Cube] = {}
    for bound, order in _orders(costs):
        if bound > best + WORTHWHILE_GAP:
            break
        cube = _cheapest(costs, order, twists=3)
        best = min(best, cube.cost)
        key = (cube.held_alike(), cube.twist)
        if key not in found or cube.cost < found[key].cost:
            found[key] = cube
    cheapest = min(found.values(), key=lambda cube: cube.cost)
    weights = [np.exp((best - cube.cost) / TEMPERATURE) for cube in found.values()]
    return cheapest, float(1 / np.sum(weights)), Fit.FOUND


def _as_expected(costs: Float64Array) -> _Cube | None:
    """Return the cube that the faces make in an order that is asked for, None if they do not."""
    least = float(costs.min(axis=1).sum())
    for faces, quarters in EXPECTED_ORDERS:
        turned = zip(faces, quarters, strict=True)
        order = np.concatenate([4 * face + turned_orders(2)[turns] for face, turns in turned])
        cube = _cheapest(costs, order)
        if cube.cost < least + RIVAL_GAP:
            return cube
    return None


def read_pocket_shown(colours: Float64Array, viewing: Viewing | None = None) -> PocketReading:
    """Return the cube that six faces make, sRGB of shape (6, 4, 3), in any order and rotation."""
    if colours.shape != (6, 4, 3):
        raise InvalidScanError(
            f"A 2x2x2 cube has six faces of 4 colours of 3 numbers, not {colours.shape}."
        )
    viewing = viewing or Viewing()
    seen = colours[:, MIRRORED_CELLS] if viewing.mirrored else colours
    rgb = seen.reshape(STICKERS, 3)
    by_group, (naming, *others) = learnt_costs(rgb, viewing.scheme)
    costs = by_group[:, naming.names]
    cube, share, fit = _arranged(costs)
    if cube.twist or _misfit(costs, cube) >= BROKEN:
        is_mirrored = viewing.mirrored is None and _fit_of(_mirrored(costs), ANY_GAIN) is not None
        return _refused(cube, viewing.scheme, is_mirrored=is_mirrored)
    gain = ANY_GAIN if fit is Fit.EXPECTED else FOUND_GAIN
    reading = _judged(costs, rgb, cube, share, gain, viewing)
    if reading.verdict is not Verdict.ACCEPTED or cube.held_alike() == SOLVED:
        return reading
    if fit is Fit.EXPECTED:
        # Faces in any order are then a coincidence, mirrored ones in this order are not.
        mirror = _as_expected(_mirrored(costs)) if viewing.mirrored is None else None
        is_other = mirror is not None and mirror.held_alike() != cube.held_alike()
        return _doubted(reading, MIRRORED_IN_ORDER_TOO) if is_other else reading
    most_gain = _misfit(costs, cube) + RIVAL_GAP
    if viewing.mirrored is None:
        match _fit_of(_mirrored(costs), most_gain):
            case Fit.EXPECTED:
                return _doubted(reading, MIRRORED)
            case Fit.FOUND:
                return _doubted(reading, MIRRORED_TOO)
    if is_dark(rgb):
        return _doubted(reading, DARK)
    doubt = _doubt_of_names(by_group, naming, others, most_gain, viewing)
    return reading if doubt is None else _doubted(reading, doubt)


def _doubt_of_names(
    by_group: Float64Array,
    naming: _Naming,
    others: list[_Naming],
    most_gain: float,
    viewing: Viewing,
) -> str | None:
    """Return what speaks for another way to name the six colours, None if nothing does."""
    exchanged = _held_alike(naming.names[_EXCHANGED])
    for other in others:
        ways = [by_group[:, other.names]]
        if viewing.mirrored is None and _held_alike(other.names) != exchanged:
            ways.append(_mirrored(ways[0]))
        elif viewing.mirrored is None and other.distance < NO_FARTHER_MIRROR:
            return UNKNOWN_HANDEDNESS
        if any(_fit_of(way, most_gain) for way in ways):
            return NAMED_OTHERWISE
    return None


def _mirrored(costs: Float64Array) -> Float64Array:
    """Return the costs (24, 6) of the stickers in mirrored faces."""
    return costs.reshape(6, 4, COLOURS)[:, MIRRORED_CELLS].reshape(STICKERS, COLOURS)


def _fit_of(costs: Float64Array, most_gain: float) -> Fit | None:
    """Return how the faces make a cube that turning can solve, None if they do not.

    `most_gain` is how much likelier the stickers may be in other colours.
    """
    cube, _, fit = _arranged(costs)
    return fit if cube.twist == 0 and _misfit(costs, cube) < most_gain else None


def _misfit(costs: Float64Array, cube: _Cube) -> float:
    """Return by how much the stickers are likelier in the colours that they look most like."""
    return cube.cost - float(costs.min(axis=1).sum())


def _judged(
    costs: Float64Array,
    rgb: Float64Array,
    cube: _Cube,
    share: float,
    most_gain: float,
    viewing: Viewing,
) -> PocketReading:
    """Return the reading of a cube that turning can solve."""
    names = np.array([FACE_LETTERS.index(face) for face in cube.faces])
    seen = costs[cube.order]
    excess = seen[np.arange(STICKERS), names] - seen.min(axis=1)
    weights, taken_off = legal_reader.weights_of(_corner_costs(seen) / TEMPERATURE)
    totals = legal_reader.arrangement_totals(weights)
    right = float(np.exp(taken_off - cube.cost / TEMPERATURE) / totals[0].sum())
    sound = float(1 / (1 + np.exp(min((excess.sum() - most_gain) / GAIN_SCALE, 50.0))))
    confidence = min(1.0, right) * share * sound
    letters = cube.faces.translate(str.maketrans(FACE_LETTERS, viewing.scheme))
    reading = PocketReading(read_pocket(letters), letters, confidence, Verdict.ACCEPTED, ())
    reasons: list[str] = []
    if confidence < ACCEPTED_CONFIDENCE:
        misfits = sorted({int(shown) // 4 + 1 for shown in cube.order[excess > CLEARLY]})
        if misfits:
            reasons.append(
                "The colours do not fit together for sure. Show these faces once more: "
                f"{', '.join(f'number {number}' for number in misfits)} of the six."
            )
        else:
            reasons.append(AMBIGUOUS if share < ACCEPTED_CONFIDENCE else NO_CUBE)
    if viewing.mirrored is None and cube.held_alike() != SOLVED:
        match handedness(rgb[cube.order], names, viewing.scheme):
            case Handedness.MIRRORED:
                reasons.append(MIRRORED)
            case Handedness.UNKNOWN:
                reasons.append(UNKNOWN_HANDEDNESS)
    return _doubted(reading, *reasons) if reasons else reading


def _doubted(reading: PocketReading, *reasons: str) -> PocketReading:
    return replace(
        reading,
        confidence=min(reading.confidence, 0.5),
        verdict=Verdict.DOUBTFUL,
        reasons=(*reading.reasons, *reasons),
    )


def _refused(cube: _Cube, scheme: str, *, is_mirrored: bool) -> PocketReading:
    """Return that the faces show no cube that turning can solve, and why."""
    letters = cube.faces.translate(str.maketrans(FACE_LETTERS, scheme))
    reason = MIRRORED if is_mirrored else NO_CUBE
    if cube.twist and not is_mirrored:
        try:
            read_pocket(letters)
        except FaceletError as error:
            reason = f"{error} Or these stickers were misread."
    return PocketReading(None, letters, 0.0, Verdict.RESCAN, (reason,))
