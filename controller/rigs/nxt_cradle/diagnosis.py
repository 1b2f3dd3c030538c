"""Finds out what this computer has for bricks, and which of them answer."""

import platform
import shutil
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from controller.errors import InvalidCalibrationError, RobotError
from controller.rigs.installed import package
from controller.rigs.nxt_cradle.brick.address import ASK_DOCTOR, parse_address
from controller.rigs.nxt_cradle.brick.brick_link import own_link
from controller.rigs.nxt_cradle.brick.programs import running_program
from controller.rigs.nxt_cradle.calibration.file import load_calibration, user_calibration_path
from controller.rigs.rig import Finding

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
    """Look at the libraries, USB, Bluetooth and the calibration."""
    found = [package("nxt-python"), _usb_library(), _bluetooth_library(), _calibration()]
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
    remedy = "Not needed on Linux: `rfcomm bind 0 ADDRESS`, then --brick devfile:/dev/rfcomm0."
    return Finding("Bluetooth library", False, "PyBluez is missing.", remedy)


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


def _calibration() -> Finding:
    path = user_calibration_path()
    if not path.exists():
        remedy = "`cuberobot calibrate` measures your rig."
        return Finding("calibration", True, "the default rig of the thesis.", remedy)
    try:
        load_calibration(path)
    except InvalidCalibrationError as error:
        return Finding("calibration", False, str(error), f"Mend or delete {path}.")
    return Finding("calibration", True, str(path))
