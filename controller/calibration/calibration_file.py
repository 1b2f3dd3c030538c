"""Calibration files: TOML, checked on reading, completed by the default rig."""

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, fields
from importlib.resources import files
from pathlib import Path
from typing import Any

import tomlkit
from platformdirs import user_config_path

from controller.calibration.calibration import Arm, Calibration, Cradle, Patience, Pusher, Seconds
from controller.errors import InvalidCalibrationError

VERSION = 1

SECTIONS = {
    "cradle": Cradle,
    "arm": Arm,
    "pusher": Pusher,
    "seconds": Seconds,
    "patience": Patience,
}


def user_calibration_path() -> Path:
    """Return where the owner's calibration is looked for."""
    return user_config_path("puzzlerig") / "cube_robot.toml"


def default_calibration() -> Calibration:
    """Return the rig of the thesis."""
    return _from_tables(_default_tables(), "the default calibration")


def load_calibration(path: Path | None = None) -> Calibration:
    """Return the calibration in `path`, completed by the defaults.

    Without a path the owner's own file is read if there is one. Raises InvalidCalibrationError
    that names the file, the key and the range.
    """
    path = path or user_calibration_path()
    if not path.exists() and path == user_calibration_path():
        return default_calibration()
    try:
        own = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidCalibrationError(
            f"The calibration {path} cannot be read: {error.strerror}."
        ) from None
    except ValueError as error:
        raise InvalidCalibrationError(f"The calibration {path} is not TOML: {error}.") from None
    tables = _default_tables()
    for name, table in own.items():
        if name == "version" or not isinstance(table, dict):
            tables[name] = table
        else:
            tables[name] = {**tables.get(name, {}), **table}
    return _from_tables(tables, str(path))


def _default_tables() -> dict[str, Any]:
    return tomllib.loads(
        (files("controller.calibration") / "default.toml").read_text(encoding="utf-8")
    )


def _from_tables(tables: dict[str, Any], where: str) -> Calibration:
    if tables.pop("version", None) != VERSION:
        raise InvalidCalibrationError(f"{where} must say `version = {VERSION}`.")
    unknown = set(tables) - set(SECTIONS)
    if unknown:
        raise InvalidCalibrationError(
            f"{where} has an unknown section [{min(unknown)}]. "
            f"The sections are {', '.join(SECTIONS)}."
        )
    parts = {name: _section(name, kind, tables[name], where) for name, kind in SECTIONS.items()}
    return Calibration(**parts)


def _section(name: str, kind: Any, table: Any, where: str) -> Any:
    if not isinstance(table, Mapping):
        raise InvalidCalibrationError(f"{where}: [{name}] must be a section.")
    known = {each.name: each for each in fields(kind)}
    unknown = set(table) - set(known)
    if unknown:
        raise InvalidCalibrationError(
            f"{where}: [{name}] has an unknown key {min(unknown)!r}. "
            f"The keys are {', '.join(known)}."
        )
    values = {}
    for key, each in known.items():
        low, high = each.metadata["range"]
        wants_three = str(each.type).startswith("tuple")
        values[key] = _checked(table[key], low, high, wants_three, f"{where}: {name}.{key}")
    return kind(**values)


def _checked(value: Any, low: float, high: float, wants_three: bool, where: str) -> Any:
    if wants_three:
        if not isinstance(value, list) or len(value) != 3:
            raise InvalidCalibrationError(
                f"{where} must be a list of three numbers, not {value!r}."
            )
        return tuple(_checked(each, low, high, False, where) for each in value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidCalibrationError(f"{where} must be a number, not {value!r}.")
    if not low <= value <= high:
        raise InvalidCalibrationError(f"{where} is {value}; it must lie between {low} and {high}.")
    return value


def save_seconds(path: Path, seconds: Seconds) -> None:
    """Put measured seconds into the calibration file `path`; everything else in it stays.

    Raises InvalidCalibrationError if the file is there and cannot be read, or not be written.
    """
    if path.exists():
        load_calibration(path)
    try:
        text = path.read_text(encoding="utf-8") if path.exists() else f"version = {VERSION}\n"
        document = tomlkit.parse(text)
        section = document.setdefault("seconds", tomlkit.table())
        for name, value in asdict(seconds).items():
            section[name] = list(value) if isinstance(value, tuple) else value
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(path.name + ".partial")
        partial.write_text(tomlkit.dumps(document), encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        raise InvalidCalibrationError(
            f"The calibration {path} cannot be written: {error.strerror}."
        ) from None
