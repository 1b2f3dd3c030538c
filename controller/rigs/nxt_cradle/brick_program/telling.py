"""What a status of the program says: where motors stand, what stopped one, what was cut off."""

from collections.abc import Mapping, Sequence

from controller.errors import BrickRefusedError, MotorStalledError, RobotError
from controller.motion.mechanism import MotorSeen
from controller.motion.primitives import Primitive
from controller.rigs.nxt_cradle.brick_program.scripts import next_sequence
from controller.rigs.nxt_cradle.brick_program.status import Fault, Status
from controller.rigs.nxt_cradle.motions import CutOff
from controller.rigs.nxt_cradle.motors import Motor


def places(status: Status, home: Sequence[int], goals: Mapping[Motor, int]) -> list[MotorSeen]:
    """Return where the motors stand; `home` are their counts there, `goals` degrees from it."""
    return [
        MotorSeen(motor.name.lower(), count - at, goals.get(motor))
        for motor, count, at in zip(Motor, status.counts, home, strict=True)
    ]


def stalled(primitive: Primitive, status: Status, home: Sequence[int]) -> RobotError:
    """Return the error for a primitive that the program gave up."""
    if status.fault is Fault.BAD_SCRIPT:
        return BrickRefusedError("The program on the brick does not know what it was sent.")
    motor = list(Motor)[status.culprit]
    stands_deg = status.counts[status.culprit] - home[status.culprit]
    return MotorStalledError(
        f"Motor {motor} ({motor.name.lower()}) does not move on: it stands at {stands_deg} "
        f"degrees in the middle of a {str(primitive).split()[0]}. Is something in its way?"
    )


def cut_off_after(done: int, status: Status, home: Sequence[int]) -> CutOff | None:
    """Return where the primitive after number `done` was cut off, None if it was not begun."""
    if status.begun != next_sequence(done) or status.begun == status.finished:
        return None
    cradle, _, pusher = (count - at for count, at in zip(status.counts, home, strict=True))
    return CutOff(status.phase, cradle, pusher)
