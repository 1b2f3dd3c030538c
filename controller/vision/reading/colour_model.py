"""Six colours learnt from the cube itself, and what each sticker costs in each of them.

The colours start at the six centres, whatever they are: there is no palette and no colour name.
Then three things are estimated in turns, as in expectation-maximisation with hard assignments:
the legal cube, the colours (medians of their stickers), and the light on each face. Lamps that are
mirrored in stickers belong to the model (`veils`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from controller.vision.errors import ImpossibleFixError
from controller.vision.reading.colour_space import grey_balanced, linear_light, weighted_lab
from controller.vision.reading.legal_reader import CENTRES, COLOURS, Assignment, cheapest_legal
from controller.vision.reading.veils import Looks
from solvers.foundation.arrays import Float64Array, Int64Array
from solvers.rubik.facelets import FACE_LETTERS, facelet_name

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

# Darker channels carry more noise than signal about the light: full weight from here on.
_BRIGHT: Final = 0.2
_DARKEST: Final = 0.01

FORBIDDEN: Final = np.inf


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
    white = np.maximum(light.max(axis=0), _DARKEST)  # a white sticker, or what a lamp makes of one
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
        even = light / _face_light(light, cube)
        colours = weighted_lab(even)
        model = _fitted(even, cube, white)
    return LearntCosts(costs, _centre_costs(even, model, cube))


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


def _face_light(light: Float64Array, cube: Int64Array) -> Float64Array:
    """Return the light on each sticker's face relative to the whole cube's, shape (54, 3).

    A weighted mean of log ratios over the nine stickers, shrunk towards 1.
    """
    typical = np.stack([np.median(light[cube == colour], axis=0) for colour in range(COLOURS)])
    expected = np.maximum(typical[cube], _DARKEST)
    ratio = np.log(np.maximum(light, _DARKEST) / expected).reshape(6, 9, 3)
    weight = np.clip(expected / _BRIGHT, 0.05, 1).reshape(6, 9, 3)
    gain = (weight * ratio).sum(axis=1) / (weight.sum(axis=1) + FACE_LIGHT_PRIOR)
    return np.repeat(np.exp(gain), 9, axis=0)
