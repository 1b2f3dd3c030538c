"""What speaks against a reading: mistakes of people are not taken for misread stickers."""

import numpy as np
import pytest

from controller.vision.reading.colour_model import normal_costs
from controller.vision.reading.evidence import (
    ANY_GAIN,
    EXCHANGED_GAIN,
    IMPOSSIBLE_GAIN,
    ONE_STICKER_GAIN,
    TURNED_GAIN,
    Evidence,
    facelets_after_moves,
    is_dark,
    weigh,
)
from controller.vision.reading.legal_reader import impossible_odds
from controller.vision.reading.reader import ACCEPTED_CONFIDENCE, read_cube
from controller.vision.reading.result import Verdict
from solvers.foundation.arrays import Float64Array, Int64Array
from solvers.rubik.facelets import FACE_LETTERS, format_facelets
from solvers.rubik.notation import Move
from solvers.rubik.scramble import random_state
from tests.eyes.mistakes import (
    POOR,
    USUAL,
    Light,
    Mistake,
    exchanged_edges,
    palettes,
    seen,
    shown_cube,
)

MISTAKES_OF_LISTS = [
    Mistake.LAYER_6,
    Mistake.LAYER_5,
    Mistake.LAYER_4,
    Mistake.FOREIGN,
    Mistake.EXCHANGED,
    Mistake.IMPOSSIBLE,
]
SCRAMBLED = random_state(4)
CLEAR = 8.0


def same_noise() -> np.random.Generator:
    return np.random.default_rng(81)


def as_colours(facelets: str) -> Int64Array:
    return np.array([FACE_LETTERS.index(letter) for letter in facelets])


def costs_of(facelets: str) -> Float64Array:
    """Return the costs of stickers that look clearly like these letters."""
    costs = np.full((54, 6), CLEAR)
    costs[np.arange(54), as_colours(facelets)] = 0.0
    return costs


@pytest.mark.parametrize("move", list(Move))
def test_each_facelet_shows_what_a_move_brings_there(move: Move) -> None:
    before = as_colours(format_facelets(SCRAMBLED))
    after = as_colours(format_facelets(SCRAMBLED.apply([move])))
    assert np.array_equal(before[facelets_after_moves()[move]], after)


def test_nothing_speaks_against_a_cube_that_looks_like_itself() -> None:
    facelets = format_facelets(SCRAMBLED)
    evidence = weigh(costs_of(facelets), as_colours(facelets), impossible=-20.0)
    assert evidence == Evidence(0.0, 0.0, 0.0, -20.0)
    assert evidence.sound > 0.999


def test_exchanged_stickers_of_a_face_count_together() -> None:
    facelets = format_facelets(SCRAMBLED)
    letters = list(facelets)
    assert letters[0] != letters[1]
    letters[0], letters[1] = letters[1], letters[0]
    evidence = weigh(costs_of("".join(letters)), as_colours(facelets), impossible=-20.0)
    assert evidence.exchanged == pytest.approx(2 * CLEAR)
    assert evidence.total == pytest.approx(2 * CLEAR)
    assert set(evidence.stickers) == {0, 1}
    assert evidence.sound < 0.001


def test_faces_after_a_turn_count_together() -> None:
    before = format_facelets(SCRAMBLED)
    after = format_facelets(SCRAMBLED.apply([Move(0)]))
    mixed = before[:45] + after[45:]  # face B alone was shown after the turn
    changed = sum(a != b for a, b in zip(before, mixed, strict=True))
    evidence = weigh(costs_of(mixed), as_colours(before), impossible=-20.0)
    assert changed > 0
    assert evidence.turned == pytest.approx(changed * CLEAR)
    assert len(evidence.stickers) == changed


@pytest.mark.parametrize(
    ("at_the_bar", "below"),
    [
        (Evidence(EXCHANGED_GAIN, 0, 0, -20), Evidence(EXCHANGED_GAIN - 2, 0, 0, -20)),
        (Evidence(0, TURNED_GAIN, 0, -20), Evidence(0, TURNED_GAIN - 2, 0, -20)),
        (Evidence(0, 0, ANY_GAIN, -20), Evidence(0, 0, ANY_GAIN - 2, -20)),
        (Evidence(0, 0, 0, IMPOSSIBLE_GAIN), Evidence(0, 0, 0, IMPOSSIBLE_GAIN - 2)),
        (Evidence(0, 0, 0, -20, in_one_sticker=ONE_STICKER_GAIN), Evidence(0, 0, 0, -20)),
    ],
)
def test_a_mistake_that_explains_as_much_as_its_bar_is_as_likely_as_none(
    at_the_bar: Evidence, below: Evidence
) -> None:
    assert at_the_bar.sound == pytest.approx(0.5, abs=0.001)
    assert below.sound > 0.99


def test_a_turn_that_shows_in_one_sticker_behind_a_glare_is_a_doubt() -> None:
    shown = shown_cube(Mistake.LAYER_6, 90226, held_out=True)
    result = read_cube(shown.rgb)
    assert result.facelets != shown.truth
    assert result.verdict is Verdict.DOUBTFUL


@pytest.mark.parametrize("mistake", MISTAKES_OF_LISTS)
def test_mistakes_are_not_accepted(mistake: Mistake) -> None:
    for seed in range(12):
        shown = shown_cube(mistake, seed, held_out=False)
        result = read_cube(shown.rgb)
        right = result.facelets == shown.truth
        assert result.verdict is not Verdict.ACCEPTED or right, f"seed {seed}"


@pytest.mark.parametrize("seed", [405, 859, 1783, 2723])
def test_exchanged_pieces_that_look_right_in_the_dark_are_not_accepted(seed: int) -> None:
    result = read_cube(shown_cube(Mistake.IMPOSSIBLE, seed, held_out=False).rgb)
    assert result.verdict is not Verdict.ACCEPTED


@pytest.mark.parametrize("seed", range(6))
def test_clearly_different_colours_are_accepted_in_the_dark(seed: int) -> None:
    rng = np.random.default_rng([seed, 78])
    facelets = format_facelets(random_state(seed))
    rgb = seen(facelets, palettes(held_out=False)[0], Light(exposure=POOR.exposure), rng)
    result = read_cube(rgb)
    assert (result.facelets, result.verdict) == (facelets, Verdict.ACCEPTED)


@pytest.mark.parametrize(("exposure", "dark"), [(1.0, False), (0.3, True)])
def test_a_picture_is_dark_by_its_white_stickers(exposure: float, dark: bool) -> None:
    light = Light(exposure=exposure)
    rgb = seen(format_facelets(SCRAMBLED), palettes(held_out=False)[0], light, same_noise())
    assert is_dark(rgb) is dark


def test_odds_by_normal_distributions_count_in_the_dark_as_they_are() -> None:
    assert Evidence(0, 0, 0, -20).sound > 0.999
    assert Evidence(0, 0, 0, -20, in_the_dark=0.0).sound == pytest.approx(0.5, abs=0.001)
    assert Evidence(0, 0, 0, -20, in_the_dark=-3.0).sound == pytest.approx(0.952, abs=0.001)


def test_normal_distributions_tell_which_stickers_are_which() -> None:
    facelets = format_facelets(SCRAMBLED)
    rgb = seen(facelets, palettes(held_out=False)[0], POOR, same_noise())
    cube = as_colours(facelets)
    for costs in normal_costs(rgb, {}, cube):
        assert (costs.argmin(axis=1) == cube).all()


def test_normal_distributions_prefer_exchanged_edges_to_a_cube_forced_upon_them() -> None:
    exchanged = format_facelets(exchanged_edges(same_noise(), SCRAMBLED))
    rgb = seen(exchanged, palettes(held_out=False)[0], Light(exposure=POOR.exposure), same_noise())
    forced = as_colours(read_cube(rgb).facelets)
    assert all(impossible_odds(costs) > 0 for costs in normal_costs(rgb, {}, forced))


def test_sound_cubes_of_near_colours_are_accepted_in_the_dark_now_and_then() -> None:
    accepted = 0
    for seed in range(30):
        rng = np.random.default_rng([seed, 82])
        facelets = format_facelets(random_state(seed))
        result = read_cube(seen(facelets, palettes(held_out=False)[0], POOR, rng))
        assert result.verdict is not Verdict.ACCEPTED or result.facelets == facelets
        accepted += result.verdict is Verdict.ACCEPTED
    assert accepted >= 10


@pytest.mark.parametrize("seed", range(12))
def test_cubes_in_usual_light_are_accepted(seed: int) -> None:
    rng = np.random.default_rng([seed, 77])
    facelets = format_facelets(random_state(seed))
    result = read_cube(seen(facelets, palettes(held_out=False)[(0, 5, 6)[seed % 3]], USUAL, rng))
    assert (result.facelets, result.verdict) == (facelets, Verdict.ACCEPTED)


def test_stickers_that_contradict_a_reading_are_named() -> None:
    rng = np.random.default_rng(5)
    letters = list(format_facelets(SCRAMBLED))
    letters[0], letters[1] = letters[1], letters[0]
    result = read_cube(seen("".join(letters), palettes(held_out=False)[0], USUAL, rng))
    assert result.confidence < ACCEPTED_CONFIDENCE
    assert {"U1", "U2"} <= set(result.doubtful)
