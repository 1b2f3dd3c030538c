"""Prices are measured by playing every primitive, and the cube is as before."""

import pytest

from controller.motion.planning.virtual_cube import VirtualCube
from controller.motion.primitives import Spin, Tilt, TurnLayer
from controller.rigs.dry_run import DryRunMechanism
from controller.rigs.nxt_cradle.calibration.measurement import OPEN_ROUND, ROUND, measure_seconds
from controller.rigs.nxt_cradle.calibration.values import Seconds
from solvers.foundation.clock import ImmediateClock
from solvers.foundation.progress import Progress, run_job
from solvers.rubik.cubies import SOLVED

PRICES = Seconds(tilt=1.25, spin=(0.5, 0.75, 1.5), turn=(1.0, 1.75, 2.5))


def test_the_prices_of_a_mechanism_come_out_again() -> None:
    clock = ImmediateClock()
    events: list[Progress] = []
    measured = run_job(
        measure_seconds(DryRunMechanism(PRICES, clock), clock, rounds=2), events.append
    )
    assert measured == PRICES
    assert [event.done for event in events] == list(range(2 * (len(ROUND) + len(OPEN_ROUND))))
    assert {event.total for event in events} == {len(events)}


def test_a_round_leaves_the_cube_as_it_was() -> None:
    for played in (ROUND, OPEN_ROUND):
        cube = VirtualCube(SOLVED).after_all(played)
        assert cube == VirtualCube(SOLVED)


@pytest.mark.parametrize("before", [Tilt(), Spin(2)])
def test_an_arm_that_is_open_already_saves_its_time(before: Tilt | Spin) -> None:
    saving = Seconds(1.25, (0.5, 0.75, 1.5), (1.0, 1.75, 2.5), open_arm_saving=0.25)
    assert saving.price(Tilt(), before) == 1.0
    assert saving.price(Spin(-3), before) == 1.25
    assert saving.price(TurnLayer(-2), before) == 1.75
    assert saving.price(Tilt(), TurnLayer(1)) == saving.price(Tilt(), None) == 1.25
