"""The colours are learnt under whatever light each face has."""

import numpy as np
import pytest

from controller.vision.reading.colour_model import learnt_costs, linear_light
from controller.vision.reading.reader import read_cube
from controller.vision.reading.result import Verdict
from solvers.foundation.arrays import Float64Array
from solvers.rubik.facelets import CENTRE_FACELETS, FACE_LETTERS, format_facelets
from solvers.rubik.scramble import random_state
from tests.vision_data import painted, srgb_of_light


def mean_cost_of_the_truth(rgb: Float64Array, facelets: str) -> float:
    """Return what the stickers cost in the colours that they really have, centres left out."""
    colours = [FACE_LETTERS.index(letter) for letter in facelets]
    costs = learnt_costs(rgb, {}).stickers[np.arange(54), colours]
    return float(np.delete(costs, CENTRE_FACELETS).mean())


@pytest.mark.parametrize("seed", range(5))
def test_the_light_of_each_face_is_found(seed: int) -> None:
    facelets = format_facelets(random_state(seed))
    even = 0.45 * linear_light(painted(facelets, seed=seed))
    # From 0.45 to 2.2 times as bright, in a random order of the faces.
    strengths = np.exp(np.random.default_rng(seed).permutation(np.linspace(-0.8, 0.8, 6)))
    uneven = even * np.repeat(strengths, 9)[:, None]
    rgb = srgb_of_light(uneven)
    # 1.1 to 1.4 dearer than in even light; 2.3 or more if one light is assumed for all faces.
    dearer_by = mean_cost_of_the_truth(rgb, facelets) - mean_cost_of_the_truth(
        srgb_of_light(even), facelets
    )
    assert dearer_by < 1.8
    result = read_cube(rgb)
    assert (result.facelets, result.verdict) == (facelets, Verdict.ACCEPTED)
