"""Positions motors through MotorControl22, a program on the brick that brakes to the degree.

Its messages and the pauses it wants between them are described in the manual of MotorControl. The
link's delay costs only the start of a move then, which is what Bluetooth needs.
"""

from controller.drivers.brick_link import BrickLink
from controller.drivers.drive import Tolerance, out_of_reach, stalled
from controller.drivers.rig_steps import Motor
from controller.errors import BrickRefusedError
from solvers.foundation.clock import Clock

PROGRAM = "MotorControl22.rxe"
INBOX = 1
OUTBOX = 0

STOP_TIME_S = 1.0  # the firmware needs about a second to end a program
START_TIME_S = 0.1
PAUSE_S = 0.015  # between two messages to one motor
LOOK_INTERVAL_S = 0.02
REPLY_LOOKS = 50
HOLD_BRAKE_AND_REGULATE = "3"
UNLIMITED = 0
CORRECTIONS = 4
CREEP_POWER = 25
FASTEST_DEG_PER_S_PER_POWER = 10.0

_PORT_DIGITS = {Motor.CRADLE: "0", Motor.ARM: "1", Motor.PUSHER: "2"}


class MotorControlDrive:
    """Sends controlled moves and asks until the motor is ready again."""

    def __init__(self, link: BrickLink, clock: Clock, stall_s: float) -> None:
        self._link = link
        self._clock = clock
        self._stall_s = stall_s
        self._pushing: Motor | None = None

    def start(self) -> None:
        """Start the program unless it runs. Raises BrickRefusedError if it is not on the brick."""
        running = self._link.running_program()
        if running == PROGRAM:
            return
        if running is not None:
            self._link.stop_program()
            self._clock.sleep(STOP_TIME_S)
        try:
            self._link.start_program(PROGRAM)
        except BrickRefusedError:
            raise BrickRefusedError(
                f"The brick does not start {PROGRAM}. Put it on the brick with nxt-push (its "
                "source is at github.com/schodet/MotorControl), or run without --motor-control."
            ) from None
        self._clock.sleep(START_TIME_S)

    def push(self, motor: Motor, power: int) -> None:
        """Push with constant power."""
        self._release(motor)
        self._pushing = motor
        self._send(f"4{_PORT_DIGITS[motor]}{_power(power)}{UNLIMITED:06}0")

    def go(self, motor: Motor, target_tacho: int, power: int, tolerance: Tolerance) -> list[int]:
        """Let the brick drive there, and correct what is missing."""
        if motor is self._pushing:
            self._release(motor)
            self._pushing = None
        tacho = self._link.tacho(motor)
        stood_at = [tacho]
        for attempt in range(1 + CORRECTIONS):
            distance = target_tacho - tacho
            if tolerance.allows(-distance):
                return stood_at
            speed = CREEP_POWER if attempt else power
            signed = speed if distance > 0 else -speed
            self._send(
                f"1{_PORT_DIGITS[motor]}{_power(signed)}{abs(distance):06}{HOLD_BRAKE_AND_REGULATE}"
            )
            # Asking costs two messages; nobody expects the motor there before this.
            self._clock.sleep(abs(distance) / (FASTEST_DEG_PER_S_PER_POWER * speed))
            self._wait_until_ready(motor, target_tacho)
            tacho = self._link.tacho(motor)
            stood_at.append(tacho)
        raise out_of_reach(motor, tacho, target_tacho)

    def _release(self, motor: Motor) -> None:
        """End whatever the motor does; a busy one would drop the next command with a beep."""
        self._send(f"4{_PORT_DIGITS[motor]}{_power(0)}{UNLIMITED:06}1")

    def _wait_until_ready(self, motor: Motor, target: int) -> None:
        moved_s, tacho = self._clock.now(), self._link.tacho(motor)
        while not self._is_ready(motor):
            before, tacho = tacho, self._link.tacho(motor)
            now_s = self._clock.now()
            if tacho != before:
                moved_s = now_s
            elif now_s - moved_s > self._stall_s:
                self._release(motor)
                raise stalled(motor, tacho, target, now_s - moved_s)
            self._clock.sleep(LOOK_INTERVAL_S)

    def _is_ready(self, motor: Motor) -> bool:
        self._send(f"3{_PORT_DIGITS[motor]}")
        for _ in range(REPLY_LOOKS):
            reply = self._link.read_message(OUTBOX, INBOX)
            if reply is not None and reply[:1] == _PORT_DIGITS[motor]:
                return reply[1:2] == "1"
            self._clock.sleep(PAUSE_S)
        raise BrickRefusedError(f"{PROGRAM} runs but does not answer; switch the brick off and on.")

    def _send(self, message: str) -> None:
        self._link.write_message(INBOX, message)
        self._clock.sleep(PAUSE_S)


def _power(power: int) -> str:
    """Return three digits; backwards is written as 100 more."""
    return f"{abs(power) + (100 if power < 0 else 0):03}"
