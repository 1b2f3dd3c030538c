"""What a MindCuber offers to the commands: its drive, its calibration, its bricks."""

import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import msgspec

from controller.errors import InvalidCalibrationError, InvalidJournalError
from controller.motion.mechanism import Mechanism, OnMotors, ignore_motors
from controller.rigs.mindcuber.calibration import (
    MindCuberCalibration,
    load_calibration,
    save_seconds,
    user_calibration_path,
)
from controller.rigs.mindcuber.mechanism import MindCuberMechanism
from controller.rigs.mindcuber.motors import NAMES
from controller.rigs.nxt_cradle.brick.address import parse_address
from controller.rigs.nxt_cradle.brick.brick_link import BrickLink, own_link
from controller.rigs.nxt_cradle.brick.keep_awake import KeepAwake
from controller.rigs.nxt_cradle.calibration.measurement import measure_seconds
from controller.rigs.nxt_cradle.calibration.values import Seconds, doubts
from controller.rigs.nxt_cradle.diagnosis import examine_bricks, examine_installation
from controller.rigs.nxt_cradle.home.jogging import jog_motor
from controller.rigs.nxt_cradle.program_drive.mechanism import ProgramMechanism
from controller.rigs.rig import Finding, Jogged, Prices, Rig, Setup
from solvers.foundation.clock import Clock
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.progress import Job, Progress
from solvers.foundation.typed_files import convert

_log: Final = logging.getLogger(__name__)


def open_program(
    link: BrickLink,
    clock: Clock,
    calibration: MindCuberCalibration,
    on_motors: OnMotors = ignore_motors,
) -> MindCuberMechanism:
    """Return the machine driven by our program on its brick."""
    for sentence in doubts(calibration.seconds, ProgramMechanism.drive_name, link.battery().volts):
        _log.warning(sentence)
    return MindCuberMechanism(link, clock, calibration, on_motors)


@dataclass(frozen=True, slots=True)
class MindCuberSetup:
    """A MindCuber as calibrated."""

    calibration: MindCuberCalibration

    @property
    def costs(self) -> Seconds:
        """The prices of its primitives."""
        return self.calibration.seconds

    @property
    def retry_pause_s(self) -> float:
        """How long to wait before the one retry of a primitive."""
        return self.calibration.patience.retry_pause_s

    @property
    def data(self) -> Mapping[str, Any]:
        """The whole calibration as JSON knows it."""
        plain: dict[str, Any] = msgspec.to_builtins(self.calibration)
        return plain

    @contextmanager
    def connected(
        self,
        address: str,
        drive: str,  # noqa: ARG002 - there is one
        clock: Clock,
        on_motors: OnMotors = ignore_motors,
    ) -> Iterator[Mechanism]:
        """Connect to a brick and keep it awake until it is given back."""
        with own_link(parse_address(address)) as link:
            keep_awake = KeepAwake(link, clock, self.calibration.patience.keep_alive_s)
            with keep_awake.in_background():
                yield open_program(link, clock, self.calibration, on_motors)

    def jog(
        self, address: str, motor: str, angle_deg: int, power_percent: int, clock: Clock
    ) -> Jogged:
        """Turn one motor and let it coast. Raises InvalidInputError for a motor it has not."""
        for port, name in NAMES.items():
            if motor.lower() in (name, name.split()[0], port.value.lower()):
                stall_s = self.calibration.patience.stall_s
                place = parse_address(address)
                jogged = jog_motor(place, port.value, angle_deg, power_percent, clock, stall_s)
                return replace(jogged, motor=name)
        raise InvalidInputError(
            f"{motor!r} is no motor of the rig: table (A), sensor arm (B) or tilt arm (C)."
        )

    def measure(
        self,
        mechanism: Mechanism,
        clock: Clock,  # noqa: ARG002 - the brick's own is better
        rounds: int,
    ) -> Job[Progress, Seconds]:
        """Play every primitive `rounds` times; the cube ends as it started."""
        assert isinstance(mechanism, ProgramMechanism)
        volts = round(mechanism.battery().volts, 1)
        seconds = yield from measure_seconds(mechanism, rounds)
        return msgspec.structs.replace(seconds, drive=mechanism.drive_name, volts=volts)


class MindCuber:
    """The machine that most owners of an NXT have built."""

    drives = (ProgramMechanism.drive_name,)

    def check_address(self, address: str) -> None:
        """Raise InvalidAddressError if `address` is no brick's."""
        parse_address(address)

    def setup(self, calibration: Path | None = None) -> Setup:
        """Return the machine as a calibration file says."""
        return MindCuberSetup(load_calibration(calibration))

    def setup_from(self, data: Mapping[str, Any], where: str) -> Setup:
        """Return the machine as a journal says."""
        return MindCuberSetup(convert(dict(data), MindCuberCalibration, where, InvalidJournalError))

    def prices_file(self, calibration: Path | None) -> Path:
        """Return `calibration`, or the owner's own file."""
        return calibration or user_calibration_path()

    def save_prices(self, prices: Prices, path: Path, measured: str) -> None:
        """Put measured seconds into a calibration file; everything else in it stays."""
        assert isinstance(prices, Seconds)
        save_seconds(path, msgspec.structs.replace(prices, measured=measured))

    def examine(self, addresses: Iterable[str]) -> tuple[list[Finding], list[Finding]]:
        """Look at the libraries and the calibration, and at which bricks answer."""
        installed = [each for each in examine_installation() if each.name != "calibration"]
        return [*installed, _calibration()], examine_bricks(addresses)


def _calibration() -> Finding:
    path = user_calibration_path()
    if not path.exists():
        remedy = "`cuberobot calibrate --rig mindcuber` measures your machine."
        return Finding("calibration", True, "the default MindCuber of the NXT 2.0 kit.", remedy)
    try:
        load_calibration(path)
    except InvalidCalibrationError as error:
        return Finding("calibration", False, str(error), f"Mend or delete {path}.")
    return Finding("calibration", True, str(path))


RIG: Final[Rig] = MindCuber()
