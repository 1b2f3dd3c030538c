"""What shall go wrong with the simulated robot, as a TOML file tells; see docs/nxt-simulator.md.

The file speaks of brick, rig and camera; each of them is handed its own part.
"""

import tomllib
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any, Final

from hardware_sims.cube_rig.camera.faults import CameraFault, FaultKind
from hardware_sims.cube_rig.rig_state import USUAL_PLAY_DEG
from hardware_sims.errors import InvalidScenarioError
from hardware_sims.nxt_brick.faults import (
    DEFAULT_BATTERY_MV,
    MOTOR_LETTERS,
    NO_FAULTS,
    SLEEP_TIMEOUT_S,
    Faults,
    SensorChange,
    Stall,
)
from hardware_sims.nxt_brick.sensors.plugged_in import parse_sensor


@dataclass(frozen=True, slots=True)
class RobotFaults:
    """Each part's own faults; tilts are counted from 1, the play is in degrees of motor A."""

    brick: Faults = NO_FAULTS
    slips: tuple[int, ...] = ()
    play_deg: float = USUAL_PLAY_DEG
    camera: tuple[CameraFault, ...] = ()


KEYS: Final = (
    "seed",
    "drop",
    "silence",
    "delay",
    "stall",
    "slip",
    "rig",
    "battery",
    "sleep",
    "sensor",
    "camera",
)
PLAY_RANGE_DEG: Final = (1, 40)
NOTHING_WRONG: Final = RobotFaults()


def load_faults(path: Path) -> RobotFaults:
    """Read a faults file.

    Raises:
        InvalidScenarioError: it cannot be read, or something in it makes no sense.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidScenarioError(f"Cannot read {path}: {error.strerror or error}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidScenarioError(f"{path} is no TOML file: {error}.") from error
    return _Reader(str(path)).faults(document)


class _Reader:
    """Checks the values of one file; every complaint names the file and the key."""

    def __init__(self, source: str) -> None:
        self._source = source

    def faults(self, document: dict[str, Any]) -> RobotFaults:
        self._check_keys(document, KEYS, "the file")
        return RobotFaults(
            brick=self._brick(document),
            slips=tuple(
                self._whole(table, "tilt", 1) for table in self._tables(document, "slip", ("tilt",))
            ),
            play_deg=self._play(self._table(document, "rig", ("play_deg",))),
            camera=tuple(
                self._camera_fault(table)
                for table in self._tables(document, "camera", ("kind", "time", "seconds"))
            ),
        )

    def _brick(self, document: dict[str, Any]) -> Faults:
        delay = self._table(document, "delay", ("seconds", "jitter"))
        silence = self._table(document, "silence", ("telegram",))
        battery = self._table(document, "battery", ("millivolts",))
        sleep = self._table(document, "sleep", ("after",))
        return Faults(
            seed=self._whole(document, "seed", 0, default=0),
            drop_at=tuple(
                self._whole(table, "telegram", 1)
                for table in self._tables(document, "drop", ("telegram",))
            ),
            silent_from=self._whole(silence, "telegram", 1) if silence else None,
            delay_s=self._seconds(delay, "seconds", default=0.0),
            jitter_s=self._seconds(delay, "jitter", default=0.0),
            stalls=tuple(
                self._stall(table)
                for table in self._tables(
                    document, "stall", ("motor", "seconds", "time", "telegram")
                )
            ),
            battery_mv=self._whole(battery, "millivolts", 1, default=DEFAULT_BATTERY_MV),
            sleep_timeout_s=self._seconds(sleep, "after", default=SLEEP_TIMEOUT_S),
            sensors=tuple(
                self._sensor(table) for table in self._tables(document, "sensor", ("plug", "time"))
            ),
        )

    def _play(self, table: dict[str, Any]) -> float:
        value = table.get("play_deg", USUAL_PLAY_DEG)
        least, most = PLAY_RANGE_DEG
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not least <= value <= most:
            raise self._complaint("play_deg", f"degrees of motor A, {least} to {most}", value)
        return float(value)

    def _sensor(self, table: dict[str, Any]) -> SensorChange:
        text = table.get("plug")
        if not isinstance(text, str):
            raise self._complaint("plug of a sensor", "a text such as '1:touch=1'", text)
        parse_sensor(text)
        return SensorChange(text, self._seconds(table, "time", default=0.0))

    def _camera_fault(self, table: dict[str, Any]) -> CameraFault:
        kinds = [str(kind) for kind in FaultKind]
        if table.get("kind") not in kinds:
            expected = f"one of {', '.join(kinds)}"
            raise self._complaint("kind of a camera fault", expected, table.get("kind"))
        start_s = self._seconds(table, "time", default=0.0)
        lasting_s = self._seconds(table, "seconds") if "seconds" in table else inf
        if lasting_s == 0:
            raise self._complaint("seconds of a camera fault", "more than 0", lasting_s)
        return CameraFault(FaultKind(table["kind"]), start_s, start_s + lasting_s)

    def _stall(self, table: dict[str, Any]) -> Stall:
        letter = table.get("motor")
        if not isinstance(letter, str) or len(letter) != 1 or letter not in MOTOR_LETTERS:
            raise self._complaint("motor of a stall", "one of the letters A, B, C", letter)
        if ("time" in table) == ("telegram" in table):
            raise InvalidScenarioError(
                f"A stall in {self._source} has to begin either at a time or at a telegram; "
                "give one of the two."
            )
        return Stall(
            port=MOTOR_LETTERS.index(letter),
            seconds=self._seconds(table, "seconds"),
            time_s=self._seconds(table, "time") if "time" in table else None,
            telegram=self._whole(table, "telegram", 1) if "telegram" in table else None,
        )

    def _table(
        self, document: dict[str, Any], key: str, allowed: tuple[str, ...]
    ) -> dict[str, Any]:
        table = document.get(key, {})
        if not isinstance(table, dict):
            raise self._complaint(key, f"a table [{key}]", table)
        self._check_keys(table, allowed, f"[{key}]")
        return table

    def _tables(
        self, document: dict[str, Any], key: str, allowed: tuple[str, ...]
    ) -> list[dict[str, Any]]:
        tables = document.get(key, [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            raise self._complaint(key, f"a list of tables [[{key}]]", tables)
        for table in tables:
            self._check_keys(table, allowed, f"[[{key}]]")
        return tables

    def _check_keys(self, table: dict[str, Any], allowed: tuple[str, ...], where: str) -> None:
        for key in table:
            if key not in allowed:
                raise InvalidScenarioError(
                    f"{self._source} has an unknown key {key!r} in {where}; "
                    f"known are {', '.join(allowed)}."
                )

    def _whole(
        self, table: dict[str, Any], key: str, at_least: int, default: int | None = None
    ) -> int:
        value = table.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or value < at_least:
            raise self._complaint(key, f"a whole number of at least {at_least}", value)
        return value

    def _seconds(self, table: dict[str, Any], key: str, default: float | None = None) -> float:
        value = table.get(key, default)
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value < 1e9:
            raise self._complaint(key, "a number of seconds, not negative", value)
        return float(value)

    def _complaint(self, key: str, expected: str, value: object) -> InvalidScenarioError:
        given = "it is missing" if value is None else f"it is {value!r}"
        return InvalidScenarioError(f"{key} in {self._source} has to be {expected}; {given}.")
