"""What a person does to the brick: words typed into the running simulator, one line each.

plug PORT:KIND[=VALUE]   put a sensor on port 1 to 4, of one of the kinds in `KINDS`
set PORT VALUE           press it, light it, speak into it, put something in front of it
unplug PORT
stop                     press the grey button, which ends a program
"""

from collections.abc import Callable
from typing import Final

from hardware_sims.errors import InvalidScenarioError
from hardware_sims.nxt_brick.machine import Machine
from hardware_sims.nxt_brick.sensors.plugged_in import (
    PORT_NUMBERS,
    parse_sensor,
    typed_number,
)
from hardware_sims.nxt_firmware.statuses import CommandError

Action = Callable[[Machine], None]
HELP: Final = "plug PORT:KIND[=VALUE], set PORT VALUE, unplug PORT, stop"


def parse_command(line: str) -> Action:
    """Return what a line asks for; InvalidScenarioError if it makes no sense."""
    match line.split():
        case ["plug", text]:
            port, sensor = parse_sensor(text)
            return lambda machine: machine.plug_in(port, sensor)
        case ["unplug", number]:
            empty = _port(number)
            return lambda machine: machine.plug_in(empty, None)
        case ["set", number, value]:
            return _setting(_port(number), typed_number(value))
        case ["stop"]:
            return _press_grey_button
    raise InvalidScenarioError(f"{line.strip()!r} is no command; there are {HELP}.")


def _port(number: str) -> int:
    if len(number) != 1 or number not in PORT_NUMBERS:
        raise InvalidScenarioError(f"{number!r} is no sensor port; they are 1 to 4.")
    return PORT_NUMBERS.index(number)


def _setting(port: int, value: int) -> Action:
    def set_value(machine: Machine) -> None:
        sensor = machine.sensors.get(port)
        if sensor is None:
            raise InvalidScenarioError(
                f"Port {PORT_NUMBERS[port]} has no sensor; plug one in first: "
                f"plug {PORT_NUMBERS[port]}:touch."
            )
        sensor.set(value)
        machine.sense(port)

    return set_value


def _press_grey_button(machine: Machine) -> None:
    try:
        machine.programs.request_stop()
    except CommandError:
        raise InvalidScenarioError("No program runs that the button could stop.") from None
