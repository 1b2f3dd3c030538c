"""The tour that shows all faces, and which stickers each of its looks sees."""

import numpy as np
import pytest
from msgspec.structs import replace

from controller.motion.cost_model import price_all
from controller.motion.cube_orientation import orientation_after
from controller.motion.primitives import Spin, Tilt
from controller.rigs.nxt_cradle.calibration.values import Seconds
from controller.vision.scan_tour import cheapest_tour
from controller.vision.viewing import facelets_in_picture, lying_facelets
from solvers.rubik.rotations import UPRIGHT, Face, all_orientations

COSTS = Seconds(tilt=1.6, spin=(0.7, 1.2, 1.2), turn=(1.0, 1.5, 1.5))


def seconds(costs: Seconds, motions: list[Tilt | Spin]) -> float:
    return price_all(costs, motions)


@pytest.mark.parametrize("start", all_orientations()[::5])
def test_a_tour_shows_every_face_once(start: object) -> None:
    stops = cheapest_tour(COSTS, start)  # type: ignore[arg-type]
    assert sorted(stop.orientation[Face.U] for stop in stops) == list(Face)
    lie = start
    for stop in stops:
        for motion in stop.motions:
            lie = orientation_after(lie, motion)  # type: ignore[arg-type]
        assert lie == stop.orientation


def test_five_tilts_and_two_spins_are_cheapest() -> None:
    motions = [motion for stop in cheapest_tour(COSTS) for motion in stop.motions]
    assert sum(isinstance(motion, Tilt) for motion in motions) == 5
    assert seconds(COSTS, motions) == pytest.approx(5 * 1.6 + 2 * 0.7)


def test_dear_spins_are_avoided() -> None:
    dear = replace(COSTS, spin=(9.0, 9.0, 9.0))
    motions = [motion for stop in cheapest_tour(dear) for motion in stop.motions]
    assert sum(isinstance(motion, Spin) for motion in motions) == 1


def test_a_second_tour_shows_each_face_turned_differently() -> None:
    first = cheapest_tour(COSTS)
    shown = [stop.orientation for stop in first]
    second = cheapest_tour(COSTS, shown[-1], avoided=shown)
    assert sorted(stop.orientation[Face.U] for stop in second) == list(Face)
    assert not {stop.orientation for stop in second} & set(shown)


def test_the_upright_cube_is_seen_as_it_is() -> None:
    assert lying_facelets(UPRIGHT).tolist() == list(range(54))
    assert facelets_in_picture(UPRIGHT).tolist() == list(range(9))


@pytest.mark.parametrize("orientation", all_orientations())
def test_lying_stickers_are_all_stickers(orientation: object) -> None:
    order = lying_facelets(orientation)  # type: ignore[arg-type]
    assert np.sort(order).tolist() == list(range(54))


def test_after_a_tilt_the_back_face_is_seen_with_the_lower_edge_up() -> None:
    tilted = orientation_after(UPRIGHT, Tilt())
    # B lies up now, D at the back: B's row next to D is at the top of the picture.
    assert facelets_in_picture(tilted).tolist() == [53, 52, 51, 50, 49, 48, 47, 46, 45]


def test_after_a_spin_the_right_face_has_come_to_the_front() -> None:
    spun = orientation_after(UPRIGHT, Spin(1))
    lying = lying_facelets(spun)
    assert lying[18:27].tolist() == list(range(9, 18))
    # Seen from above U has turned clockwise: its left column is now at the back.
    assert lying[:3].tolist() == [6, 3, 0]
