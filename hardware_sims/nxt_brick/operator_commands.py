"""What a person does to the brick: words typed into the running simulator, one line each.

plug PORT:KIND[=VALUE]   put a sensor on port 1 to 4, of one of the kinds in `KINDS`
set PORT VALUE           press it, light it, speak into it, put something in front of it
unplug PORT
stop                     press the grey button, which ends a program
on                       press the orange button, which switches on a brick that is off
"""

from collections.abc import Callable
from typing import Final

from hardware_sims.errors import InvalidScenarioError
from hardware_sims.nxt_brick.brick import SimulatedBrick
from hardware_sims.nxt_brick.sensors.plugged_in import PORT_NUMBERS, parse_sensor, typed_number
from hardware_sims.nxt_firmware.statuses import CommandError

Action = Callable[[SimulatedBrick], None]
HELP: Final = "plug PORT:KIND[=VALUE], set PORT VALUE, unplug PORT, stop, on"


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
