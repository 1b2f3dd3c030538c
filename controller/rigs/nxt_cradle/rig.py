"""What this rig offers to the commands: its drives, its calibration, its bricks."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from controller.errors import InvalidJournalError
from controller.motion.mechanism import Mechanism, OnMotors, nobody_watches
from controller.rigs.nxt_cradle.brick.address import parse_address
from controller.rigs.nxt_cradle.brick.keep_awake import KeepAwake
from controller.rigs.nxt_cradle.brick.own_link import own_link
from controller.rigs.nxt_cradle.calibration.file import (
    load_calibration,
    save_seconds,
    user_calibration_path,
)
from controller.rigs.nxt_cradle.calibration.measurement import measure_seconds
from controller.rigs.nxt_cradle.calibration.values import Calibration, Seconds
from controller.rigs.nxt_cradle.diagnosis import examine_bricks, examine_installation
from controller.rigs.nxt_cradle.direct_mechanism import DirectMechanism
from controller.rigs.nxt_cradle.jogging import jog_motor
from controller.rigs.nxt_cradle.program_mechanism import ProgramMechanism
from controller.rigs.nxt_cradle.registry import DRIVES
from controller.rigs.rig import Finding, Jogged, Prices, Rig, Setup
from solvers.foundation.clock import Clock
from solvers.foundation.progress import Job, Progress
from solvers.foundation.typed_files import convert


@dataclass(frozen=True, slots=True)
class NxtSetup:
    """An NXT rig as calibrated."""

    calibration: Calibration

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
        self, address: str, drive: str, clock: Clock, on_motors: OnMotors = nobody_watches
    ) -> Iterator[Mechanism]:
        """Connect to a brick and keep it awake until it is given back."""
        patience = self.calibration.patience
        with own_link(parse_address(address)) as link:
            keep_awake = KeepAwake(link, clock, patience.keep_alive_s)
            with keep_awake.in_background():
                yield DRIVES[drive](link, clock, keep_awake, self.calibration, on_motors)

    def jog(
        self, address: str, motor: str, angle_deg: int, power_percent: int, clock: Clock
    ) -> Jogged:
        """Turn one motor and let it coast."""
        stall_s = self.calibration.patience.stall_s
        return jog_motor(parse_address(address), motor, angle_deg, power_percent, clock, stall_s)

    def measure(
        self,
        mechanism: Mechanism,
        clock: Clock,  # noqa: ARG002 - the brick's own is better
        rounds: int,
    ) -> Job[Progress, Seconds]:
        """Play every primitive `rounds` times; the cube ends as it began."""
        assert isinstance(mechanism, ProgramMechanism | DirectMechanism)
        volts = round(mechanism.battery().volts, 1)
        seconds = yield from measure_seconds(mechanism, rounds)
        return msgspec.structs.replace(seconds, drive=mechanism.drive_name, volts=volts)


class NxtCradle:
    """The rig of the thesis."""

    drives = tuple(DRIVES)

    def check_address(self, address: str) -> None:
        """Raise InvalidAddressError if `address` is no brick's."""
        parse_address(address)

    def setup(self, calibration: Path | None = None) -> Setup:
        """Return the rig as a calibration file says."""
        return NxtSetup(load_calibration(calibration))

    def setup_from(self, data: Mapping[str, Any], where: str) -> Setup:
        """Return the rig as a journal says."""
        return NxtSetup(convert(dict(data), Calibration, where, InvalidJournalError))

    def save_prices(self, prices: Prices, calibration: Path | None, measured: str) -> Path:
        """Put measured seconds into a calibration file, the owner's own if none is named."""
        assert isinstance(prices, Seconds)
        path = calibration or user_calibration_path()
        save_seconds(path, msgspec.structs.replace(prices, measured=measured))
        return path

    def examine(self, addresses: Iterable[str]) -> tuple[list[Finding], list[Finding]]:
        """Look at the libraries and the calibration, and at which bricks answer."""
        return examine_installation(), examine_bricks(addresses)


RIG: Final[Rig] = NxtCradle()
