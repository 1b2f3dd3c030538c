"""What a person does to the brick: words typed into the running simulator, one line each.

plug PORT:KIND[=VALUE]   put a sensor on port 1 to 4, of one of the kinds in `KINDS`
set PORT VALUE           press it, light it, speak into it, put something in front of it
unplug PORT
press BUTTON [SECONDS]   press the left, right, orange or grey button
stop                     press the grey button, which ends a program
on                       press the orange button, which switches on a brick that is off
cube in [SEED]           put the cube into the rig, or random cube number SEED
cube out                 take it out
"""

from collections.abc import Callable
from typing import Final, Protocol, runtime_checkable

from hardware_sims.errors import InvalidScenarioError
from hardware_sims.nxt_brick.brick import SimulatedBrick
from hardware_sims.nxt_brick.buttons import NAMES, SHORTEST_TICKS
from hardware_sims.nxt_brick.motors.state import TICK_S
from hardware_sims.nxt_brick.sensors.plugged_in import PORT_NUMBERS, parse_sensor, typed_number
from hardware_sims.nxt_firmware.statuses import CommandError

Action = Callable[[SimulatedBrick], None]
HELP: Final = (
    "plug PORT:KIND[=VALUE], set PORT VALUE, unplug PORT, press BUTTON [SECONDS], stop, on, "
    "cube in [SEED], cube out"
)
USUAL_PRESS_S: Final = 0.2
LONGEST_PRESS_S: Final = 60.0


@runtime_checkable
class TakesCube(Protocol):
    """A rig whose cube is put in and taken out by hand."""

    def put_cube_in(self, seed: int | None = None) -> None:
        """Put the cube in, or random cube number `seed`. Raises InvalidScenarioError."""

    def take_cube_out(self) -> None:
        """Take the cube out. Raises InvalidScenarioError."""


def parse_command(line: str) -> Action:
    """Return what a line asks for; InvalidScenarioError if it makes no sense."""
    match line.split():
        case ["plug", text]:
            port, sensor = parse_sensor(text)
            return lambda brick: brick.machine.plug_in(port, sensor)
        case ["unplug", number]:
            empty = _port(number)
            return lambda brick: brick.machine.plug_in(empty, None)
        case ["set", number, value]:
            for part in value.split("/"):
                typed_number(part)
            return _setting(_port(number), value)
        case ["press", button]:
            return _pressing(button, USUAL_PRESS_S)
        case ["press", button, seconds]:
            return _pressing(button, _seconds(seconds))
        case ["cube", "in"]:
            return lambda brick: _cube_rig(brick).put_cube_in()
        case ["cube", "in", number]:
            seed = typed_number(number)
            return lambda brick: _cube_rig(brick).put_cube_in(seed)
        case ["cube", "out"]:
            return lambda brick: _cube_rig(brick).take_cube_out()
        case ["stop"]:
            return _press_grey_button
        case ["on"]:
            return SimulatedBrick.press_orange_button
    raise InvalidScenarioError(f"{line.strip()!r} is no command; there are {HELP}.")


def _port(number: str) -> int:
    if len(number) != 1 or number not in PORT_NUMBERS:
        raise InvalidScenarioError(f"{number!r} is no sensor port; they are 1 to 4.")
    return PORT_NUMBERS.index(number)


def _setting(port: int, value: str) -> Action:
    def set_value(brick: SimulatedBrick) -> None:
        sensor = brick.machine.sensors.get(port)
        if sensor is None:
            raise InvalidScenarioError(
                f"Port {PORT_NUMBERS[port]} has no sensor; plug one in first: "
                f"plug {PORT_NUMBERS[port]}:touch."
            )
        sensor.type_in(value)
        brick.machine.sense(port)

    return set_value


def _press_grey_button(brick: SimulatedBrick) -> None:
    try:
        brick.machine.programs.request_stop()
    except CommandError:
        raise InvalidScenarioError("No program runs that the button could stop.") from None


def _pressing(button: str, seconds: float) -> Action:
    if button not in NAMES:
        raise InvalidScenarioError(
            f"{button!r} is no button; they are {', '.join(NAMES[:-1])} and {NAMES[-1]}."
        )
    number, ticks = NAMES.index(button), round(seconds / TICK_S)

    def press(brick: SimulatedBrick) -> None:
        if brick.is_off:
            if button == "orange":
                brick.press_orange_button()
            return
        brick.machine.ui.stay_awake()
        brick.machine.buttons.press(number, brick.machine.tick, ticks)

    return press


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not SHORTEST_TICKS * TICK_S <= seconds <= LONGEST_PRESS_S:
        raise InvalidScenarioError(
            f"{text[:20]!r} is no time to press a button; give seconds from "
            f"{SHORTEST_TICKS * TICK_S:g} to {LONGEST_PRESS_S:g}."
        )
    return seconds


def _cube_rig(brick: SimulatedBrick) -> TakesCube:
    rig: object = brick.rig
    if not isinstance(rig, TakesCube):
        raise InvalidScenarioError("The cube cannot be put in and taken out of this rig.")
    return rig
