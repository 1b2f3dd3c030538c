"""Whole programs on the whole brick against what LEGO's published firmware source did.

Telegrams go in as a client sends them; replies, output fields, shafts, files, the screen and the
way of ending are compared, each to the millisecond.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

import pytest

from hardware_sims.clock import VirtualClock
from hardware_sims.nxt_brick.brick import SimulatedBrick
from hardware_sims.nxt_brick.faults import NO_LATENCY
from hardware_sims.nxt_brick.firmware import Firmware, run_millisecond
from hardware_sims.nxt_brick.motors.physics import Battery
from hardware_sims.nxt_brick.sensors.plugged_in import Sensor
from hardware_sims.nxt_firmware.io_maps import OUTPUTS
from tests.oracles.nxt_golden import DATA, TRACED_AFTER_END_MS, case_names, read_case
from tests.unit.hardware_sims.nxt_brick.toy_motors import ToyShafts, fields_of

STATUSES: Final = {"ok": 1, "error": 3, "aborted": 4}


def runs() -> Iterator[Any]:
    """Return case and run of all programs whose sensors need no hand that turns them."""
    for name in case_names():
        case = read_case(name)
        if not case.get("inputs"):
            for run in case["runs"]:
                yield pytest.param(case, run, id=f"{case['name']} at {run['ipm']}")


class ToyMotors:
    """Motors of the model, or motors that never turn."""

    def __init__(self, turns: bool) -> None:
        self.shafts = ToyShafts()
        self._turns = turns
        self.sensors: dict[int, Sensor] = {}

    def attach(self, firmware: Firmware) -> None:
        self._firmware = firmware

    def advance(self, tick: int, ticks: int, battery: Battery) -> int:
        """Do one millisecond."""
        assert ticks > 0
        assert battery.open_v > 0
        outputs = self._firmware.outputs
        for port in range(OUTPUTS if self._turns else 0):
            power = int(outputs.io_map["actual_speed"][port])
            outputs.motors["shaft_deg"][port] += self.shafts.turn(port, power)
        run_millisecond(self._firmware, tick + 1)
        return 1


class Rehearsal:
    """A brick with one program, and the milliseconds since that began."""

    def __init__(self, case: dict[str, Any], ipm: int) -> None:
        self.motors = ToyMotors(case["motors"] == "toy")
        self.clock = VirtualClock()
        self.brick = SimulatedBrick(
            self.clock, self.motors, latency=NO_LATENCY, instructions_per_ms=ipm
        )
        self.machine = self.brick.machine
        self.machine.files.store(b"p.rxe", (DATA / "programs" / case["program"]).read_bytes())
        self.start_tick = 0

    def begin(self, telegram: bytes) -> bytes | None:
        """Send the start telegram, and wait until the menu has started the program."""
        reply = self.brick.handle(telegram)
        while not self.machine.programs.is_active:
            self._step()
        self.start_tick = self.machine.tick
        return reply

    def _step(self) -> None:
        self.clock.sleep(0.001)
        self.brick.advance()

    @property
    def ms(self) -> int:
        return self.machine.tick - self.start_tick

    def go_to(self, ms: int) -> None:
        while self.ms < ms:
            self._step()


def expected_changes(run: dict[str, Any]) -> dict[int, dict[tuple[int, int], int]]:
    """Return for each millisecond the fields that the program or the module changed."""
    found: dict[int, dict[tuple[int, int], int]] = defaultdict(dict)
    for ms, _, port, field, value in run.get("outputs", ()):
        found[ms][port, field] = value
    return found


@pytest.mark.parametrize(("case", "run"), list(runs()))
def test_a_program_does_what_it_did_on_the_firmware(
    case: dict[str, Any], run: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    # What the menu does after a program's end is not part of the cases.
    monkeypatch.setattr("hardware_sims.nxt_brick.ui.SHOW_END_MS", 1 << 30)
    rehearsal = Rehearsal(case, run["ipm"])
    machine, end = rehearsal.machine, run["end"]
    _, started, reply = run["telegrams"][0]
    assert rehearsal.begin(bytes.fromhex(started)) == bytes.fromhex(reply)
    telegrams = defaultdict(list)
    for ms, sent, answered in run["telegrams"][1:]:
        telegrams[ms].append((bytes.fromhex(sent), answered))
    changes = expected_changes(run)
    shafts = {ms: rest for ms, *rest in run.get("shafts", ())}
    fields = fields_of(machine.outputs.io_map)
    fields.update({(port, 0): 0 for port in range(OUTPUTS)})  # those of the start
    last = max(end["ms"] + TRACED_AFTER_END_MS, *telegrams, 0)
    seen = b""
    for ms in range(1, last + 1):
        for sent, answered in telegrams[ms]:
            got = rehearsal.brick.handle(sent)
            assert (got.hex() if got else None) == answered, f"ms {ms}"
        rehearsal.go_to(ms)
        if ms in changes or machine.outputs.io_map.tobytes() != seen:
            seen = machine.outputs.io_map.tobytes()
            fields.update(changes[ms])
            assert fields_of(machine.outputs.io_map) == fields, f"ms {ms}"
        if ms in shafts:
            counts = machine.outputs.io_map["tacho_count"].tolist()
            assert [*rehearsal.motors.shafts.degrees, *counts] == shafts[ms], f"ms {ms}"
        if ms == end["ms"] and "display" in run:
            assert bytes(machine.display_map["normal"][0]).hex() == run["display"]
        # What is left of a program is cleared up in the millisecond after its last one.
        assert machine.programs.is_active == (ms <= end["ms"]), f"ms {ms}"
    program_end = machine.programs.command.end
    assert program_end.status == STATUSES[end["state"]]
    assert program_end.tick - rehearsal.start_tick == end["ms"]
    if end["state"] != "aborted":
        assert program_end.instructions == end["instructions"]
    stored = {
        file.name.decode(): (file.size, bytes(file.data).hex())
        for file in machine.files.listing()
        if file.name != b"p.rxe"
    }
    assert stored == {file["name"]: (file["size"], file["data"]) for file in run.get("files", ())}
