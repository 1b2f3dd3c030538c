"""The compiled kernels against the same functions run as plain Python, bit for bit."""

import json
import os
import subprocess
import sys
from typing import Any, Final

import numpy as np

from hardware_sims.nxt_brick.firmware import Firmware
from hardware_sims.nxt_brick.machine import Machine
from hardware_sims.nxt_brick.motors.physics import Battery
from hardware_sims.nxt_brick.motors.state import new_motors
from hardware_sims.rigs.cradle.faults import RigFaults, Stuck
from hardware_sims.rigs.cradle.mechanics import GEAR_RATIO, RIG, USUAL_PLAY_DEG, advance_rig
from hardware_sims.rigs.faults import Short, Yaw

# Cradle against the closed arm, regulated; a limited and a ramped move; a hold; two in step.
ORDERS = (
    # port, power, mode, regulation, turn ratio, run state, limit, milliseconds
    (1, -60, 3, 0, 0, 0x20, 35, 400),
    (0, 60, 5, 1, 0, 0x20, 0, 500),
    (0, 0, 7, 1, 0, 0x20, 0, 150),
    (2, 70, 1, 0, 0, 0x10, 120, 500),
    (2, 0, 1, 0, 0, 0x40, 60, 400),
    (1, 50, 7, 2, 30, 0x20, 0, 0),
    (2, 50, 7, 2, 30, 0x20, 0, 500),
)

EVERYTHING: Final = RigFaults(
    seed=1,
    yaw=(Yaw(spin=1),),
    stuck=(Stuck(chance=0.9, seconds=0.2),),
    short=(Short(chance=0.5),),
)


class PlainRecords:
    """Records whose fields are attributes, as they are in compiled code."""

    def __init__(self, array: Any) -> None:
        self._array = array

    def __len__(self) -> int:
        return len(self._array)

    def __getitem__(self, index: int) -> "PlainRecord":
        return PlainRecord(self._array, index)


class PlainRecord:
    """One of them."""

    def __init__(self, array: Any, index: int) -> None:
        self.__dict__.update(array=array, index=index)

    def __getattr__(self, name: str) -> Any:
        return self.array[name][self.index]

    def __setattr__(self, name: str, value: Any) -> None:
        self.array[name][self.index] = value


def plain(firmware: Firmware) -> Any:
    """Return the same arrays for plain Python, as numpy's records have no attributes."""

    def wrapped(parts: Any) -> Any:
        records: list[Any] = [PlainRecords(array) for array in parts]
        return type(parts)(*records)

    return Firmware(
        wrapped(firmware.outputs),
        wrapped(firmware.inputs),
        wrapped(firmware.program),
        PlainRecords(firmware.sound),  # type: ignore[arg-type]
    )


def play(is_plain: bool) -> dict[str, Any]:
    """Return all state after the orders."""
    machine = Machine(b"NXT", 8000, 600.0)
    rigs: Any = np.zeros(1, RIG)
    rigs["play_deg"] = USUAL_PLAY_DEG / GEAR_RATIO
    rigs["random"] = EVERYTHING.first_random()
    faults: Any = EVERYTHING.table()
    outputs = machine.outputs
    firmware = Firmware(outputs, machine.inputs, machine.programs.state, machine.sound.io_map)
    kernel_rigs = PlainRecords(rigs) if is_plain else rigs
    kernel_faults = PlainRecords(faults) if is_plain else faults
    kernel_firmware = plain(firmware) if is_plain else firmware
    tick = 0
    for port, power, mode, regulation, turn, run_state, limit, ticks in ORDERS:
        told = outputs.io_map[port]
        told["speed"], told["mode"], told["regulation_mode"] = power, mode, regulation
        told["turn_parameter"], told["run_state"], told["tacho_limit"] = turn, run_state, limit
        told["flags"] = 0x07
        end = tick + ticks
        while tick < end:
            tick += advance_rig(
                kernel_rigs, kernel_faults, kernel_firmware, tick, end - tick, Battery(8.0, 1.2)
            )
    return {
        "motors": [list(motor.item()) for motor in outputs.motors],
        "sync": list(outputs.sync[0].item()),
        "rig": list(rigs[0].item()),
    }


def test_compiled_and_plain_python_agree() -> None:
    process = subprocess.run(
        [sys.executable, __file__],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    compiled = play(is_plain=False)
    assert json.loads(process.stdout) == compiled
    assert all(motor != list(new_motors()[0].item()) for motor in compiled["motors"])


if __name__ == "__main__":
    print(json.dumps(play(is_plain=True)))
