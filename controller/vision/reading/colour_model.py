"""Six colours learnt from the cube itself, and the cost of each sticker in each of them.

Colours are compared in a space in which equal steps look equally different. Fifty-four stickers
always show the same nine of each colour, so their mean does not depend on the scramble. Dividing by
it takes the colour and the strength of the light out exactly.

The colours start at the six centres, whatever they are: there is no palette and no colour name.
Then three things are estimated in turns, as in expectation-maximisation with hard assignments:
the legal cube, the colours (medians of their stickers), and the light on each face.

Lamps that are mirrored in stickers belong to the model. A glossy surface sends back light of its
own colour and light of the lamp's (the dichromatic model, Shafer 1985, Color Research and
Application 10, 210): what a camera sees is on a line from the colour to white. That line is
straight in linear light; in a picture whose bright parts the camera has compressed it is nearly
straight in the file's codes, so both are tried. Close to white all colours look the same,
and a sticker there says little: no outlier, but no evidence either.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from controller.vision.errors import ImpossibleFixError
from controller.vision.reading.legal_reader import (
    CENTRES,
    COLOURS,
    Assignment,
    cheapest_legal,
    cheapest_pieces,
)
from solvers.foundation.arrays import Float64Array, Int64Array
from solvers.rubik.facelets import FACE_LETTERS, facelet_name

# Mean of each channel after normalising. The stickers of a usual cube in white light have 0.3 to
# 0.4; the value only places the colours on Lab's curve.
GREY_LEVEL: Final = 0.35
# Darkest mean that is still scaled up: half a step of 8 bits in linear light.
DARKEST_MEAN: Final = 1.5e-4

# Lightness varies with shadow and tilt more than hue does.
LIGHTNESS_WEIGHT: Final = 0.5

# IEC 61966-2-1 (sRGB), primaries to XYZ under D65, each row divided by the white point.
_XYZ_OF_RGB: Final = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
) / np.array([[0.9504700], [1.0], [1.0888300]])

# CIE 15:2004, equation 8.6: below `_EPSILON` the cube root continues as a straight line.
_EPSILON: Final = 216 / 24389
_KAPPA: Final = 24389 / 27


def linear_light(rgb: npt.ArrayLike) -> Float64Array:
    """Return sRGB values 0..255 as linear light 0..1, of the same shape."""
    value = np.asarray(rgb, dtype=np.float64) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def grey_balanced(light: Float64Array) -> Float64Array:
    """Return the colours of a whole cube, linear light of shape (54, 3), under a standard light."""
    balanced: Float64Array = light * (GREY_LEVEL / np.maximum(light.mean(axis=0), DARKEST_MEAN))
    return balanced


def weighted_lab(light: Float64Array) -> Float64Array:
    """Return linear light of shape (..., 3) as CIE Lab with L scaled by `LIGHTNESS_WEIGHT`."""
    xyz = light @ _XYZ_OF_RGB.T
    root = np.where(
        xyz > _EPSILON, np.cbrt(np.maximum(xyz, 0)), (_KAPPA * np.maximum(xyz, 0) + 16) / 116
    )
    x, y, z = root[..., 0], root[..., 1], root[..., 2]
    return np.stack([LIGHTNESS_WEIGHT * (116 * y - 16), 500 * (x - y), 200 * (y - z)], axis=-1)


# Prior probability that a lamp's white is over a sticker. 0.1 to 0.3 read as many cubes.
VEILED: Final = 0.2
# The same for a centre whose colour is not yet known: it may be what it is with white over it.
VEILED_CENTRE: Final = 0.05
# White laid over in linear light, and over the codes: the steps are nearly even to the eye.
_SHARES: Final[Float64Array] = np.linspace(0.2, 0.98, 12) ** 2
_CODE_SHARES: Final[Float64Array] = np.linspace(0.15, 0.97, 12)
_TAKEN_OFF: Final[Float64Array] = np.linspace(1 / 6, 1, 6)
# Under a glare nothing is seen exactly: by how much a spread grows until all is white.
_WIDER: Final = 0.5
_DARKEST_CODE: Final = 0.08
_GAMMA: Final = 2.2


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """What n colours may look like in p ways: `lab` (n, p, 3) is weighted Lab.

    `surprise` (p,) is -log of how probable each way is, `wider` (p,) multiplies the spread.
    """

    lab: Float64Array
    surprise: Float64Array
    wider: Float64Array

    @classmethod
    def of(cls, colours: Float64Array, white: Float64Array, *, are_known: bool) -> Self:
        """Return the looks of colours (n, 3) in linear light, where a lamp is `white` (3,).

        `are_known`: the colours are no single stickers, which may have white over them themselves.
        """
        codes = (np.maximum(colours, 0) / white)[:, None] ** (1 / _GAMMA)
        shares, code_shares = _SHARES[:, None], _CODE_SHARES[:, None]
        ways = [
            (colours[:, None], 1 - VEILED, np.zeros(1)),
            ((1 - shares) * colours[:, None] + shares * white, VEILED / 2, _SHARES),
            (
                white * ((1 - code_shares) * codes + code_shares) ** _GAMMA,
                VEILED / 2,
                _CODE_SHARES**_GAMMA,
            ),
        ]
        if not are_known:
            bare = white * _uncovered(codes) ** _GAMMA
            ways.append((bare, VEILED_CENTRE, np.zeros(len(_TAKEN_OFF))))
        return cls(
            weighted_lab(np.concatenate([light for light, _, _ in ways], axis=1)),
            np.concatenate([np.full(len(at), -np.log(p / len(at))) for _, p, at in ways]),
            1 + _WIDER * np.concatenate([at for _, _, at in ways]),
        )


def _uncovered(codes: Float64Array) -> Float64Array:
    """Return codes (n, 1, 3) of 0..1 with ever more white taken off, until one is dark."""
    most = np.clip((codes.min(axis=2) - _DARKEST_CODE) / (1 - _DARKEST_CODE), 0, 0.95)
    off = (most * _TAKEN_OFF)[..., None]
    return np.asarray((codes - off) / (1 - off))


# The constants below were chosen on cubes made by drawing stickers from measured colours and
# degrading them with gain, white-balance drift, gradients and glare; halving or doubling any of
# them changes the share of cubes read right by one to three in a hundred (docs/vision.md).
DEGREES_OF_FREEDOM: Final = 2.0  # of Student's t: heavy tails, a glare must not decide a cube
FIRST_SPREAD: Final = 10.0  # in weighted Lab, while only the centres are known
LEAST_SPREAD: Final = 4.0
POOLED_STICKERS: Final = 4.0  # weight of the spread common to all colours, in stickers
CENTRE_STICKERS: Final = 0.25  # additional weight of the centre, which may glare, in its colour
LEAST_WHITE: Final = 6  # of nine stickers of one colour a lamp may be mirrored in the others
FACE_LIGHT_PRIOR: Final = 3.0  # weight, in bright stickers, of "all faces have the same light"
MOST_ROUNDS: Final = 4

# For normal distributions: a sticker that is off by more is a glare, and what eight bits leave at
# least of the spread; in weighted Lab, and in logarithms of light, of which the darkest is noise.
_FARTHEST_LAB: Final = 25.0
_LEAST_LAB: Final = 1.0
_FARTHEST_LOGS: Final = 1.5
_LEAST_LOGS: Final = 0.03
_DARKEST_LOGGED: Final = 0.004
# Tails of the distributions that tell mistakes apart; 2 to 30 name as many.
_STUDENT_DEGREES: Final = 4.0

# Darker channels carry more noise than signal about the light: full weight from here on.
_BRIGHT: Final = 0.2
DARKEST: Final = 0.01

FORBIDDEN: Final = np.inf

# Stickers of one face share their errors, so the costs overstate what is known. Dividing them by
# this makes the confidence agree with how often readings of degraded cubes are right
# (tests/benchmarks/bench_vision.py prints the reliability; no labelled real scan took part).
TEMPERATURE: Final = 1.7


@dataclass(frozen=True, slots=True, eq=False)
class ColourModel:
    """Prototypes (6, 3) in linear light, their spreads (6,) in weighted Lab, and white (3,).

    `are_known` is not yet so of prototypes that are the six centres.
    """

    prototypes: Float64Array
    spreads: Float64Array
    white: Float64Array
    are_known: bool = True

    def costs(self, colours: Float64Array) -> Float64Array:
        """Return the negative log-likelihood of each prototype, (n, 6) for colours (n, 3).

        Colours are weighted Lab. All ways count in which a prototype may look so.
        """
        looks = Looks.of(self.prototypes, self.white, are_known=self.are_known)
        distance = ((colours[:, None, None] - looks.lab) ** 2).sum(axis=3)
        spreads = self.spreads[:, None] * looks.wider
        tail = np.log1p(distance / (DEGREES_OF_FREEDOM * spreads**2))
        costs = 0.5 * (DEGREES_OF_FREEDOM + 3) * tail + 3 * np.log(spreads) + looks.surprise
        least = costs.min(axis=2)
        return np.asarray(least - np.log(np.exp(least[..., None] - costs).sum(axis=2)))


@dataclass(frozen=True, slots=True, eq=False)
class LearntCosts:
    """What each sticker costs in each colour, (54, 6), and each centre in the colour that the
    stickers of each face have, (6, 6).
    """

    stickers: Float64Array
    centres: Float64Array


def learnt_costs(
    rgb: Float64Array,
    fixed: Mapping[int, int],
    assign: Callable[[Float64Array], Assignment] = cheapest_legal,
) -> LearntCosts:
    """Learn the six colours of a cube from sRGB values (54, 3) and return what they cost.

    `fixed` maps facelet indices to colours set by hand; all other colours are forbidden there.
    `assign` gives the stickers their colours in each round.
    Raises ImpossibleFixError if no legal cube has the fixed colours.
    """
    light = grey_balanced(linear_light(rgb))
    white = np.maximum(light.max(axis=0), DARKEST)  # a white sticker, or what a lamp makes of one
    even, colours = light, weighted_lab(light)
    first_spreads = np.full(COLOURS, FIRST_SPREAD)
    model = ColourModel(light[CENTRES], first_spreads, white, are_known=False)
    previous = None
    for _ in range(MOST_ROUNDS):
        costs = _constrained(model.costs(colours), fixed)
        assignment = assign(costs)
        if not np.isfinite(assignment.cost):
            raise ImpossibleFixError(
                "No legal cube has all the stickers that were set by hand. Check them again: "
                + ", ".join(f"{facelet_name(i)}={FACE_LETTERS[c]}" for i, c in fixed.items())
                + "."
            )
        cube = assignment.colours
        if previous is not None and np.array_equal(cube, previous):
            break
        previous = cube
        even = light / face_light(light, cube)
        colours = weighted_lab(even)
        model = _fitted(even, cube, white)
    return LearntCosts(costs, _centre_costs(even, model, cube))


def costs_as_seen(
    rgb: Float64Array, fixed: Mapping[int, int], learnt: Float64Array
) -> Float64Array:
    """Return what each sticker costs in each colour, (54, 6), if stickers are what they look like.

    `learnt` are the costs from a legal cube. A cube that is forced upon the stickers widens the
    spreads of just those colours that speak against it, so here each sticker counts to the colour
    nearest to it, whether that makes a cube or not.
    """
    light = grey_balanced(linear_light(rgb))
    white = np.maximum(light.max(axis=0), DARKEST)
    costs = learnt
    previous = None
    for _ in range(MOST_ROUNDS - 1):
        nearest = costs.argmin(axis=1)
        if previous is not None and np.array_equal(nearest, previous):
            break
        previous = nearest
        even = light / face_light(light, nearest)
        model = _fitted(even, nearest, white)
        costs = _constrained(model.costs(weighted_lab(even)), fixed)
    return costs


def normal_costs(
    rgb: Float64Array, fixed: Mapping[int, int], cube: Int64Array
) -> tuple[Float64Array, Float64Array]:
    """Return what each sticker costs in each colour by one normal distribution for all, (54, 6).

    In Lab, and in logarithms of light, of which shadow and tilt move all three alike. `cube` (54,)
    are the colours of the stickers (54, 3). Heavy tails take a glare for weak evidence, and with it
    all that is far off; normal distributions tell similar colours apart better.
    """
    by_lab, by_logs = _distances(rgb, cube)
    return _constrained(by_lab / 2, fixed), _constrained(by_logs / 2, fixed)


def student_costs(rgb: Float64Array, fixed: Mapping[int, int], cube: Int64Array) -> Float64Array:
    """Return the same by Student's t in place of normal distributions; the mean of both, (54, 6).

    They tell similar colours apart nearly as well, and no single sticker can decide.
    """
    tails = [np.log1p(each / _STUDENT_DEGREES) for each in _distances(rgb, cube)]
    return _constrained((_STUDENT_DEGREES + 3) / 4 * (tails[0] + tails[1]), fixed)


def picture_costs(rgb: Float64Array, fixed: Mapping[int, int], seen: Float64Array) -> Float64Array:
    """Return the costs (54, 6) by which mistakes with whole pictures are compared.

    `seen` are those of `costs_as_seen`. The mean of three likelihoods, which differ in what they
    make of a shadow, of noise in the dark, and of a glare.
    """
    return (seen + 2 * student_costs(rgb, fixed, seen.argmin(axis=1))) / 3


def piece_costs(rgb: Float64Array, fixed: Mapping[int, int], learnt: Float64Array) -> Float64Array:
    """Return the costs (54, 6) by which cubes are compared that were put together wrongly.

    The colours are learnt from twenty different pieces however they were put in, starting with the
    costs `learnt`: a legal cube takes some stickers for similar colours if the cube is none, and
    so do single stickers in poor light.
    """
    costs = learnt
    for _ in range(2):
        costs = student_costs(rgb, fixed, cheapest_pieces(costs).colours)
    return costs


def _distances(rgb: Float64Array, cube: Int64Array) -> tuple[Float64Array, Float64Array]:
    """Return squared Mahalanobis distances (54, 6) to each colour's median, in Lab and in logs."""
    light = grey_balanced(linear_light(rgb))
    even = light / face_light(light, cube)
    logs = np.log(np.maximum(even, _DARKEST_LOGGED))
    return (
        _mahalanobis(weighted_lab(even), cube, _FARTHEST_LAB, _LEAST_LAB),
        _mahalanobis(logs, cube, _FARTHEST_LOGS, _LEAST_LOGS),
    )


def _mahalanobis(
    values: Float64Array, cube: Int64Array, farthest: float, least: float
) -> Float64Array:
    """Return squared distances of values (54, 3) to each colour's median, (54, 6).

    What is off by more than `farthest` does not count for the spread, which is `least` at least.
    """
    middles = np.array([np.median(values[cube == colour], axis=0) for colour in range(COLOURS)])
    off = values - middles[cube]
    near = off[np.linalg.norm(off, axis=1) < farthest]
    spread = near.T @ near / max(len(near) - 3 * COLOURS, 1) + least**2 * np.eye(3)
    apart = values[:, None] - middles
    return np.asarray(((apart @ np.linalg.inv(spread)) * apart).sum(axis=2))


def _centre_costs(light: Float64Array, model: ColourModel, cube: Int64Array) -> Float64Array:
    """Return what the centres cost in colours that are learnt from the other stickers alone."""
    others = np.delete(np.arange(len(light)), CENTRES)
    medians = [_typical(light[others[cube[others] == c]], model.white) for c in range(COLOURS)]
    alone = ColourModel(np.array(medians), model.spreads, model.white)
    return alone.costs(weighted_lab(light[CENTRES]))


def _typical(light: Float64Array, white: Float64Array) -> Float64Array:
    """Return the median of those stickers of one colour that have least white over them."""
    order = np.argsort((light / white).min(axis=1), kind="stable")
    return np.asarray(np.median(light[order[:LEAST_WHITE]], axis=0))


def _constrained(costs: Float64Array, fixed: Mapping[int, int]) -> Float64Array:
    for facelet, colour in {**dict(zip(CENTRES, range(COLOURS), strict=True)), **fixed}.items():
        costs[facelet] = FORBIDDEN
        costs[facelet, colour] = 0
    return costs


def _fitted(light: Float64Array, cube: Int64Array, white: Float64Array) -> ColourModel:
    """Return the model whose colours are typical of their stickers."""
    prototypes = np.empty((COLOURS, 3))
    deviations = np.empty(COLOURS)
    for colour in range(COLOURS):
        stickers = light[cube == colour]
        centre = light[CENTRES[colour]]
        prototypes[colour] = (9 * _typical(stickers, white) + CENTRE_STICKERS * centre) / (
            9 + CENTRE_STICKERS
        )
        off = weighted_lab(stickers) - weighted_lab(prototypes[colour])
        distance = np.sort(np.sqrt((off**2).mean(axis=1)))
        deviations[colour] = distance[:LEAST_WHITE].mean()  # the others are likely glares
    pooled = np.median(deviations)
    spreads = np.sqrt((9 * deviations**2 + POOLED_STICKERS * pooled**2) / (9 + POOLED_STICKERS))
    return ColourModel(prototypes, np.maximum(spreads, LEAST_SPREAD), white)


def face_light(light: Float64Array, cube: Int64Array) -> Float64Array:
    """Return the light on each sticker's face relative to the whole cube's, shape (54, 3).

    `light` are the stickers' colours in linear light, `cube` (54,) which colours they are; of a
    2x2x2 cube they are 24.

    A weighted mean of log ratios over the nine stickers, shrunk towards 1.
    """
    typical = np.stack([np.median(light[cube == colour], axis=0) for colour in range(COLOURS)])
    expected = np.maximum(typical[cube], DARKEST)
    ratio = np.log(np.maximum(light, DARKEST) / expected).reshape(6, -1, 3)
    weight = np.clip(expected / _BRIGHT, 0.05, 1).reshape(6, -1, 3)
    gain = (weight * ratio).sum(axis=1) / (weight.sum(axis=1) + FACE_LIGHT_PRIOR)
    return np.repeat(np.exp(gain), len(light) // 6, axis=0)
