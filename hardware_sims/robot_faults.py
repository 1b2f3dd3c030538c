"""The faults of a simulated robot, read from a TOML file; see docs/nxt-simulator.md.

The file speaks of brick, rig and camera; each of them is handed its own part.
"""

from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from hardware_sims.errors import InvalidScenarioError
from hardware_sims.nxt_brick import faults
from hardware_sims.nxt_brick.sensors.plugged_in import parse_sensor
from hardware_sims.rigs.cradle.camera.levels import CameraFault, FaultKind
from hardware_sims.rigs.faults import Chance, Number
from solvers.foundation.typed_files import read_toml

Seconds: TypeAlias = Annotated[float, Meta(ge=0, le=1e9)]
Millivolts: TypeAlias = Annotated[int, Meta(ge=1, le=12_000)]  # six cells, and two volts to spare


@dataclass(frozen=True, slots=True)
class RobotFaults:
    """Each part's own faults."""

    brick: faults.Faults = faults.NO_FAULTS
    rig: Any = None
    camera: tuple[CameraFault, ...] = ()


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A section of the file."""


class _At(_Table, frozen=True):
    """A telegram, by its number or at random."""

    telegram: Number | None = None
    chance: Chance | None = None

    def __post_init__(self) -> None:
        if (self.telegram is None) == (self.chance is None):
            raise ValueError("give either telegram or chance")


class _From(_Table, frozen=True):
    telegram: Number


class _Delay(_Table, frozen=True):
    seconds: Seconds = 0.0
    jitter: Seconds = 0.0


class _Hiccup(_Table, frozen=True):
    chance: Chance
    seconds: Seconds


class _When(_Table, frozen=True, kw_only=True):
    """A moment and a duration."""

    seconds: Seconds
    time: Seconds | None = None
    telegram: Number | None = None

    def __post_init__(self) -> None:
        if (self.time is None) == (self.telegram is None):
            raise ValueError("give either time or telegram")


class _Stall(_When, frozen=True, kw_only=True):
    motor: Literal["A", "B", "C"]


class _Battery(_Table, frozen=True):
    millivolts: Millivolts = faults.DEFAULT_BATTERY_MV
    ohms: Annotated[float, Meta(ge=0, le=10)] = faults.DEFAULT_BATTERY_OHM
    drain_mv_per_minute: Annotated[float, Meta(ge=0, le=100_000)] = 0.0


class _Sleep(_Table, frozen=True):
    after: Seconds = faults.SLEEP_TIMEOUT_S


class _Sensor(_Table, frozen=True):
    plug: str
    time: Seconds = 0.0


class _Camera(_Table, frozen=True):
    kind: FaultKind
    time: Seconds = 0.0
    seconds: Annotated[float, Meta(gt=0, le=1e9)] | None = None


class _BrickFile(_Table, frozen=True, kw_only=True):
    """What brick, line and camera do wrong."""

    drop: tuple[_At, ...] = ()
    lose: tuple[_At, ...] = ()
    silence: _From | None = None
    delay: _Delay = _Delay()
    hiccup: _Hiccup = _Hiccup(chance=0.0, seconds=0.0)
    die: _From | None = None
    restart: tuple[_When, ...] = ()
    stall: tuple[_Stall, ...] = ()
    battery: _Battery = _Battery()
    sleep: _Sleep = _Sleep()
    sensor: tuple[_Sensor, ...] = ()
    camera: tuple[_Camera, ...] = ()


NOTHING_WRONG: Final = RobotFaults()


def file_type(rig: type[msgspec.Struct]) -> Any:
    """Return the class of a faults file: the keys of a rig and those of brick, line and camera.

    One class checks the whole file, so that an unknown key is named whatever part it was meant for.
    """
    fields = [
        (field.name, field.type, field.default) for field in msgspec.structs.fields(_BrickFile)
    ]
    return msgspec.defstruct(
        "FaultsFile", fields, bases=(rig,), frozen=True, forbid_unknown_fields=True, kw_only=True
    )


def load_faults(path: Path, rig: type[msgspec.Struct]) -> RobotFaults:
    """Read a faults file; `rig` has the keys of the rig that is simulated.

    Raises:
        InvalidScenarioError: it cannot be read, or something in it makes no sense.
    """
    file = read_toml(path, file_type(rig), "The faults file", InvalidScenarioError)
    try:
        for sensor in file.sensor:
            parse_sensor(sensor.plug)
    except InvalidScenarioError as error:
        raise InvalidScenarioError(f"The faults file {path}: {error}") from error
    of_rig = rig(**{name: getattr(file, name) for name in rig.__struct_fields__})
    camera = tuple(
        CameraFault(each.kind, each.time, each.time + (each.seconds or inf)) for each in file.camera
    )
    return RobotFaults(_brick(file), of_rig, camera)


def _brick(file: Any) -> faults.Faults:
    drop_at, drop_chance = _telegrams(file.drop)
    lose_at, lose_chance = _telegrams(file.lose)
    return faults.Faults(
        seed=file.seed,
        drop_at=drop_at,
        drop_chance=drop_chance,
        lose_at=lose_at,
        lose_chance=lose_chance,
        silent_from=file.silence.telegram if file.silence else None,
        delay_s=file.delay.seconds,
        jitter_s=file.delay.jitter,
        hiccup_chance=file.hiccup.chance,
        hiccup_s=file.hiccup.seconds,
        die_at=file.die.telegram if file.die else None,
        restarts=tuple(
            faults.Restart(each.seconds, each.time, each.telegram) for each in file.restart
        ),
        stalls=tuple(
            faults.Stall(
                faults.MOTOR_LETTERS.index(each.motor), each.seconds, each.time, each.telegram
            )
            for each in file.stall
        ),
        battery_mv=file.battery.millivolts,
        battery_ohm=file.battery.ohms,
        drain_mv_per_minute=file.battery.drain_mv_per_minute,
        sleep_timeout_s=file.sleep.after,
        sensors=tuple(faults.SensorChange(each.plug, each.time) for each in file.sensor),
    )


def _telegrams(each_at: tuple[_At, ...]) -> tuple[tuple[int, ...], float]:
    """Return the numbers, and the chance of all other telegrams."""
    numbers = tuple(at.telegram for at in each_at if at.telegram is not None)
    return numbers, max((at.chance for at in each_at if at.chance is not None), default=0.0)
