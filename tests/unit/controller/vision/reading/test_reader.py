"""Reading whole cubes: real scans, changing light, broken scans, corrections by hand."""

from typing import Any

import numpy as np
import pytest

from controller.vision.errors import ImpossibleFixError, InvalidScanError
from controller.vision.reading import explanation
from controller.vision.reading.colour_model import linear_light
from controller.vision.reading.reader import ACCEPTED_CONFIDENCE, read_cube
from controller.vision.reading.result import Verdict
from controller.vision.reading_order import QUARTER_TURNED
from solvers.foundation.arrays import Float64Array
from solvers.rubik.facelets import FACE_LETTERS, format_facelets
from solvers.rubik.scramble import random_state
from tests.eyes.mistakes import Mistake, shown_cube
from tests.vision_data import painted, real_scans, srgb_of_light

SCRAMBLED = format_facelets(random_state(1))


def test_all_labelled_real_scans_are_read_and_most_accepted() -> None:
    labelled = [scan for scan in real_scans() if scan.truth]
    results = [(scan, read_cube(scan.rgb)) for scan in labelled]
    assert len(labelled) == 25
    assert [scan.name for scan, result in results if result.facelets != scan.truth] == []
    assert sum(result.verdict is Verdict.ACCEPTED for _, result in results) >= 22


def test_the_broken_real_scan_is_refused_and_its_face_named() -> None:
    [broken] = [scan for scan in real_scans() if not scan.truth]
    result = read_cube(broken.rgb)
    assert result.verdict is Verdict.RESCAN
    assert "face F" in " ".join(result.reasons)  # its grid lies one row off there


@pytest.mark.parametrize("seed", range(8))
def test_a_clean_scan_is_read_and_accepted(seed: int) -> None:
    facelets = format_facelets(random_state(seed))
    result = read_cube(painted(facelets, seed=seed))
    assert result.facelets == facelets
    assert result.verdict is Verdict.ACCEPTED
    assert result.confidence >= ACCEPTED_CONFIDENCE
    assert not result.doubtful
    assert not result.reasons
    assert result.cube.is_solved is False


def test_a_solved_cube_is_seen_to_be_solved() -> None:
    solved = "".join(letter * 9 for letter in FACE_LETTERS)
    result = read_cube(painted(solved))
    assert (result.facelets, result.verdict) == (solved, Verdict.ACCEPTED)
    assert result.cube.is_solved


@pytest.mark.parametrize("gain", [0.1, 0.4, 1.6])
def test_more_or_less_light_changes_nothing(gain: float) -> None:
    dim = srgb_of_light(linear_light(painted(SCRAMBLED)) * 0.5)
    result = read_cube(srgb_of_light(linear_light(dim) * gain))
    assert result.facelets == SCRAMBLED
    assert result.confidence == pytest.approx(read_cube(dim).confidence, abs=1e-3)


@pytest.mark.parametrize("balance", [(1.0, 0.75, 0.45), (0.5, 0.7, 1.0), (0.8, 1.0, 0.8)])
def test_the_colour_of_the_light_changes_nothing(balance: tuple[float, float, float]) -> None:
    light = linear_light(painted(SCRAMBLED))
    result = read_cube(srgb_of_light(light * np.array(balance)))
    assert result.facelets == SCRAMBLED
    assert result.verdict is Verdict.ACCEPTED


def test_colours_have_no_names() -> None:
    """Any colour scheme: exchanging channels is another cube with the same letters."""
    result = read_cube(painted(SCRAMBLED)[:, [2, 0, 1]])
    assert result.facelets == SCRAMBLED


@pytest.mark.parametrize("face", range(6))
@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_turned_face_is_refused_and_named(face: int, turns: int) -> None:
    faces = painted(SCRAMBLED).reshape(6, 9, 3)
    for _ in range(turns):
        faces[face] = faces[face][QUARTER_TURNED]
    result = read_cube(faces.reshape(54, 3))
    assert result.verdict is Verdict.RESCAN
    assert f"Face {FACE_LETTERS[face]} fits if its picture is turned" in result.reasons[0]


def test_exchanged_faces_are_refused_and_named() -> None:
    faces = painted(SCRAMBLED).reshape(6, 9, 3)
    faces[[1, 2]] = faces[[2, 1]]
    result = read_cube(faces.reshape(54, 3))
    assert result.verdict is Verdict.RESCAN
    assert "R and F" in result.reasons[0]


def test_a_face_shown_twice_is_refused_and_named() -> None:
    faces = painted(SCRAMBLED).reshape(6, 9, 3)
    faces[5] = faces[1][QUARTER_TURNED]
    result = read_cube(faces.reshape(54, 3))
    assert result.verdict is Verdict.RESCAN
    assert "R and B" in result.reasons[0]


def test_a_mirrored_picture_is_refused() -> None:
    mirrored = painted(SCRAMBLED).reshape(6, 3, 3, 3)[:, :, ::-1]
    result = read_cube(mirrored.reshape(54, 3))
    assert result.verdict is Verdict.RESCAN
    assert "mirror images" in result.reasons[0]


def two_alike_stickers() -> Float64Array:
    """Return a scan in which red and orange look almost the same."""
    rgb = painted(SCRAMBLED, noise=3.0)
    letters = np.array(list(SCRAMBLED))
    rgb[letters == "L"] = rgb[letters == "R"] + np.random.default_rng(5).normal(0, 9, (9, 3)) + 4
    return np.clip(rgb, 0, 255)


def test_stickers_that_look_alike_are_doubtful_and_named() -> None:
    result = read_cube(two_alike_stickers())
    assert result.verdict is not Verdict.ACCEPTED
    assert result.confidence < ACCEPTED_CONFIDENCE
    assert result.doubtful
    letters = {SCRAMBLED[9 * FACE_LETTERS.index(n[0]) + int(n[1]) - 1] for n in result.doubtful}
    assert letters <= {"L", "R"}
    assert result.doubtful[0][0] in result.reasons[0]


def test_a_mistake_is_looked_for_once_and_only_when_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Float64Array] = []

    def explain(costs: Float64Array, *_: object, **__: object) -> str:
        asked.append(costs)
        return "Why."

    monkeypatch.setattr(explanation, "explain", explain)
    result = read_cube(two_alike_stickers())
    assert not asked
    assert result.reasons[-1] == "If another look changes nothing: Why."
    assert result.reasons == result.reasons
    assert len(asked) == 1


def test_glares_on_the_centres_are_noticed() -> None:
    """Turning the colours over like a whole cube gives a legal cube too; only centres tell."""
    rgb = painted(SCRAMBLED, noise=2.0)
    white = np.array([235.0, 235.0, 235.0])
    rgb[4::9] = 0.06 * rgb[4::9] + 0.94 * white
    result = read_cube(rgb)
    assert result.verdict is not Verdict.ACCEPTED
    assert result.confidence < ACCEPTED_CONFIDENCE
    assert {name[1] for name in result.doubtful} == {"5"}
    assert "centre" in result.reasons[0]


def test_a_centre_that_no_other_colour_comes_near_to_is_trusted() -> None:
    shown = shown_cube(Mistake.NONE, 400066, held_out=True)
    result = read_cube(shown.rgb)
    assert (result.facelets, result.verdict) == (shown.truth, Verdict.ACCEPTED)


def test_corrections_are_certain_and_the_rest_is_read_again() -> None:
    rgb = two_alike_stickers()
    before = read_cube(rgb)
    index = {f"{FACE_LETTERS[i // 9]}{i % 9 + 1}": i for i in range(54)}
    corrections = {index[name]: SCRAMBLED[index[name]] for name in before.doubtful}
    after = read_cube(rgb, corrections)
    assert after.confidence > before.confidence
    for facelet, letter in corrections.items():
        assert after.facelets[facelet] == letter
        assert after.posteriors[facelet, FACE_LETTERS.index(letter)] == pytest.approx(1)


def test_corrections_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(ImpossibleFixError, match="U9=F"):
        read_cube(painted(SCRAMBLED), {8: "F", 9: "F"})  # two stickers of one corner


def test_a_second_look_makes_a_reading_more_certain() -> None:
    first, second = (painted(SCRAMBLED, noise=28.0, seed=seed) for seed in (3, 4))
    both = read_cube(np.stack([first, second]))
    assert both.facelets == SCRAMBLED
    assert both.confidence > max(read_cube(first).confidence, read_cube(second).confidence)


def test_the_same_look_twice_makes_a_reading_no_more_certain() -> None:
    first, second = (painted(SCRAMBLED, noise=28.0, seed=seed) for seed in (3, 4))
    once = read_cube(first).confidence
    assert read_cube(np.stack([first, first])).confidence == pytest.approx(once)
    face_again = first.copy()
    face_again[:9] = second[:9]
    costs = [read_cube(looks).posteriors for looks in (first, np.stack([first, face_again]))]
    assert not np.allclose(costs[0][:9], costs[1][:9])


@pytest.mark.parametrize("in_light", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_lamps_mirrored_in_stickers_and_centres_are_no_doubt(seed: int, in_light: bool) -> None:
    """White is added to light; where a camera compresses what is bright, almost to its codes."""
    facelets = format_facelets(random_state(seed))
    rgb = painted(facelets, seed=seed)
    rng = np.random.default_rng(seed)
    covered = np.append(rng.choice(54, 14, replace=False), 9 * seed + 4)
    share = rng.uniform(0.15, 0.7, (len(covered), 1))
    if in_light:
        light = (1 - share**2) * linear_light(rgb[covered]) + share**2
        rgb[covered] = srgb_of_light(light)
    else:
        rgb[covered] = (1 - share) * rgb[covered] + share * 255
    result = read_cube(rgb)
    assert (result.facelets, result.verdict) == (facelets, Verdict.ACCEPTED)


@pytest.mark.parametrize(
    "rgb", [[[1, 2, 3]] * 53, [["red"] * 3] * 54, [[0, 0, 300]] * 54, [[0, 0, float("nan")]] * 54]
)
def test_what_is_no_scan_is_refused(rgb: Any) -> None:
    with pytest.raises(InvalidScanError):
        read_cube(rgb)


def test_54_equal_colours_are_a_broken_scan() -> None:
    assert read_cube([[0, 0, 0]] * 54).verdict is Verdict.RESCAN
