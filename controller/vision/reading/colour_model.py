"""Six colours learnt from the cube itself, and what each sticker costs in each of them.

The colours start at the six centres, whatever they are: there is no palette and no colour name.
Then three things are estimated in turns, as in expectation-maximisation with hard assignments:
the legal cube, the colours (median of their nine stickers), and the light on each face.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from controller.vision.errors import ImpossibleFixError
from controller.vision.reading.colour_space import grey_balanced, linear_light, weighted_lab
from controller.vision.reading.legal_reader import CENTRES, COLOURS, Assignment, cheapest_legal
from solvers.foundation.arrays import Float64Array, Int64Array
from solvers.rubik.facelets import FACE_LETTERS, facelet_name

# The constants below were chosen on cubes made by drawing stickers from measured colours and
# degrading them with gain, white-balance drift, gradients and glare; halving or doubling any of
# them changes the share of cubes read right by one to three in a hundred (docs/vision.md).
DEGREES_OF_FREEDOM: Final = 2.0  # of Student's t: heavy tails, a glare must not decide a cube
FIRST_SPREAD: Final = 10.0  # in weighted Lab, while only the centres are known
LEAST_SPREAD: Final = 4.0
POOLED_STICKERS: Final = 4.0  # weight of the spread common to all colours, in stickers
CENTRE_STICKERS: Final = 1.0  # additional weight of the centre in its colour
FACE_LIGHT_PRIOR: Final = 3.0  # weight, in bright stickers, of "all faces have the same light"
MOST_ROUNDS: Final = 4

# Darker channels carry more noise than signal about the light: full weight from here on.
_BRIGHT: Final = 0.2
_DARKEST: Final = 0.01

FORBIDDEN: Final = np.inf


@dataclass(frozen=True, slots=True, eq=False)
class ColourModel:
    """Prototypes (6, 3) in weighted Lab and their spreads (6,)."""

    prototypes: Float64Array
    spreads: Float64Array

    def costs(self, colours: Float64Array) -> Float64Array:
        """Return the negative log-likelihood of each prototype, (n, 6) for colours (n, 3)."""
        distance = ((colours[:, None] - self.prototypes) ** 2).sum(axis=2)
        tail = np.log1p(distance / (DEGREES_OF_FREEDOM * self.spreads**2))
        costs: Float64Array = 0.5 * (DEGREES_OF_FREEDOM + 3) * tail + 3 * np.log(self.spreads)
        return costs


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
    colours = weighted_lab(light)
    model = ColourModel(colours[CENTRES].copy(), np.full(COLOURS, FIRST_SPREAD))
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
        colours = weighted_lab(light / _face_light(light, cube))
        model = _fitted(colours, cube)
    return LearntCosts(costs, _centre_costs(colours, model, cube))


def _centre_costs(colours: Float64Array, model: ColourModel, cube: Int64Array) -> Float64Array:
    """Return what the centres cost in colours that are learnt from the other stickers alone."""
    others = np.delete(np.arange(len(colours)), CENTRES)
    medians = [np.median(colours[others[cube[others] == c]], axis=0) for c in range(COLOURS)]
    return ColourModel(np.array(medians), model.spreads).costs(colours[CENTRES])


def _constrained(costs: Float64Array, fixed: Mapping[int, int]) -> Float64Array:
    for facelet, colour in {**dict(zip(CENTRES, range(COLOURS), strict=True)), **fixed}.items():
        costs[facelet] = FORBIDDEN
        costs[facelet, colour] = 0
    return costs


def _fitted(colours: Float64Array, cube: Int64Array) -> ColourModel:
    """Return the model whose colours are the medians of their stickers."""
    prototypes = np.empty((COLOURS, 3))
    deviations = np.empty(COLOURS)
    for colour in range(COLOURS):
        stickers = colours[cube == colour]
        centre = colours[CENTRES[colour]]
        prototypes[colour] = (9 * np.median(stickers, axis=0) + CENTRE_STICKERS * centre) / (
            9 + CENTRE_STICKERS
        )
        distance = np.sqrt(((stickers - prototypes[colour]) ** 2).mean(axis=1))
        deviations[colour] = np.sort(distance)[:-1].mean()  # without the worst: likely a glare
    pooled = np.median(deviations)
    spreads = np.sqrt((9 * deviations**2 + POOLED_STICKERS * pooled**2) / (9 + POOLED_STICKERS))
    return ColourModel(prototypes, np.maximum(spreads, LEAST_SPREAD))


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
