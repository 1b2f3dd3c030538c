"""Measures what the primitives cost on a connected rig, and keeps that."""

from dataclasses import dataclass
from pathlib import Path

from controller.controls import Controls
from controller.errors import StoppedError
from controller.rigs.registry import drive_called, rig_called
from controller.rigs.rig import Prices
from solvers.foundation.clock import Clock, today
from solvers.foundation.progress import Job, Progress


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """What was measured, and the file that holds it now."""

    prices: Prices
    path: Path


def calibrate(
    address: str,
    clock: Clock,
    *,
    rig: str,
    drive: str | None,
    calibration: Path | None,
    output: Path | None,
    rounds: int,
) -> Job[Progress, CalibrationReport]:
    """Play each primitive `rounds` times and write the prices into a calibration file.

    The file is `output`, or `calibration`, or the owner's own; other values in it stay. The rig
    stands at home; the cube ends as it began. Raises InvalidInputError and RobotError.
    """
    kind = rig_called(rig)
    chosen = drive_called(kind, drive)
    setup = kind.setup(calibration)
    controls = Controls(clock)
    with setup.connected(address, chosen, controls) as mechanism:
        try:
            mechanism.set_home()
            prices = yield from setup.measure(mechanism, controls, rounds)
        except (StoppedError, KeyboardInterrupt):
            mechanism.release(at_once=True)
            raise
        finally:
            mechanism.release()
    measured = f"{today()}, {address}"
    path = kind.save_prices(prices, output or calibration, measured)
    return CalibrationReport(prices, path)
