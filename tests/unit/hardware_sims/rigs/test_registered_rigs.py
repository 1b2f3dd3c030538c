"""What the simulator asks of every registered rig."""

import json

import msgspec
import pytest

from hardware_sims.clock import VirtualClock
from hardware_sims.errors import InvalidScenarioError
from hardware_sims.nxt_brick.brick import SimulatedBrick
from hardware_sims.rigs.cubes import CradledCube
from hardware_sims.rigs.registry import RIGS, RigModel, get_model
from solvers.rubik.facelets import parse_facelets
from solvers.rubik.scramble import random_state


@pytest.fixture(params=list(RIGS))
def model(request: pytest.FixtureRequest) -> RigModel:
    return get_model(request.param)


def test_it_holds_the_cube_it_was_built_with(model: RigModel) -> None:
    rig = model.build(CradledCube(random_state(4)))
    assert rig.facelets == CradledCube(random_state(4)).facelets
    assert parse_facelets(rig.facelets) == rig.cube.cube


def test_its_result_is_json_and_says_whether_the_cube_is_solved(model: RigModel) -> None:
    solved, other = model.build().result(), model.build(CradledCube(random_state(4))).result()
    assert json.loads(json.dumps(solved)) == solved
    assert (solved["solved"], other["solved"]) == (True, False)
    assert solved["jams"] == []


def test_its_faults_file_is_optional_in_every_key(model: RigModel) -> None:
    assert "seed" in model.faults.__struct_fields__
    empty = msgspec.toml.decode("", type=model.faults)
    model.build(faults=empty)


def test_its_motors_turn_and_its_sensors_are_plugged_in(model: RigModel) -> None:
    clock = VirtualClock()
    rig = model.build()
    brick = SimulatedBrick(clock, rig)
    assert brick.machine.sensors == rig.sensors
    brick.handle(bytes.fromhex("80 04 00 14 01 00 00 20 00 00 00 00"))
    clock.sleep(0.5)
    brick.advance()
    assert brick.machine.outputs.io_map["tacho_count"][0] > 5


def test_it_stands_as_it_stood_when_its_brick_is_switched_on_again(model: RigModel) -> None:
    clock = VirtualClock()
    rig = model.build()
    brick = SimulatedBrick(clock, rig)
    brick.handle(bytes.fromhex("80 04 00 14 01 00 00 20 00 00 00 00"))
    clock.sleep(0.3)
    brick.advance()
    facelets = rig.facelets
    again = SimulatedBrick(clock, rig)
    clock.sleep(0.3)
    again.advance()
    assert again.machine.outputs.io_map["tacho_count"][0] == 0
    assert rig.facelets == facelets


def test_a_camera_of_a_strange_level_is_refused(model: RigModel) -> None:
    with pytest.raises(InvalidScenarioError):
        model.camera("17")
