"""Golden programs, compared with what LEGO's firmware source did."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hardware_sims.nxt_vm.codes import PROGRAM_ABORTED, PROGRAM_ERROR, PROGRAM_OK
from tests.oracles.lone_brick import LoneBrick

DATA = Path(__file__).parents[1] / "data" / "nxt_programs"
PROGRAM = b"p.rxe"
STATES = {PROGRAM_OK: "ok", PROGRAM_ERROR: "error", PROGRAM_ABORTED: "aborted"}
TRACED_AFTER_END_MS = 4
LONGEST_MS = 20_000
# Field number in the cases, field of the output record.
OUTPUT_FIELDS = {
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


@dataclass
class Outcome:
    """What a run did, in the form of the cases."""

    replies: list[str | None] = field(default_factory=list)
    end: dict[str, Any] = field(default_factory=dict)
    outputs: list[list[Any]] = field(default_factory=list)
    shafts: list[list[int]] = field(default_factory=list)
    sound: list[list[Any]] = field(default_factory=list)
    files: list[dict[str, Any]] = field(default_factory=list)
    display: str = ""


def case_names() -> list[str]:
    """Return the names of all cases."""
    return sorted(path.stem for path in (DATA / "cases").glob("*.json"))


def read_case(name: str) -> dict[str, Any]:
    """Return one case."""
    found: dict[str, Any] = json.loads((DATA / "cases" / f"{name}.json").read_text())
    return found


def random_programs() -> list[dict[str, Any]]:
    """Return the random programs."""
    found: list[dict[str, Any]] = json.loads((DATA / "random.json").read_text())["programs"]
    return found


class Run:
    """One program from its start telegram to some milliseconds after its end."""

    def __init__(
        self,
        image: bytes,
        instructions_per_ms: int,
        moves: bool = False,
        drives: bool = True,
    ) -> None:
        self.brick = LoneBrick(instructions_per_ms)
        self.brick.files.store(PROGRAM, image)
        self.outcome = Outcome()
        self._moves = moves
        self._drives = drives
        self._fields = self._output_fields()
        self._map_bytes = self.brick.outputs.io_map.tobytes()

    def play(self, telegrams: list[list[Any]], inputs: list[list[int]]) -> Outcome:
        """Give the telegrams their milliseconds and return what came of it."""
        waiting, settings, ended_at = list(telegrams), list(inputs), None
        brick, ms = self.brick, 0
        while ms < LONGEST_MS:
            brick.tick = ms
            while waiting and waiting[0][0] == ms:
                reply = brick.answer(bytes.fromhex(waiting.pop(0)[1]))
                self.outcome.replies.append(None if reply is None else reply.hex())
            while settings and settings[0][0] == ms:
                self._set_input(settings.pop(0))
            if self._moves:
                brick.turn_shafts()
            if self._drives:
                brick.run_outputs()
            self._trace(ms, "o")
            was_active = brick.command.is_active
            brick.run_program()
            self._trace(ms, "v")
            if was_active and ended_at is None and brick.command.has_ended:
                ended_at = ms
                self.outcome.display = bytes(brick.display["normal"][0]).hex()
                self._note_end()
            if self._moves and ms and ms % 50 == 0:
                counts = [int(count) for count in brick.outputs.io_map["tacho_count"]]
                self.outcome.shafts.append([ms, *brick.shafts, *counts])
            if ended_at is not None and ms >= ended_at + TRACED_AFTER_END_MS and not waiting:
                break
            ms = self._next(ms, [due[0] for due in waiting[:1] + settings[:1]])
        self._note_files()
        return self.outcome

    def _next(self, ms: int, due: list[int]) -> int:
        """Return the next millisecond in which anything happens; motors do something in each."""
        if self._moves or self._drives or self.brick.command.has_ended:
            return ms + 1
        return max(ms + 1, min(self.brick.command.next_tick(), *due, LONGEST_MS))

    def _set_input(self, setting: list[int]) -> None:
        _, port, raw, normalized, scaled, invalid = setting
        sensor = self.brick.input["inputs"][0][port]
        sensor["ad_raw"], sensor["sensor_raw"] = raw, normalized
        sensor["sensor_value"], sensor["invalid_data"] = scaled, invalid

    def _output_fields(self) -> list[list[int]]:
        outputs = self.brick.outputs.io_map
        return [[int(outputs[f][port]) for f in OUTPUT_FIELDS.values()] for port in range(3)]

    def _trace(self, ms: int, when: str) -> None:
        self._trace_outputs(ms, when)
        sound = self.brick.sound[0]
        if when == "v" and sound["flags"] & 1:
            name = bytes(sound["file_name"]).split(b"\0", 1)[0].decode()
            numbers = [int(sound[f]) for f in ("frequency", "duration", "mode", "volume")]
            is_tone = int(sound["mode"]) & 2
            self.outcome.sound.append([ms, *numbers, "-" if is_tone else name])
            sound["flags"] &= 0xFE

    def _trace_outputs(self, ms: int, when: str) -> None:
        map_bytes = self.brick.outputs.io_map.tobytes()
        if map_bytes == self._map_bytes:
            return
        self._map_bytes = map_bytes
        old, new = self._fields, self._output_fields()
        self._fields = new
        if (ms, when) <= (1, "o"):
            return
        for port in range(3):
            for number, before, after in zip(OUTPUT_FIELDS, old[port], new[port], strict=True):
                if before != after:
                    self.outcome.outputs.append([ms, when, port, number, after])

    def _note_end(self) -> None:
        end = self.brick.command.end
        self.outcome.end = {
            "ms": end.tick,
            "state": STATES[end.status],
            "code": end.code,
            "instructions": end.instructions,
        }

    def _note_files(self) -> None:
        self.outcome.files = sorted(
            (
                {"name": file.name.decode(), "size": file.size, "data": bytes(file.data).hex()}
                for file in self.brick.files.listing()
                if file.name != PROGRAM
            ),
            key=lambda file: str(file["name"]),
        )


def differences(name: str, which_run: int) -> dict[str, tuple[Any, Any]]:
    """Run a case, with the output module if its motors do anything.

    Returns what differs: name to (expected, seen).
    """
    case = read_case(name)
    expected = case["runs"][which_run]
    image = (DATA / "programs" / case["program"]).read_bytes()
    drives = bool(expected.get("outputs") or expected.get("shafts"))
    run = Run(image, expected["ipm"], case["motors"] == "toy", drives)
    seen = run.play(expected["telegrams"], case.get("inputs", []))
    pairs = {
        "replies": ([reply for _, _, reply in expected["telegrams"]], seen.replies),
        "end": (expected["end"], seen.end),
        "files": (sorted(expected.get("files", []), key=lambda file: file["name"]), seen.files),
        "sound": (expected.get("sound", []), seen.sound),
    }
    if "display" in expected:
        pairs["display"] = (expected["display"], seen.display)
    if "outputs" in expected:
        pairs["outputs"] = (expected["outputs"], seen.outputs)
    if "shafts" in expected:
        pairs["shafts"] = (expected["shafts"], seen.shafts)
    return {what: pair for what, pair in pairs.items() if pair[0] != pair[1]}
