"""The output module against what LEGO's published firmware source did, tick by tick.

What the program wrote, and when, is taken from the cases; the motors are the cases' own toy model.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from hardware_sims.nxt_brick.io_maps import OUTPUTS
from hardware_sims.nxt_brick.machine import Machine
from hardware_sims.nxt_brick.motors.output_module import run_output_module
from hardware_sims.nxt_brick.statuses import CommandError
from hardware_sims.nxt_brick.telegrams.direct_commands import DirectCommands
from hardware_sims.nxt_brick.telegrams.encoding import ReceiveBuffer, command_of

CASES: Final = Path(__file__).parents[3] / "data" / "nxt_programs" / "cases"
FIELDS: Final = {
    0: "flags",
    1: "mode",
    2: "speed",
    3: "actual_speed",
    5: "tacho_limit",
    6: "run_state",
    7: "turn_parameter",
    8: "regulation_mode",
    9: "overloaded",
    10: "p_parameter",
    11: "i_parameter",
    12: "d_parameter",
}
MOTOR_COMMANDS: Final = ("set_output_state", "reset_motor_position")

Change = tuple[int, int, int]  # port, field, value


def runs() -> Iterator[Any]:
    for path in sorted(CASES.glob("*.json")):
        case = json.loads(path.read_text())
        for run in case["runs"]:
            if run.get("outputs"):
                toy = case["motors"] == "toy"
                yield pytest.param(run, toy, id=f"{case['name']} at {run['ipm']}")


class ToyMotors:
    """Shafts without inertia: 9 thousandths of a degree a millisecond and unit of power."""

    def __init__(self) -> None:
        self.shafts = [0] * OUTPUTS
        self._fractions = [0] * OUTPUTS

    def turn(self, port: int, power: int) -> int:
        """Return the edges of a millisecond."""
        self._fractions[port] += 9 * power
        edges = int(self._fractions[port] / 1000)
        self._fractions[port] -= 1000 * edges
        self.shafts[port] += edges
        return edges


def obey(machine: Machine, telegram: bytes) -> None:
    """Do what a telegram asks of the motors; the case tells what it is answered."""
    command = command_of(telegram)
    if command is None or command.name not in MOTOR_COMMANDS:
        return
    request = ReceiveBuffer().decode(command, telegram)
    try:
        getattr(DirectCommands(machine), command.name)(*request.arguments)
    except CommandError:
        return


def changes(run: dict[str, Any]) -> dict[tuple[int, str], list[Change]]:
    found: dict[tuple[int, str], list[Change]] = defaultdict(list)
    for ms, when, port, field, value in run["outputs"]:
        found[ms, when].append((port, field, value))
    return found


def fields_of(outputs: Any) -> dict[tuple[int, int], int]:
    return {
        (port, number): int(outputs[port][field])
        for port in range(OUTPUTS)
        for number, field in FIELDS.items()
    }


@pytest.mark.parametrize(("run", "toy"), list(runs()))
def test_fields_and_counts_change_as_the_firmwares(run: dict[str, Any], toy: bool) -> None:
    machine = Machine(b"NXT", 8000, 600.0)
    outputs = machine.outputs
    motors = ToyMotors()
    told = changes(run)
    telegrams = defaultdict(list)
    for ms, sent, _ in run["telegrams"]:
        telegrams[ms].append(bytes.fromhex(sent))
    shafts = {ms: rest for ms, *rest in run.get("shafts", ())}
    before = fields_of(outputs.io_map)
    for ms in range(max(ms for ms, _ in told) + 1):
        for telegram in telegrams[ms]:
            obey(machine, telegram)
        if toy:
            for port in range(OUTPUTS):
                power = int(outputs.io_map[port]["actual_speed"])
                outputs.motors["edges"][port] += motors.turn(port, power)
        run_output_module(outputs)
        after = fields_of(outputs.io_map)
        changed = [(*key, value) for key, value in after.items() if value != before[key]]
        assert sorted(changed) == sorted(told[ms, "o"]), f"ms {ms}"
        for port, field, value in told[ms, "v"]:
            outputs.io_map[FIELDS[field]][port] = value
        before = fields_of(outputs.io_map)
        if ms in shafts:
            counts = np.asarray(outputs.io_map["tacho_count"]).tolist()
            assert [*motors.shafts, *counts] == shafts[ms], f"ms {ms}"


def test_there_are_cases_of_every_kind() -> None:
    names = {path.stem for path in CASES.glob("*.json")}
    assert {"motor_ramp", "motor_sync", "motor_rotate", "motor_host", "end_abort"} <= names
