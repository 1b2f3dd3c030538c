"""What this rig offers to the commands: its drives, its calibration, its bricks."""

import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import msgspec

from controller.errors import InvalidJournalError
from controller.motion.mechanism import Mechanism, OnMotors, ignore_motors
from controller.rigs.nxt_cradle.brick.address import parse_address
from controller.rigs.nxt_cradle.brick.brick_link import BrickLink, own_link
from controller.rigs.nxt_cradle.brick.guard import Guard
from controller.rigs.nxt_cradle.brick.keep_awake import KeepAwake
from controller.rigs.nxt_cradle.brick.programs import why_not
from controller.rigs.nxt_cradle.calibration.file import (
    load_calibration,
    save_seconds,
    user_calibration_path,
)
from controller.rigs.nxt_cradle.calibration.measurement import measure_seconds
from controller.rigs.nxt_cradle.calibration.values import Calibration, Seconds, doubts
from controller.rigs.nxt_cradle.diagnosis import examine_bricks, examine_installation
from controller.rigs.nxt_cradle.direct_drive import DirectMechanism
from controller.rigs.nxt_cradle.home.homing import Homing
from controller.rigs.nxt_cradle.home.jogging import jog_motor
from controller.rigs.nxt_cradle.motions.choreography import Choreographer
from controller.rigs.nxt_cradle.motions.direct_player import BEYOND_DEG, DirectPlayer
from controller.rigs.nxt_cradle.program_drive.mechanism import ProgramMechanism
from controller.rigs.nxt_cradle.program_drive.player import Player
from controller.rigs.rig import Finding, Jogged, Prices, Rig, Setup
from solvers.foundation.clock import Clock
from solvers.foundation.progress import Job, Progress
from solvers.foundation.typed_files import convert


class OpenDrive(Protocol):
    """Makes a drive's mechanism of a link, a clock, who keeps the brick awake, and the rig."""

    def __call__(
        self,
        link: BrickLink,
        clock: Clock,
        keep_awake: KeepAwake,
        calibration: Calibration,
        on_motors: OnMotors = ignore_motors,
        /,
    ) -> Mechanism:
        """Return it; `on_motors` is called with where the motors stand."""


_log: Final = logging.getLogger(__name__)


def open_program(
    link: BrickLink,
    clock: Clock,
    _: KeepAwake,
    calibration: Calibration,
    on_motors: OnMotors = ignore_motors,
) -> Mechanism:
    """Return the rig driven by our program on the brick."""
    _warn(link, calibration, ProgramMechanism.drive_name)
    player = Player(link, clock, calibration.powers)
    homing = Homing(link, clock, calibration, player.beat)
    return ProgramMechanism(player, Choreographer(calibration), clock, homing, on_motors)


def open_direct(
    link: BrickLink,
    clock: Clock,
    keep_awake: KeepAwake,
    calibration: Calibration,
    on_motors: OnMotors = ignore_motors,
) -> Mechanism:
    """Return the rig driven by direct commands alone: nothing is installed on the brick."""
    _warn(link, calibration, DirectMechanism.drive_name)
    stall_s = calibration.patience.stall_s
    guard = Guard(link, clock)
    player = DirectPlayer(link, clock, calibration.powers, stall_s, on_motors, guard.beat)
    choreographer = Choreographer(calibration, BEYOND_DEG)
    homing = Homing(link, clock, calibration, guard.beat)
    return DirectMechanism(link, player, choreographer, keep_awake, clock, homing, guard)


def open_best(
    link: BrickLink,
    clock: Clock,
    keep_awake: KeepAwake,
    calibration: Calibration,
    on_motors: OnMotors = ignore_motors,
) -> Mechanism:
    """Return the rig driven by our program where the brick can run it. Raises RobotError."""
    reason = why_not(link)
    if reason is None:
        return open_program(link, clock, keep_awake, calibration, on_motors)
    _log.warning("%s Direct commands move the motors instead.", reason)
    return open_direct(link, clock, keep_awake, calibration, on_motors)


def _warn(link: BrickLink, calibration: Calibration, drive: str) -> None:
    """Log why planned seconds may be wrong."""
    for sentence in doubts(calibration.seconds, drive, link.battery().volts):
        _log.warning(sentence)


DRIVES: Final[dict[str, OpenDrive]] = {
    "auto": open_best,
    "program": open_program,
    "direct": open_direct,
}
"""The drives by name."""


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
        self, address: str, drive: str, clock: Clock, on_motors: OnMotors = ignore_motors
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
        """Play every primitive `rounds` times; the cube ends as it started."""
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

    def prices_file(self, calibration: Path | None) -> Path:
        """Return `calibration`, or the owner's own file."""
        return calibration or user_calibration_path()

    def save_prices(self, prices: Prices, path: Path, measured: str) -> None:
        """Put measured seconds into a calibration file; everything else in it stays."""
        assert isinstance(prices, Seconds)
        save_seconds(path, msgspec.structs.replace(prices, measured=measured))

    def examine(self, addresses: Iterable[str]) -> tuple[list[Finding], list[Finding]]:
        """Look at the libraries and the calibration, and at which bricks answer."""
        return examine_installation(), examine_bricks(addresses)


RIG: Final[Rig] = NxtCradle()
