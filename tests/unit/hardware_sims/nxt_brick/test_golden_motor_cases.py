"""The output module against what LEGO's published firmware source did, tick by tick.

What the program wrote, and when, is taken from the cases; the motors are the cases' own toy model.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import pytest

from hardware_sims.nxt_brick.commands import DirectCommands
from hardware_sims.nxt_brick.machine import Machine
from hardware_sims.nxt_brick.motors.output_module import run_output_module
from hardware_sims.nxt_brick.telegrams import ReceiveBuffer, command_of
from hardware_sims.nxt_firmware.io_maps import OUTPUTS
from hardware_sims.nxt_firmware.statuses import CommandError
from tests.oracles.nxt_golden import OUTPUT_FIELDS, case_names, read_case
from tests.unit.hardware_sims.nxt_brick.toy_motors import ToyShafts, fields_of

MOTOR_COMMANDS: Final = ("set_output_state", "reset_motor_position")

Change = tuple[int, int, int]  # port, field, value


def runs() -> Iterator[Any]:
    for name in case_names():
        case = read_case(name)
        for run in case["runs"]:
            if run.get("outputs"):
                toy = case["motors"] == "toy"
                yield pytest.param(run, toy, id=f"{case['name']} at {run['ipm']}")


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


@pytest.mark.parametrize(("run", "toy"), list(runs()))
def test_fields_and_counts_change_as_the_firmwares(run: dict[str, Any], toy: bool) -> None:
    machine = Machine(b"NXT", 8000, 600.0)
    outputs = machine.outputs
    motors = ToyShafts()
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
            outputs.io_map[OUTPUT_FIELDS[field]][port] = value
        before = fields_of(outputs.io_map)
        if ms in shafts:
            counts = np.asarray(outputs.io_map["tacho_count"]).tolist()
            assert [*motors.degrees, *counts] == shafts[ms], f"ms {ms}"


def test_there_are_cases_of_every_kind() -> None:
    kinds = {"motor_ramp", "motor_sync", "motor_rotate", "motor_host", "end_abort"}
    assert kinds <= set(case_names())
