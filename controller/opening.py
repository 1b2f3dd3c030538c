"""Opens what a job needs: the robot at an address, and a camera by its name."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec.structs import replace

from controller.controls import Controls
from controller.motion.mechanism import Mechanism, OnMotors, ignore_motors
from controller.motion.primitives import CostModel
from controller.motion.run_record import RunHeader
from controller.rigs.registry import DEFAULT_RIG, get_drive, get_rig
from controller.rigs.rig import OWN_SENSOR, Earned, Rig, Setup, loosened, tightened
from solvers.foundation.clock import Clock
from solvers.foundation.errors import InvalidInputError

if TYPE_CHECKING:
    from controller.vision.camera import FrameSource

OpenCamera: TypeAlias = "Callable[[], AbstractContextManager[FrameSource]]"


@dataclass(frozen=True, slots=True)
class Robot:
    """A robot that can be connected to; everything that waits for it waits by its `controls`.

    `calibration` is its rig's, as the journal keeps it. `loosen` makes margins safer that were
    tuned, and returns a sentence about that; empty if none were. `learn` gets the number of times
    that a run changed the manner in which the cube is moved, and returns a sentence if the next
    runs start in another.
    """

    rig: str
    drive: str
    address: str
    calibration: Mapping[str, Any]
    costs: CostModel
    retry_pause_s: float
    controls: Controls
    connect: Callable[[], AbstractContextManager[Mechanism]]
    loosen: Callable[[], str] = lambda: ""
    learn: Callable[[int], str] = lambda _: ""


def robot_at(
    address: str,
    clock: Clock,
    *,
    rig: str = DEFAULT_RIG,
    drive: str | None = None,
    calibration: Path | None = None,
    on_motors: OnMotors = ignore_motors,
) -> Robot:
    """Return the robot at `address`; nothing is connected yet.

    `on_motors` is called with the motors' angles while it drives.
    Raises InvalidInputError for an unknown rig or drive, a bad address or calibration.
    """
    kind = get_rig(rig)
    chosen = get_drive(kind, drive)
    kind.check_address(address)
    setup = kind.setup(calibration)
    return _robot(rig, chosen, address, setup, clock, on_motors, calibration)


def robot_for(
    header: RunHeader,
    clock: Clock,
    *,
    brick: str | None = None,
    calibration: Path | None = None,
    on_motors: OnMotors = ignore_motors,
) -> Robot:
    """Return the robot of an earlier run, at another address if one is given.

    Its calibration is the one that the run started with, unless another one is given. Raises
    InvalidInputError.
    """
    kind = get_rig(header.rig)
    drive = get_drive(kind, header.drive)
    address = brick or header.brick
    kind.check_address(address)
    if calibration is None:
        setup = kind.setup_from(header.calibration, "The calibration in the journal")
    else:
        setup = kind.setup(calibration)
    return _robot(header.rig, drive, address, setup, clock, on_motors, calibration)


def own_sensor() -> "AbstractContextManager[FrameSource]":
    """Stand for the rig's own sensor, which gives no pictures. Raises InvalidInputError."""
    raise InvalidInputError(
        "A rig's own sensor gives no pictures; name a camera, for example --camera 0."
    )


def camera_opener(name: str) -> OpenCamera:
    """Return what opens a camera, stream, video file or folder of pictures, and closes it."""
    if name == OWN_SENSOR:
        return own_sensor

    @contextmanager
    def opened() -> "Iterator[FrameSource]":
        from controller.vision.camera import open_source

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
    clock: Clock,
    on_motors: OnMotors,
    calibration: Path | None,
) -> Robot:
    controls = Controls(clock)
    return Robot(
        rig=rig,
        drive=drive,
        address=address,
        calibration=setup.data,
        costs=setup.costs,
        retry_pause_s=setup.retry_pause_s,
        controls=controls,
        connect=lambda: setup.connected(address, drive, controls, on_motors),
        loosen=lambda: loosen_margins(get_rig(rig), drive, calibration),
        learn=lambda changes: learn_manner(get_rig(rig), calibration, changes),
    )


def loosen_margins(kind: Rig, drive: str, calibration: Path | None) -> str:
    """Make the margins in a calibration file a step safer; return a sentence about that.

    It is empty if none of them was made tighter before, or if the drive has none.
    """
    path = kind.prices_file(calibration)
    if not path.exists():
        return ""
    try:
        margins = kind.setup(path).margins
        if margins is None or drive not in (margins.drive, kind.drives[0]):
            return ""
        if not tightened(margins.ladder, margins.earned):
            return ""
        safer = loosened(margins.ladder, margins.earned)
        assert safer is not None, "one was made tighter"
        margins.save(safer, path)
    except InvalidInputError as error:
        return f"A tilt went wrong, and the tuned margins could not be made safer. {error}"
    return f"A tilt went wrong, so the tuned margins are a step safer from the next run on: {path}."


def learn_manner(kind: Rig, calibration: Path | None, changes: int) -> str:
    """Note in a calibration file how often a run had to change the manner to move the cube.

    After two in a row that had to, and after one that left a manner that was learnt, the next ones
    start in that in which the last one ended; then a sentence says so, which is empty otherwise.
    """
    path = kind.prices_file(calibration)
    try:
        margins = kind.setup(calibration).margins
        if margins is None:
            return ""
        earned, manner = dict(margins.earned), margins.manner
        now = earned.get(manner.name) or Earned(manner.start, manner.start)
        is_usual = now.value == manner.start
        if not changes or (is_usual and not now.failed):
            if is_usual and bool(changes) != bool(now.failed):
                earned[manner.name] = replace(now, failed=int(changes > 0))
                margins.save(earned, path)
            return ""
        # A first fault leaves a run in a manner that was learnt. One that goes through all others
        # starts over with the first of them.
        others = len(manner.values) - 1
        ended = (max(0.0, now.value - 1) + changes - 1) % others + 1
        if ended == now.value:
            return ""
        # `tune` may try whether the usual one works by now.
        failed, failed_at = now.failed + 1, now.value
        earned[manner.name] = Earned(ended, ended, now.tried, failed, failed_at)
        margins.save(earned, path)
    except InvalidInputError as error:
        if not changes:
            return ""
        return f"The cube was moved in another manner, and that could not be noted. {error}"
    return (
        "The cube had to be moved in another, slower manner again, so the next runs start in it: "
        f"{path}. `cuberobot tune` tries the usual one again."
    )
