"""The 24 orientations of the whole cube."""

import pytest

from solvers.rubik.rotations import UPRIGHT, Face, Orientation, X, Y, Z, all_orientations


def test_there_are_24_and_they_form_a_group() -> None:
    orientations = all_orientations()
    assert len(orientations) == len(set(orientations)) == 24
    assert orientations[0] == UPRIGHT
    for first in orientations:
        assert first.then(first.inverse()) == UPRIGHT
        for second in orientations:
            assert first.then(second) in orientations


def test_opposite_faces_stay_opposite() -> None:
    for orientation in all_orientations():
        for place in Face:
            assert orientation[place.opposite] == orientation[place].opposite


@pytest.mark.parametrize(
    ("rotation", "place", "face"), [(X, Face.U, Face.F), (Y, Face.F, Face.R), (Z, Face.R, Face.U)]
)
def test_rotations_turn_with_their_face(rotation: Orientation, place: Face, face: Face) -> None:
    assert rotation[place] == face
    assert rotation.place_of(face) == place
    assert rotation.then(rotation).then(rotation).then(rotation) == UPRIGHT


def test_rotations_are_about_the_axes_of_the_room() -> None:
    # x brings F to the top and D to the front; y then brings the face at R, still R, to the front.
    assert X.then(Y)[Face.F] == Face.R
    assert X.then(Y)[Face.U] == Face.F
