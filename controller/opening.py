"""Opens what a job needs: the robot at an address, and a camera by its name."""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from controller.controls import Controls
from controller.motion.cost_model import CostModel
from controller.motion.driving.journal import RunHeader
from controller.motion.mechanism import Mechanism
from controller.rigs.dry_run import DryRunMechanism
from controller.rigs.registry import DEFAULT_RIG, drive_called, rig_called
from controller.rigs.rig import Setup
from solvers.foundation.clock import Clock, ImmediateClock

if TYPE_CHECKING:
    from controller.vision.camera.sources import FrameSource

OpenCamera: TypeAlias = "Callable[[], AbstractContextManager[FrameSource]]"

DRY_RUN: Final = "dry-run"
"""Stands in for the address of a machine where nothing is to move."""


@dataclass(frozen=True, slots=True)
class Robot:
    """A robot that can be connected to; everything that waits for it waits by its `controls`."""

    rig: str
    drive: str
    address: str
    costs: CostModel
    retry_pause_s: float
    controls: Controls
    connect: Callable[[], AbstractContextManager[Mechanism]]


def robot_at(
    address: str,
    clock: Clock,
    *,
    rig: str = DEFAULT_RIG,
    drive: str | None = None,
    calibration: Path | None = None,
) -> Robot:
    """Return the robot at `address`; nothing is connected yet.

    Raises InvalidInputError for an unknown rig or drive, a bad address or calibration.
    """
    kind = rig_called(rig)
    chosen = drive_called(kind, drive)
    kind.check_address(address)
    setup = kind.setup(calibration)
    controls = Controls(clock)
    return _robot(
        rig, chosen, address, setup, controls, lambda: setup.connected(address, chosen, controls)
    )


def dry_robot(*, rig: str = DEFAULT_RIG, calibration: Path | None = None) -> Robot:
    """Return a robot that moves nothing and whose time passes at once."""
    kind = rig_called(rig)
    setup = kind.setup(calibration)
    controls = Controls(ImmediateClock())

    @contextmanager
    def connect() -> Iterator[Mechanism]:
        yield DryRunMechanism(setup.costs, controls)

    return _robot(rig, kind.drives[0], DRY_RUN, setup, controls, connect)


def robot_for(
    header: RunHeader, clock: Clock, *, brick: str | None = None, calibration: Path | None = None
) -> Robot:
    """Return the robot of an earlier run, at another address if one is given.

    Raises InvalidInputError.
    """
    address = brick or header.brick
    if address == DRY_RUN:
        return dry_robot(rig=header.rig, calibration=calibration)
    return robot_at(address, clock, rig=header.rig, drive=header.drive, calibration=calibration)


def camera_called(name: str) -> OpenCamera:
    """Return what opens a camera, stream, video file or folder of pictures, and closes it."""

    @contextmanager
    def opened() -> "Iterator[FrameSource]":
        # OpenCV and FFmpeg would write to the terminal what the errors say in a sentence.
        os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
        os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
        from controller.vision.camera.opening import open_source

        source = open_source(name)
        try:
            yield source
        finally:
            source.close()

    return opened


def _robot(
    rig: str,
    drive: str,
    address: str,
    setup: Setup,
    controls: Controls,
    connect: Callable[[], AbstractContextManager[Mechanism]],
) -> Robot:
    return Robot(rig, drive, address, setup.costs, setup.retry_pause_s, controls, connect)
