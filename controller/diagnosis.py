"""Finds out what this computer has for the robot and for the board, and what answers."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.opening import camera_opener
from controller.rigs.installed import package
from controller.rigs.rig import Finding, Rig
from controller.vision.errors import CameraError
from firmware_tools.building.toolchain import find_toolchain
from firmware_tools.errors import ToolchainError
from firmware_tools.line.serial_link import available_ports

DEVICES: Final = Path("/dev")
NO_CAMERA: Final = (
    "Plug one in, or use a URL: `--camera http://ADDRESS/video` takes what a telephone shows."
)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was found on this computer and at the addresses of machines."""

    installation: tuple[Finding, ...]
    cameras: tuple[Finding, ...]
    board: tuple[Finding, ...]
    machines: tuple[Finding, ...]

    @property
    def a_machine_answers(self) -> bool:
        """Whether there is something to drive."""
        return any(finding.ok for finding in self.machines)


def diagnose(rig: Rig, more_addresses: Iterable[str], devices: Path = DEVICES) -> Diagnosis:
    """Look at Python, the libraries, cameras, what rig and board need, and machines that answer.

    Raises InvalidAddressError for an address that is none.
    """
    installation, machines = rig.examine(more_addresses)
    general = [Finding("Python", True, sys.version.split()[0]), package("opencv-python-headless")]
    board = (_compiler(), *_ports())
    cameras = tuple(_cameras(devices))
    return Diagnosis((*general, *installation), cameras, board, tuple(machines))


def _cameras(devices: Path) -> Iterable[Finding]:
    """Yield each camera of the computer with what its first frame is like."""
    found = sorted(devices.glob("video*"), key=lambda path: (len(path.name), path.name))
    if not found:
        yield Finding("camera", False, "This computer has none.", NO_CAMERA)
    for path in found:
        yield examine_camera(str(path))


def examine_camera(name: str) -> Finding:
    """Open a camera and take one frame."""
    shown = f"camera {name.removeprefix('/dev/video')}"
    try:
        with camera_opener(name)() as source:
            height, width = source.read().shape[:2]
            warnings = " ".join(source.settings.warnings)
    except CameraError as error:
        return Finding(shown, False, str(error))
    return Finding(shown, True, f"gives frames of {width} x {height}.", warnings)


def _compiler() -> Finding:
    name = "compiler sdcc"
    try:
        toolchain = find_toolchain()
    except ToolchainError as error:
        return Finding(name, False, str(error), "Only to build programs for the AKSEN board.")
    return Finding(name, True, f"{toolchain.sdcc}, {toolchain.version}")


def _ports() -> Iterable[Finding]:
    found = available_ports()
    if not found:
        advice = "The AKSEN board needs one: plug its adapter in, or use `hwsim aksen`."
        yield Finding("serial port", False, "This computer has none.", advice)
    for port in found:
        yield Finding(f"port {port.device}", True, f"{port.description}; try `aksen info`.")
