"""Finds out what this computer has for bricks, and which of them answer."""

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from controller.errors import InvalidCalibrationError, RobotError
from controller.rigs.installed import package
from controller.rigs.nxt_cradle.brick.address import parse_address
from controller.rigs.nxt_cradle.brick.own_link import own_link
from controller.rigs.nxt_cradle.brick_program.installation import running_program
from controller.rigs.nxt_cradle.calibration.file import load_calibration, user_calibration_path
from controller.rigs.rig import Finding

LOW_BATTERY_VOLTS: Final = 7.0  # below this the motors do not reach their regulated speed


def examine_installation() -> list[Finding]:
    """Look at the libraries, USB, Bluetooth and the calibration."""
    return [package("nxt-python"), _usb_library(), _bluetooth_library(), _calibration()]


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
            volts = link.battery_volts()
            program = running_program(link) or "no program"
            detail = f"{link.name()!r}, {volts:.1f} V, {program} running."
    except RobotError as error:
        return Finding(name, False, str(error))
    remedy = "" if volts >= LOW_BATTERY_VOLTS else "The battery is low: charge it before a run."
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
