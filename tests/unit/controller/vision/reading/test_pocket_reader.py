"""2x2x2 cubes from six faces without centres."""

import numpy as np
import pytest

from controller.vision.errors import InvalidScanError
from controller.vision.reading import pocket_reader
from controller.vision.reading.colour_model import linear_light
from controller.vision.reading.pocket_reader import (
    AMBIGUOUS,
    DARK,
    MIRRORED_CELLS,
    MIRRORED_IN_ORDER_TOO,
    MIRRORED_TOO,
    NAMED_OTHERWISE,
    NO_CUBE,
    grouped,
    read_pocket_shown,
)
from controller.vision.reading.result import Verdict
from controller.vision.reading.scheme import USUAL_SCHEME
from controller.vision.reading.shown_reader import MIRRORED, UNKNOWN_HANDEDNESS, Viewing
from controller.vision.reading_order import turned_orders
from solvers.foundation.arrays import Float64Array
from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.facelets import FACE_LETTERS
from solvers.rubik.notation import Move
from solvers.rubik.pocket import pocket_stickers, read_pocket
from solvers.rubik.rotations import Face
from solvers.rubik.scramble import random_state
from tests.benchmarks.bench_mistakes import is_pocket
from tests.eyes.mistakes import GUIDE_ORDER, shown_pocket, twisted_corner
from tests.vision_data import painted_pocket, real_pocket_scans, srgb_of_light

TURN = Move.of(Face.F, 1)


def faces_of(cube: CubieCube, seed: int = 0) -> Float64Array:
    return painted_pocket(pocket_stickers(cube), seed=seed)


def in_colours(stickers: str, scheme: str = USUAL_SCHEME) -> str:
    return stickers.translate(str.maketrans(FACE_LETTERS, scheme))


def test_faces_in_any_order_and_rotation_are_read() -> None:
    """But for one of these cubes, whose faces fit together in another way as well."""
    accepted = 0
    for seed in range(6):
        rng = np.random.default_rng([seed, 1])
        cube = random_state(seed)
        faces = faces_of(cube, seed)[rng.permutation(6)]
        turned = np.array([face[turned_orders(2)[rng.integers(4)]] for face in faces])
        reading = read_pocket_shown(turned)
        if reading.verdict is Verdict.ACCEPTED:
            accepted += 1
            truth = read_pocket(in_colours(pocket_stickers(cube)))
            assert reading.cube is not None
            assert reading.cube.held_like(truth).position == truth.position
        else:
            assert reading.reasons == (AMBIGUOUS,)
    assert accepted >= 5


def test_faces_as_they_are_asked_for_keep_their_places() -> None:
    letters = pocket_stickers(random_state(1))
    reading = read_pocket_shown(painted_pocket(letters))
    assert reading.stickers == in_colours(letters)
    assert reading.as_json()["size"] == 2


@pytest.mark.parametrize("order", [range(6), GUIDE_ORDER])
def test_a_solved_cube_is_read(order: tuple[int, ...]) -> None:
    reading = read_pocket_shown(faces_of(SOLVED)[list(order)])
    assert reading.verdict is Verdict.ACCEPTED
    assert reading.cube is not None
    assert reading.cube.position == SOLVED


def test_a_twisted_corner_is_named() -> None:
    twisted = twisted_corner(np.random.default_rng(2), random_state(2))
    reading = read_pocket_shown(faces_of(twisted))
    assert reading.cube is None
    assert reading.verdict is Verdict.RESCAN
    assert "twisted" in reading.reasons[0]


@pytest.mark.parametrize("seed", range(8))
def test_a_layer_that_is_turned_in_between_makes_no_cube(seed: int) -> None:
    cube = random_state(seed + 50)
    faces, after = faces_of(cube), faces_of(cube.apply([TURN]))
    faces[[0, 4]] = after[[0, 4]]  # two of the four that the turn changes
    reading = read_pocket_shown(faces)
    assert reading.verdict is not Verdict.ACCEPTED
    assert reading.reasons


def test_mirrored_pictures_are_noticed_and_read_when_said() -> None:
    letters = pocket_stickers(random_state(3))
    mirrored = painted_pocket(letters)[:, MIRRORED_CELLS]
    assert read_pocket_shown(mirrored).reasons == (MIRRORED,)
    said = read_pocket_shown(mirrored, Viewing(mirrored=True))
    assert (said.stickers, said.verdict) == (in_colours(letters), Verdict.ACCEPTED)


@pytest.mark.parametrize(
    ("seed", "reason", "otherwise"),
    [(15, MIRRORED_TOO, ()), (152, MIRRORED, (DARK,)), (169, MIRRORED_TOO, (DARK,))],
)
def test_mirrored_pictures_that_fit_together_unmirrored_are_not_accepted(
    seed: int, reason: str, otherwise: tuple[str, ...]
) -> None:
    """By coincidence, in an order that was not asked for; the last one in the mirror worse."""
    shown = shown_pocket(seed, is_mirrored=True, held_out=False)
    reading = read_pocket_shown(shown.colours)
    assert reading.verdict is Verdict.DOUBTFUL
    assert reading.reasons == (reason,)
    assert read_pocket_shown(shown.colours, Viewing(mirrored=False)).reasons == otherwise


def test_faces_that_make_a_cube_in_order_both_ways_need_the_camera_to_be_known() -> None:
    shown = shown_pocket(140017, is_mirrored=True, held_out=True)
    assert read_pocket_shown(shown.colours).reasons == (MIRRORED_IN_ORDER_TOO,)
    said = read_pocket_shown(shown.colours, Viewing(mirrored=True))
    assert said.verdict is Verdict.ACCEPTED
    assert is_pocket(said, shown.truth)
    assert read_pocket_shown(shown.colours, Viewing(mirrored=False)).verdict is Verdict.ACCEPTED


@pytest.mark.parametrize(("seed", "is_mirrored"), [(451, False), (277, True)])
def test_unusual_colours_whose_names_are_unsure_are_not_accepted(
    seed: int, is_mirrored: bool
) -> None:
    """With the likeliest names the faces fit by coincidence, to another cube."""
    shown = shown_pocket(seed, is_mirrored=is_mirrored, held_out=False)
    reading = read_pocket_shown(shown.colours)
    assert (reading.verdict, reading.reasons) == (Verdict.DOUBTFUL, (UNKNOWN_HANDEDNESS,))


def test_with_other_likely_names_the_faces_must_not_fit_as_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = shown_pocket(451, is_mirrored=False, held_out=False)
    monkeypatch.setattr(pocket_reader, "NO_FARTHER_MIRROR", 1.0)
    assert read_pocket_shown(shown.colours).reasons == (NAMED_OTHERWISE,)
    monkeypatch.setattr(pocket_reader, "FARTHEST_NAMES", 1.0)
    assert read_pocket_shown(shown.colours).verdict is Verdict.ACCEPTED


def test_a_cube_in_the_dark_is_accepted_only_as_it_was_asked_for() -> None:
    rng = np.random.default_rng(3)
    faces = faces_of(random_state(1))
    dark = srgb_of_light(linear_light(faces.reshape(24, 3)) * 0.3).reshape(6, 4, 3)
    assert read_pocket_shown(dark).verdict is Verdict.ACCEPTED
    turned = dark[rng.permutation(6)]
    bright = faces[np.random.default_rng(3).permutation(6)]
    assert read_pocket_shown(bright).verdict is Verdict.ACCEPTED
    assert read_pocket_shown(turned).reasons == (DARK,)


def test_a_cube_in_the_dark_that_fits_in_an_order_not_asked_for_is_doubted() -> None:
    shown = shown_pocket(33, is_mirrored=False, held_out=False)
    assert read_pocket_shown(shown.colours).verdict is Verdict.DOUBTFUL


def test_another_colour_scheme_is_read_when_said() -> None:
    letters = pocket_stickers(random_state(4))
    swapped = letters.translate(str.maketrans("RL", "LR"))
    faces = painted_pocket(swapped)
    assert read_pocket_shown(faces).verdict is not Verdict.ACCEPTED
    said = read_pocket_shown(faces, Viewing(scheme="WOGYRB"))
    assert (said.stickers, said.verdict) == (in_colours(letters, "WOGYRB"), Verdict.ACCEPTED)


def test_a_face_shown_twice_makes_no_cube() -> None:
    faces = faces_of(random_state(5))
    faces[3] = faces[1]
    reading = read_pocket_shown(faces)
    assert reading.verdict is not Verdict.ACCEPTED


def test_faces_that_fit_in_several_ways_are_asked_for_in_order() -> None:
    """One turn from solved, four faces have two colours each and fit elsewhere as well."""
    faces = faces_of(SOLVED.apply([TURN]))
    shuffled = faces[[4, 0, 2, 5, 1, 3]]
    shuffled = np.array(
        [face[turned_orders(2)[number % 4]] for number, face in enumerate(shuffled)]
    )
    reading = read_pocket_shown(shuffled)
    if reading.verdict is Verdict.ACCEPTED:
        assert reading.cube is not None
        truth = read_pocket(in_colours(pocket_stickers(SOLVED.apply([TURN]))))
        assert reading.cube.held_like(truth).position == truth.position
    else:
        assert reading.reasons[0] in (AMBIGUOUS, NO_CUBE)
    assert read_pocket_shown(faces).verdict is Verdict.ACCEPTED


def test_real_cubes_are_read_as_a_person_sees_them_or_refused() -> None:
    accepted = 0
    for scan in real_pocket_scans():
        reading = read_pocket_shown(np.array(scan.rgb).reshape(6, 4, 3))
        if reading.verdict is Verdict.ACCEPTED:
            accepted += 1
            assert sorted(necklaces(reading.stickers)) == sorted(necklaces(scan.seen)), scan.name
    assert accepted >= 3


def necklaces(stickers: str) -> list[str]:
    """Return the faces, each turned so that it sorts first."""
    faces = [stickers[start : start + 4] for start in range(0, 24, 4)]
    return [
        min("".join(face[cell] for cell in order) for order in turned_orders(2)) for face in faces
    ]


def test_stickers_are_grouped_by_colour_without_names() -> None:
    letters = pocket_stickers(random_state(6))
    groups = grouped(painted_pocket(letters).reshape(24, 3))
    assert len(set(zip(letters, groups.tolist(), strict=True))) == 6


def test_other_shapes_are_refused() -> None:
    with pytest.raises(InvalidScanError, match="six faces"):
        read_pocket_shown(np.zeros((6, 9, 3)))
