"""What MindCuber's colour sensor sees through the brick: stickers, plastic, light."""

import pytest

from hardware_sims.errors import InvalidScenarioError
from hardware_sims.rigs.cubes import CradledCube
from hardware_sims.rigs.mindcuber.faults import Build, Glare, MindCuberFaults
from hardware_sims.rigs.mindcuber.sight import COLOURS, NOTHING, WHITE_PLASTIC
from solvers.rubik.scramble import random_state
from tests.unit.hardware_sims.rigs.mindcuber.hand import (
    CENTRE,
    CORNER,
    EDGE,
    RELEASE,
    SENSOR,
    SENSOR_AWAY,
    TILT,
    Handler,
)

# The places of the upper face in the order in which they come below a sensor that reaches in from
# the back, while the table turns counter-clockwise: the back right corner first.
AROUND = (2, 5, 8, 7, 6, 3, 0, 1)
EIGHTH = 135


def named(colour: tuple[int, ...]) -> str:
    """Return the letter of the colour nearest to a reading."""

    def far(letter: str) -> int:
        return sum((a - b) ** 2 for a, b in zip(COLOURS[letter], colour, strict=True))

    return min(COLOURS, key=far)


def read_face(handler: Handler) -> str:
    """Read the upper face as its nine letters, turning the table by a full turn."""
    handler.switch_sensor_on()
    handler.turn_table(-10)
    seen = {4: named(handler.look(CENTRE))}
    for number, place in enumerate(AROUND):
        arm = CORNER if number % 2 == 0 else EDGE
        if number == 0:
            handler.turn_table(20)  # the cube follows when the play is taken up
        seen[place] = named(handler.look(arm, turned=EIGHTH))
    return "".join(seen[place] for place in range(9))


@pytest.mark.parametrize("seed", range(3))
def test_it_sees_the_nine_stickers_of_the_upper_face(seed: int) -> None:
    handler = Handler(CradledCube(random_state(seed)))
    face = handler.rig.cube.stickers[:9]
    assert read_face(handler) == face
    assert handler.jams == []


def test_what_a_program_reads_is_the_sticker_without_the_rooms_light() -> None:
    handler = Handler(faults=MindCuberFaults(rig=Build(light=1)))
    handler.switch_sensor_on()
    assert handler.look(CENTRE) == pytest.approx(COLOURS["U"], rel=0.06)


def test_between_two_stickers_it_sees_plastic() -> None:
    black = Handler()
    white = Handler(faults=MindCuberFaults(rig=Build(plastic="white")))
    between = (CENTRE + EDGE) // 2
    for handler in (black, white):
        handler.switch_sensor_on()
        handler.look(between)
    assert min(black.colour()) < 0.8 * COLOURS["U"][2]
    assert white.colour()[0] > 0.9 * WHITE_PLASTIC[0]


def test_away_from_the_cube_and_without_one_it_sees_nothing() -> None:
    handler = Handler()
    handler.switch_sensor_on()
    assert handler.look(SENSOR_AWAY) == pytest.approx(NOTHING, abs=6)
    handler.type("cube out")
    handler.wait(1.2)
    assert handler.look(CENTRE) == pytest.approx(NOTHING, abs=6)


def test_a_sensor_that_is_too_high_gets_less_light_back() -> None:
    high = Handler(faults=MindCuberFaults(rig=Build(high_mm=8)))
    high.switch_sensor_on()
    assert high.look(CENTRE)[0] == pytest.approx(COLOURS["U"][0] / 2, rel=0.1)


def test_a_sensor_that_reaches_too_far_sees_the_neighbour() -> None:
    far = Handler(CradledCube().tilted().bottom_turned(1), MindCuberFaults(rig=Build(offset_mm=9)))
    far.switch_sensor_on()
    usual = Handler(CradledCube().tilted().bottom_turned(1))
    usual.switch_sensor_on()
    assert far.look(CENTRE) != pytest.approx(usual.look(CENTRE), rel=0.1)


def test_glare_dazzles_it_at_one_sticker_only() -> None:
    # The sensor starts above the edge and passes it as it reaches in again; then it is the centre.
    handler = Handler(faults=MindCuberFaults(glare=(Glare(view=3, light=900),)))
    handler.switch_sensor_on()
    dazzled = handler.look(CENTRE)
    assert max(dazzled) < 200
    handler.move(SENSOR, SENSOR_AWAY)
    assert handler.look(CENTRE) == pytest.approx(COLOURS["U"], rel=0.06)


def test_in_worse_light_readings_of_one_sticker_differ_more() -> None:
    def spread(light: int) -> int:
        handler = Handler(faults=MindCuberFaults(seed=1, rig=Build(light=light)))  # type: ignore[arg-type]
        handler.switch_sensor_on()
        reds = []
        for _ in range(6):
            reds.append(handler.look(CENTRE)[0])
            handler.move(SENSOR, SENSOR_AWAY)
        return max(reds) - min(reds)

    assert spread(1) < spread(3)


def test_an_operator_cannot_set_what_it_sees() -> None:
    handler = Handler()
    with pytest.raises(InvalidScenarioError, match="up to the rig"):
        handler.type("set 3 5")
    with pytest.raises(InvalidScenarioError, match="up to the rig"):
        handler.type("set 2 20")


def test_a_sensor_that_is_plugged_in_instead_sees_what_it_is_told() -> None:
    handler = Handler()
    handler.type("plug 3:color=5")
    handler.switch_sensor_on()
    told = handler.look(CENTRE)
    assert told == handler.look(SENSOR_AWAY)
    assert handler.back(TILT) == pytest.approx(RELEASE, abs=2)
