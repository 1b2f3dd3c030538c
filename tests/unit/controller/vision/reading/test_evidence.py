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
    SeenLooks,
    facelets_after_moves,
    is_dark,
    weigh,
    with_lamps,
)
from controller.vision.reading.legal_reader import impossible_odds
from controller.vision.reading.reader import ACCEPTED_CONFIDENCE, read_cube
from controller.vision.reading.result import Verdict
from controller.vision.reading.shown_reader import read_shown
from solvers.foundation.arrays import Float64Array, Int64Array
from solvers.rubik.facelets import FACE_LETTERS, format_facelets
from solvers.rubik.notation import Move
from solvers.rubik.scramble import random_state
from tests.eyes.mistakes import (
    GLARING,
    POOR,
    ROBOT_ORDER,
    USUAL,
    Light,
    Mistake,
    Named,
    exchanged_edges,
    named_case,
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
    Mistake.GLARING,
]
SCRAMBLED = random_state(4)
CLEAR = 8.0
ANY_ORDER = np.repeat([[[0.0, 1.0]]], 6, axis=1)


def same_noise() -> np.random.Generator:
    return np.random.default_rng(81)


def as_colours(facelets: str) -> Int64Array:
    return np.array([FACE_LETTERS.index(letter) for letter in facelets])


def costs_of(facelets: str) -> Float64Array:
    """Return the costs of stickers that look clearly like these letters."""
    costs = np.full((54, 6), CLEAR)
    costs[np.arange(54), as_colours(facelets)] = 0.0
    return costs


def one_look(facelets: str) -> SeenLooks:
    """Return a single look at stickers that look clearly like these letters."""
    return SeenLooks(costs_of(facelets)[None], np.ones((1, 6), dtype=bool), ANY_ORDER)


@pytest.mark.parametrize("move", list(Move))
def test_each_facelet_shows_what_a_move_brings_there(move: Move) -> None:
    before = as_colours(format_facelets(SCRAMBLED))
    after = as_colours(format_facelets(SCRAMBLED.apply([move])))
    assert np.array_equal(before[facelets_after_moves()[move]], after)


def test_nothing_speaks_against_a_cube_that_looks_like_itself() -> None:
    facelets = format_facelets(SCRAMBLED)
    evidence = weigh(one_look(facelets), as_colours(facelets), impossible=-20.0)
    assert evidence == Evidence(0.0, -CLEAR, 0.0, -20.0)  # some turns show in a single sticker
    assert evidence.sound > 0.999


def test_exchanged_stickers_of_a_face_count_together() -> None:
    facelets = format_facelets(SCRAMBLED)
    letters = list(facelets)
    assert letters[0] != letters[1]
    letters[0], letters[1] = letters[1], letters[0]
    evidence = weigh(one_look("".join(letters)), as_colours(facelets), impossible=-20.0)
    assert evidence.exchanged == pytest.approx(2 * CLEAR)
    assert evidence.of_a_face == pytest.approx(2 * CLEAR)
    assert set(evidence.stickers) == {0, 1}
    assert evidence.sound < 0.001


@pytest.mark.parametrize(("facelets", "most"), [((0, 9, 18, 27, 36, 45), 1), ((0, 2, 6, 9), 3)])
def test_odd_stickers_count_together_on_one_face(facelets: tuple[int, ...], most: int) -> None:
    """A lamp is mirrored in one sticker of each face; another cube's face is odd by itself."""
    colours = as_colours(format_facelets(SCRAMBLED))
    odd = colours.copy()
    odd[list(facelets)] = (odd[list(facelets)] + 3) % 6
    look = one_look("".join(FACE_LETTERS[colour] for colour in odd))
    assert weigh(look, colours, impossible=-20.0).of_a_face == pytest.approx(most * CLEAR)


def test_faces_after_a_turn_count_together() -> None:
    before = format_facelets(SCRAMBLED)
    after = format_facelets(SCRAMBLED.apply([Move(0)]))
    mixed = before[:45] + after[45:]  # face B alone was shown after the turn
    changed = sum(a != b for a, b in zip(before, mixed, strict=True))
    evidence = weigh(one_look(mixed), as_colours(before), impossible=-20.0)
    assert changed > 0
    assert evidence.turned == pytest.approx(changed * CLEAR)
    assert len(evidence.stickers) == changed


def shown_one_by_one(*looks: str, order: tuple[int, ...] = ROBOT_ORDER) -> SeenLooks:
    """Return looks at clear stickers, each face after the other in that order."""
    times = np.empty((len(looks), 6, 2))
    times[:, list(order)] = np.arange(6.0 * len(looks)).reshape(-1, 6, 1)
    costs = np.array([costs_of(facelets) for facelets in looks])
    return SeenLooks(costs, np.ones((len(looks), 6), dtype=bool), times)


BEFORE = format_facelets(SCRAMBLED)
BACK_LAST, BACK_FIRST = (0, 1, 2, 3, 4, 5), (5, 0, 1, 2, 3, 4)
# A cube of which a turn of U changes a single sticker of B, and its letters if B is seen after it.
CUBE = random_state(0)
WITHOUT_TURN = format_facelets(CUBE)
ODD = WITHOUT_TURN[:45] + format_facelets(CUBE.apply([Move.U2]))[45:]


def test_a_turn_shows_only_in_what_was_seen_after_it() -> None:
    after = format_facelets(SCRAMBLED.apply([Move(0)]))
    mixed = BEFORE[:45] + after[45:]
    colours = as_colours(BEFORE)
    last = weigh(shown_one_by_one(mixed, order=BACK_LAST), colours, impossible=-20.0)
    first = weigh(shown_one_by_one(mixed, order=BACK_FIRST), colours, impossible=-20.0)
    assert last.turned == weigh(one_look(mixed), colours, impossible=-20.0).turned > 0
    assert first.turned == -CLEAR


def test_a_turn_in_one_sticker_shows_only_in_what_was_seen_after_it() -> None:
    colours = as_colours(WITHOUT_TURN)
    assert weigh(one_look(ODD), colours, -20.0).in_one_sticker == CLEAR
    last = weigh(shown_one_by_one(ODD, order=BACK_LAST), colours, -20.0)
    first = weigh(shown_one_by_one(ODD, order=BACK_FIRST), colours, -20.0)
    assert (last.in_one_sticker, first.in_one_sticker) == (CLEAR, 0)


def test_a_second_look_tells_a_turn_from_a_sticker_that_looks_odd() -> None:
    colours = as_colours(WITHOUT_TURN)
    odd_twice = weigh(shown_one_by_one(ODD, ODD), colours, -20.0)
    assert (odd_twice.turned, odd_twice.in_one_sticker) == (0, 0)
    odd_at_first = weigh(shown_one_by_one(ODD, WITHOUT_TURN), colours, -20.0)
    assert odd_at_first.in_one_sticker == 0  # all that was seen later shows no turn
    turned_then = weigh(shown_one_by_one(WITHOUT_TURN, ODD), colours, -20.0)
    assert (turned_then.turned, turned_then.in_one_sticker) == (CLEAR, CLEAR)


def test_a_look_that_is_repeated_is_no_second_look() -> None:
    colours = as_colours(WITHOUT_TURN)
    looks = shown_one_by_one(ODD, ODD)
    looks.is_new[1] = False
    looks.times[1] = looks.times[0]
    assert weigh(looks, colours, -20.0).in_one_sticker == CLEAR


def test_the_turned_layers_own_face_may_be_taken_for_one_that_is_held_otherwise() -> None:
    """B is turned, and its picture is read as one that is turned back; then L shows the turn."""
    after = format_facelets(SCRAMBLED.apply([Move.B1]))
    mixed = BEFORE[:36] + after[36:45] + BEFORE[45:]
    changed = sum(a != b for a, b in zip(BEFORE, mixed, strict=True))
    evidence = weigh(shown_one_by_one(mixed), as_colours(BEFORE), -20.0)
    assert evidence.turned == changed * CLEAR > 0


def test_every_look_has_to_show_the_cube_where_nothing_speaks_against_it() -> None:
    colours = as_colours(WITHOUT_TURN)
    assert shown_one_by_one(WITHOUT_TURN, WITHOUT_TURN).margin(colours) == CLEAR
    assert shown_one_by_one(WITHOUT_TURN, ODD).margin(colours) == -CLEAR


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
        for looks in (shown.rgb, shown.rgb_of_looks):
            result = read_cube(looks)
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


def test_odds_by_other_distributions_count_as_they_are() -> None:
    assert Evidence(0, 0, 0, -20).sound > 0.999
    assert Evidence(0, 0, 0, -20, by_normal=(0.0, -np.inf)).sound == pytest.approx(0.5, abs=0.001)
    assert Evidence(0, 0, 0, -20, by_normal=(-np.inf, -3.0)).sound == pytest.approx(0.95, abs=0.003)
    assert Evidence(0, 0, 0, -20, by_pieces=0.0).sound == pytest.approx(0.5, abs=0.001)
    assert Evidence(0, 0, 0, -20, by_pieces=-1.5).sound == pytest.approx(0.95, abs=0.003)


@pytest.mark.parametrize("seed", [910142, 420194])
def test_a_turn_is_a_doubt_where_similar_colours_hide_it(seed: int) -> None:
    """One or two stickers show it, whose costs are about the same in both colours."""
    shown = shown_cube(Mistake.LAYER_6, seed, held_out=True)
    result = read_cube(shown.rgb)
    assert result.facelets != shown.truth
    assert result.verdict is Verdict.DOUBTFUL


TURNED_IN_UNEVEN_LIGHT = (  # 54 sRGB colours; a layer was turned between two of the pictures
    "194294cdded6d2dbd8e06413dbd9dd1f8a45e8854de1eae3b92728"
    "2155adc42a27c02525f0de2cbd1e26e4e7d6e1d429e8cb25e1e3d0"
    "1589461b8a43e1d024ef721a139545c856571a4ba9f5e02ec02427"
    "d75f1610874914833c1855a8ded2271845a0149b4f1b53a5d5e8dd"
    "dddfd81f4699d2c324e0e0d3db65150e8a3fb72429dad7cfd3c824"
    "154997d65917dc6610d263141e479db42121d76215a91d21e5e7dc"
)


def test_a_turn_that_the_costs_make_unlikely_is_a_doubt_where_normal_distributions_see_it() -> None:
    rgb = np.array(list(bytes.fromhex(TURNED_IN_UNEVEN_LIGHT))).reshape(54, 3)
    assert read_cube(rgb).verdict is Verdict.DOUBTFUL


@pytest.mark.parametrize("seed", [700526, 700809, 700835])
def test_a_turn_that_one_normal_distribution_sees_alone_is_no_doubt(seed: int) -> None:
    shown = shown_cube(Mistake.NONE, seed, held_out=False)
    result = read_cube(shown.rgb)
    assert (result.facelets, result.verdict) == (shown.truth, Verdict.ACCEPTED)


def test_two_corners_exchanged_are_a_doubt_where_noise_hides_them() -> None:
    """Two red and orange stickers look like each other: with these it is a cube."""
    result = read_cube(named_case(Named.CORNERS, 910288, held_out=True).rgb)
    assert result.verdict is Verdict.DOUBTFUL


@pytest.mark.parametrize(
    ("kind", "seed", "held_out"),
    [
        (Named.CORNERS, 931052, True),
        (Named.CORNERS, 940623, True),
        (Named.CORNERS, 960047, True),
        (Named.EDGES, 900379, False),
    ],
)
def test_exchanged_pieces_are_a_doubt_by_colours_that_no_legal_cube_is_forced_upon(
    kind: Named, seed: int, held_out: bool
) -> None:
    result = read_cube(named_case(kind, seed, held_out=held_out).rgb)
    assert result.verdict is Verdict.DOUBTFUL


def test_a_turn_is_a_doubt_where_a_lamp_is_mirrored_in_the_sticker_that_shows_it() -> None:
    """A blue sticker with white over it: grey, as a white one in the shade is bluish."""
    shown = shown_cube(Mistake.LAYER_5, 990108, held_out=True)
    result, _ = read_shown(shown.colours, times=np.arange(6.0)[None, :, None].repeat(2, axis=2))
    assert result.verdict is Verdict.DOUBTFUL


def one_odd_sticker(own: float, least_other: float) -> tuple[SeenLooks, SeenLooks]:
    """Return looks as seen and by a normal distribution; sticker 0 is odd in both of them."""
    facelets = format_facelets(SCRAMBLED)
    as_seen, normal = one_look(facelets), one_look(facelets)
    normal.costs[0, 0] = 40.0
    normal.costs[0, 0, as_colours(facelets)[0]] = own
    as_seen.costs[0, 0] = least_other
    as_seen.costs[0, 0, as_colours(facelets)[0]] = 10.0
    return as_seen, normal


@pytest.mark.parametrize(
    ("own", "least_other", "is_as_seen"),
    [
        (6.1, 13.4, True),
        (6.1, 13.6, False),  # a deep red one is odd as well
        (5.9, 13.4, False),  # as noise has them
    ],
)
def test_normal_distributions_are_not_asked_about_a_sticker_with_a_lamp_in_it(
    own: float, least_other: float, is_as_seen: bool
) -> None:
    as_seen, normal = one_odd_sticker(own, least_other)
    other = one_look(format_facelets(SCRAMBLED))
    cube = as_colours(format_facelets(SCRAMBLED))
    looks = [normal, other]
    for before, after in zip(looks, with_lamps(looks, as_seen, cube), strict=True):
        expected = as_seen if is_as_seen else before
        assert np.array_equal(after.costs[0, 0], expected.costs[0, 0])
        assert np.array_equal(after.costs[0, 1:], before.costs[0, 1:])


@pytest.mark.parametrize("seed", [18, 130])
def test_normal_distributions_do_not_decide_where_a_lamp_is_mirrored(seed: int) -> None:
    facelets = format_facelets(random_state(seed))
    rng = np.random.default_rng([seed, 79])
    rgb = seen(facelets, palettes(held_out=False)[0], GLARING, rng)
    result = read_cube(rgb)
    assert (result.facelets, result.verdict) == (facelets, Verdict.ACCEPTED)


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
