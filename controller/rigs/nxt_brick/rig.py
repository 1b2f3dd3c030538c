"""What makes of rig with an NXT brick have in common, and which bricks answer."""

import logging
import platform
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

import msgspec

from controller.errors import InvalidCalibrationError, InvalidJournalError, RobotError
from controller.motion.mechanism import Mechanism, OnMotors, ignore_motors
from controller.rigs.installed import package
from controller.rigs.nxt_brick.bluetooth import FAMILY
from controller.rigs.nxt_brick.brick_link import (
    ASK_DOCTOR,
    BrickLink,
    KeepAwake,
    own_link,
    parse_address,
)
from controller.rigs.nxt_brick.calibration import (
    BrickCalibration,
    C,
    CalibrationFiles,
    Seconds,
    TimedMechanism,
    doubts,
    measure_seconds,
)
from controller.rigs.nxt_brick.direct_player import jog_motor, motor_called
from controller.rigs.nxt_brick.motion import Motor
from controller.rigs.nxt_brick.programs import running_program
from controller.rigs.rig import Finding, Jogged, Margins, Prices
from solvers.foundation.clock import Clock
from solvers.foundation.progress import Job, Progress
from solvers.foundation.typed_files import convert

_log: Final = logging.getLogger(__name__)
Read = TypeVar("Read", bound=BrickCalibration, contravariant=True)


class OpenDrive(Protocol[Read]):
    """Makes a drive's mechanism of a link, a clock, who keeps the brick awake, and the rig."""

    def __call__(
        self,
        link: BrickLink,
        clock: Clock,
        keep_awake: KeepAwake,
        calibration: Read,
        on_motors: OnMotors = ignore_motors,
        /,
    ) -> Mechanism:
        """Return it; `on_motors` is called with where the motors stand."""


def warn_of_prices(calibration: BrickCalibration, drive: str, volts: float) -> None:
    """Log why planned seconds may be wrong with a drive and a battery of so many volts."""
    for sentence in doubts(calibration.seconds, drive, volts):
        _log.warning(sentence)


@dataclass(frozen=True, slots=True)
class BrickSetup(Generic[C]):
    """A rig as calibrated; implements `Setup`."""

    rig: "BrickRig[C]"
    calibration: C

    @property
    def margins(self) -> Margins | None:
        """Its margins; None if there is nothing to tune."""
        return None if self.rig.margins is None else self.rig.margins(self.calibration)

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
        with own_link(parse_address(address)) as link:
            keep_awake = KeepAwake(link, clock, self.calibration.patience.keep_alive_s)
            with keep_awake.in_background():
                open_drive = self.rig.open_by_drive[drive]
                yield open_drive(link, clock, keep_awake, self.calibration, on_motors)

    def jog(
        self, address: str, motor: str, angle_deg: int, power_percent: int, clock: Clock
    ) -> Jogged:
        """Turn one motor and let it coast. Raises InvalidInputError for a motor it has not."""
        which = motor_called(motor, self.rig.motor_names)
        stall_s = self.calibration.patience.stall_s
        place = parse_address(address)
        return jog_motor(
            place, which, self.rig.motor_names, angle_deg, power_percent, clock, stall_s
        )

    def measure(
        self,
        mechanism: Mechanism,
        clock: Clock,  # noqa: ARG002 - the brick's own is better
        rounds: int,
    ) -> Job[Progress, Seconds]:
        """Play every primitive `rounds` times; the cube ends as it started."""
        assert isinstance(mechanism, TimedMechanism)
        battery = mechanism.battery()
        assert battery is not None, "a brick has one"
        seconds = yield from measure_seconds(mechanism, rounds)
        volts = round(battery.volts, 1)
        return msgspec.structs.replace(seconds, drive=mechanism.drive_name, volts=volts)


@dataclass(frozen=True, slots=True)
class BrickRig(Generic[C]):
    """A make of rig; implements `Rig`.

    `default` is what an owner has who has not calibrated, `calibrate` the command that does it.
    """

    files: CalibrationFiles[C]
    open_by_drive: Mapping[str, OpenDrive[C]]
    motor_names: Mapping[Motor, str]
    default: str
    calibrate: str
    own_eye: str | None = None
    picture: bytes | None = None
    margins: Callable[[C], Margins] | None = None

    @property
    def drives(self) -> tuple[str, ...]:
        """The ways to drive it, the usual one first."""
        return tuple(self.open_by_drive)

    @property
    def motors(self) -> tuple[str, ...]:
        """The names of its motors, in the order of their ports."""
        return tuple(self.motor_names.values())

    def check_address(self, address: str) -> None:
        """Raise InvalidAddressError if `address` is no brick's."""
        parse_address(address)

    def setup_of(self, calibration: C) -> BrickSetup[C]:
        """Return the rig with a calibration."""
        return BrickSetup(self, calibration)

    def setup(self, calibration: Path | None = None) -> BrickSetup[C]:
        """Return the rig as a calibration file says."""
        return self.setup_of(self.files.load(calibration))

    def setup_from(self, data: Mapping[str, Any], where: str) -> BrickSetup[C]:
        """Return the rig as a journal says."""
        return self.setup_of(convert(dict(data), self.files.kind, where, InvalidJournalError))

    def prices_file(self, calibration: Path | None) -> Path:
        """Return `calibration`, or the owner's own file."""
        return calibration or self.files.user_path

    def save_prices(self, prices: Prices, path: Path, measured: str) -> None:
        """Put measured seconds into a calibration file; everything else in it stays."""
        assert isinstance(prices, Seconds)
        self.files.save_seconds(path, msgspec.structs.replace(prices, measured=measured))

    def examine(self, addresses: Iterable[str]) -> tuple[list[Finding], list[Finding]]:
        """Look at the libraries and the calibration, and at which bricks answer."""
        return [*examine_installation(), self._calibration()], examine_bricks(addresses)

    def _calibration(self) -> Finding:
        path = self.files.user_path
        if not path.exists():
            remedy = f"`{self.calibrate}` measures your rig."
            return Finding("calibration", True, self.default, remedy)
        try:
            self.files.load(path)
        except InvalidCalibrationError as error:
            return Finding("calibration", False, str(error), f"Mend or delete {path}.")
        return Finding("calibration", True, str(path))


VENDOR: Final = 'ATTR{idVendor}=="0694"'
RULE: Final = f'SUBSYSTEM=="usb", {VENDOR}, ATTR{{idProduct}}=="0002", TAG+="uaccess"'
RULE_FILE: Final = "/etc/udev/rules.d/70-lego-nxt.rules"
RULE_COMMANDS: Final = (
    f"echo '{RULE}' | sudo tee {RULE_FILE}",
    "sudo udevadm control --reload && sudo udevadm trigger --subsystem-match=usb",
)
RULE_FOLDERS: Final = tuple(
    Path(each) for each in ("/etc/udev/rules.d", "/run/udev/rules.d", "/usr/lib/udev/rules.d")
)


def examine_installation() -> list[Finding]:
    """Look at the libraries, USB and Bluetooth."""
    found = [package("nxt-python"), _usb_library(), _bluetooth_library()]
    return [*found, udev_rule(), _compiler()]


def examine_bricks(more_addresses: Iterable[str]) -> list[Finding]:
    """Try USB, every bound Bluetooth device file, and the given addresses.

    Raises InvalidAddressError for an address that is none.
    """
    device_files = sorted(str(path) for path in Path("/dev").glob("rfcomm*"))
    addresses = ["usb", *(f"devfile:{path}" for path in device_files), *more_addresses]
    return [examine_brick(address) for address in addresses]


def examine_brick(text: str) -> Finding:
    """Look whether a brick answers, and at its battery."""
    name = f"brick at {text}"
    try:
        with own_link(parse_address(text)) as link:
            battery = link.battery()
            program = running_program(link) or "no program"
            detail = f"{link.name()!r}, {battery.volts:.1f} V, {program} running."
    except RobotError as error:
        return Finding(name, False, str(error).replace(ASK_DOCTOR, ""))
    remedy = "The battery is low: charge it before a run." if battery.is_low else ""
    return Finding(name, True, detail, remedy)


def _usb_library() -> Finding:
    import usb.backend.libusb1

    if usb.backend.libusb1.get_backend() is not None:
        return Finding("USB library", True, "libusb 1.0")
    remedy = "Install libusb-1.0 (Debian: apt install libusb-1.0-0) to use bricks on USB."
    return Finding("USB library", False, "libusb is missing.", remedy)


def _bluetooth_library() -> Finding:
    if find_spec("bluetooth") is not None:
        return Finding("Bluetooth library", True, "PyBluez")
    if FAMILY is not None:
        return Finding("Bluetooth library", True, "Python's own, for --brick bluetooth:ADDRESS.")
    remedy = "Install PyBluez, or connect the brick by USB."
    return Finding("Bluetooth library", False, "This Python has none, nor PyBluez.", remedy)


def udev_rule(folders: Iterable[Path] = RULE_FOLDERS) -> Finding:
    """Look whether Linux lets its users have a brick on USB."""
    if platform.system() != "Linux":
        return Finding("udev rule", True, "needed on Linux alone.")
    for path in (path for folder in folders for path in sorted(folder.glob("*.rules"))):
        if VENDOR in path.read_text(encoding="utf-8", errors="replace"):
            return Finding("udev rule", True, str(path))
    remedy = "Only root may use a brick on USB; the lines below let you."
    return Finding("udev rule", False, "there is none for LEGO's devices.", remedy, RULE_COMMANDS)


def _compiler() -> Finding:
    """Look for the compiler of programs for the brick; the project's own is there compiled."""
    name, path = "compiler nbc", shutil.which("nbc")
    if path is not None:
        return Finding(name, True, path)
    remedy = "Only to change programs for the brick (Debian: apt install nbc)."
    return Finding(name, False, "is not installed.", remedy)
