"""The tour that shows all faces."""

import pytest
from msgspec.structs import replace

from controller.motion.cost_model import price_all
from controller.motion.cube_orientation import orientation_after
from controller.motion.primitives import Spin, Tilt
from controller.rigs.nxt_cradle.calibration.values import Seconds
from controller.vision.scans.tour import cheapest_tour
from solvers.rubik.rotations import Face, Orientation, all_orientations

COSTS = Seconds(tilt=1.6, spin=(0.7, 1.2, 1.2), turn=(1.0, 1.5, 1.5))


def seconds(costs: Seconds, motions: list[Tilt | Spin]) -> float:
    return price_all(costs, motions)


@pytest.mark.parametrize("start", all_orientations()[::5])
def test_a_tour_shows_every_face_once(start: Orientation) -> None:
    stops = cheapest_tour(COSTS, start)
    assert sorted(stop.orientation[Face.U] for stop in stops) == list(Face)
    lie = start
    for stop in stops:
        for motion in stop.motions:
            lie = orientation_after(lie, motion)
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
