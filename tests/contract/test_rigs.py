"""What every registered rig keeps to: each is driven on its simulated machine.

A further rig needs a line in `ROBOTS`; without one the first test fails.
"""

import json
from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest

from controller.errors import InvalidAddressError, InvalidJournalError
from controller.motion.journal import read_journal
from controller.motion.primitives import HOME, AfterView, Primitive, Spin, Tilt, TurnLayer
from controller.motion.virtual_cube import VirtualCube
from controller.rigs.registry import RIGS, get_drive, get_rig
from solvers.foundation.errors import InvalidInputError
from solvers.rubik.cubies import SOLVED
from tests.mindcuber_robot import VirtualMindCuber
from tests.virtual_robot import VirtualRobot, turned

ROBOTS: Final[Mapping[str, Callable[..., VirtualRobot]]] = {
    "nxt-cradle": VirtualRobot,
    "mindcuber": VirtualMindCuber,
}
PRIMITIVES: Final[tuple[Primitive, ...]] = (
    Tilt(),
    *(Spin(quarters) for quarters in (-2, -1, 1, 2)),
    *(TurnLayer(quarters) for quarters in (-2, -1, 1, 2)),
)

on_each = pytest.mark.parametrize("name", list(RIGS))


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "run.journal"


def test_each_registered_rig_is_tested() -> None:
    assert set(ROBOTS) == set(RIGS)


@on_each
def test_its_drives_and_addresses_are_checked_by_name(name: str) -> None:
    rig = get_rig(name)
    assert get_drive(rig, None) == rig.drives[0]
    with pytest.raises(InvalidInputError, match=rig.drives[0]):
        get_drive(rig, "by hand")
    with pytest.raises(InvalidAddressError):
        rig.check_address("nonsense:")


@on_each
def test_every_primitive_has_a_price_after_every_other(name: str) -> None:
    costs = get_rig(name).setup().costs
    assert hash(costs) == hash(get_rig(name).setup().costs)
    for primitive, before in product(PRIMITIVES, PRIMITIVES):
        assert costs.price(primitive, None) > 0
        assert costs.price(primitive, before) > 0


@on_each
def test_a_setup_goes_through_a_journal_as_json(name: str) -> None:
    setup = get_rig(name).setup()
    data = json.loads(json.dumps(setup.data))
    again = get_rig(name).setup_from(data, "The journal")
    assert again.data == setup.data
    assert again.costs == setup.costs
    with pytest.raises(InvalidJournalError, match="The journal"):
        get_rig(name).setup_from({**data, "nonsense": 1}, "The journal")


@on_each
def test_it_solves_and_lets_its_motors_go(name: str, journal: Path) -> None:
    robot = ROBOTS[name](turned(1, 4), journal)
    robot.run()
    assert robot.rig.is_solved
    assert robot.rig.jams == []
    assert robot.motors_are_idle
    assert read_journal(journal)[0].is_complete


@on_each
@pytest.mark.parametrize("view_s", [0.4, 5.0])
def test_a_cube_rests_while_it_is_viewed(name: str, view_s: float, journal: Path) -> None:
    """However long that takes: the brick lets its motors go meanwhile."""
    robot = ROBOTS[name](SOLVED, journal)
    primitives: list[Primitive] = [Tilt(), Tilt(), Spin(1), Tilt(), TurnLayer(1), Tilt(), Spin(-1)]
    cube = VirtualCube(SOLVED)
    with robot.mechanism() as mechanism:
        mechanism.set_home()
        for index, primitive in enumerate(primitives[:-1]):
            then: AfterView = HOME if index == 3 else primitives[index + 1]
            mechanism.perform(primitive, then=then)
            cube = cube.after(primitive)
            for wait_s in (0.0, view_s):
                robot.clock.sleep(wait_s)
                robot.brick.advance()
                assert robot.rig.pose.phase == "seated"
                assert robot.rig.cube.cube == cube.position
                assert robot.rig.cube.orientation == cube.orientation
        mechanism.perform(primitives[-1])
        mechanism.release()
    assert robot.rig.cube.cube == cube.after(primitives[-1]).position
    assert robot.rig.jams == []


@on_each
def test_states_are_json_and_are_restored(name: str, journal: Path) -> None:
    robot = ROBOTS[name](SOLVED, journal)
    states: list[Any] = []
    with robot.mechanism() as mechanism:
        mechanism.set_home()
        for primitive in (Tilt(), TurnLayer(1)):
            mechanism.perform(primitive, on_state=states.append)
        mechanism.release()
        after = json.loads(json.dumps(mechanism.state))
    assert states
    assert json.dumps(states)
    with robot.mechanism() as mechanism:
        assert mechanism.restore(after)
        assert json.loads(json.dumps(mechanism.state)) == after
        settled = mechanism.settle(after, [Tilt()])
        assert (settled.states, settled.is_within) == ((), False)
        mechanism.perform(TurnLayer(-1))
        for _ in range(3):
            mechanism.perform(Tilt())
        mechanism.release()
    assert robot.rig.is_solved
    assert robot.rig.jams == []


@on_each
def test_the_state_of_another_rig_is_refused(name: str, journal: Path) -> None:
    robot = ROBOTS[name](SOLVED, journal)
    with robot.mechanism() as mechanism, pytest.raises(InvalidJournalError):
        mechanism.restore({"nonsense": 1})


@on_each
def test_a_restarted_machine_says_that_it_has_lost_its_positions(name: str, journal: Path) -> None:
    robot = ROBOTS[name](SOLVED, journal)
    with robot.mechanism() as mechanism:
        mechanism.set_home()
        mechanism.perform(Tilt())
        mechanism.release()
        state = mechanism.state
    robot.reboot()
    with robot.mechanism() as mechanism:
        assert not mechanism.restore(state)


@on_each
def test_a_battery_is_read(name: str, journal: Path) -> None:
    robot = ROBOTS[name](SOLVED, journal)
    with robot.mechanism() as mechanism:
        battery = mechanism.battery()
    assert battery is not None
    assert 7 < battery.volts < 9
    assert not battery.is_low
