"""The connection to an NXT brick; the only module that imports nxt-python.

Every call is one telegram. Whatever nxt-python raises becomes one of the errors of this project: a
dead socket gives it struct.error, a silent one would block it for ever, a missing USB library is a
ValueError.
"""

import logging
import socket
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import nxt.brick
import nxt.error
import nxt.locator
import nxt.motor
import nxt.sensor

from controller.drivers.brick_address import BrickAddress
from controller.drivers.rig_steps import Motor
from controller.drivers.watchdog import CallTimeoutError, Watchdog
from controller.errors import BrickNotFoundError, BrickRefusedError, LinkLostError

# Windows has no terminals of this kind, and so no device files.
if sys.platform == "win32":
    _TERMINAL_ERRORS: tuple[type[Exception], ...] = ()
else:
    import termios

    _TERMINAL_ERRORS = (termios.error,)

Result = TypeVar("Result")

REPLY_TIMEOUT_S = 5.0  # single Bluetooth delays of 2 s have been seen; longer means it is gone
CONNECT_TIMEOUT_S = 15.0  # pairing and the USB reset take their time

ADVICE = {
    "usb": "Is it switched on and plugged in? On Linux your user needs a udev rule for LEGO's "
    "devices (vendor 0694); `cuberobot doctor` tells more.",
    "bluetooth": "Is it switched on, paired and Bluetooth enabled? Without PyBluez, bind it to a "
    "device file (`rfcomm bind 0 ADDRESS`) and use devfile:/dev/rfcomm0.",
    "devfile": "Is the device bound (`rfcomm bind 0 ADDRESS`) and may you read and write it?",
    "socket": "Is `hwsim nxt` or `nxt-server` running there?",
}

_PORTS = {motor: nxt.motor.Port[motor.value] for motor in Motor}
_LINK_ERRORS = (OSError, struct.error, ValueError, AttributeError, *_TERMINAL_ERRORS)


class BrickLink:
    """An open connection to one brick. Use as a context manager; calls raise RobotError."""

    def __init__(self, address: BrickAddress, reply_timeout_s: float = REPLY_TIMEOUT_S) -> None:
        """Connect to the brick at `address`. Raises BrickNotFoundError."""
        # nxt-python logs a traceback where a connection is refused; here that is a sentence.
        logging.getLogger("nxt").addHandler(logging.NullHandler())
        self.address = address
        self._watchdog = Watchdog(reply_timeout_s)
        self._dead = False
        self._brick = self._connect()

    def __enter__(self) -> "BrickLink":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the connection back; never raises."""
        self._dead = True
        _close_whatever_happens(self._brick)
        self._watchdog.close()

    # Motors

    def tacho(self, motor: Motor) -> int:
        """Return the tacho counter in degrees since the brick's last start."""
        state = self._call(lambda: self._brick.get_output_state(_PORTS[motor]))
        return int(state[7])

    def run(self, motor: Motor, power: int, limit_deg: int = 0) -> None:
        """Turn with `power` -100..100 percent of the battery, unregulated.

        The firmware lets go of the motor `limit_deg` from here (0: never), also when nobody is
        there any more to stop it. It adds limits to where the last one should have ended; only a
        run without limit makes it forget that, so such a run, too weak to move anything, is sent
        ahead, and answered before the other so that the firmware has seen it for a tick.
        """
        if limit_deg:
            self._set_output(motor, 1 if power > 0 else -1, regulated=False)
            self.tacho(motor)
        self._set_output(motor, power, regulated=False, limit_deg=limit_deg)

    def brake(self, motor: Motor) -> None:
        """Short the motor, which stops it but lets it be turned by force.

        Power 1 moves nothing; after power 0 the firmware would lose counts of a motor that still
        turns when it gets its next order.
        """
        self._set_output(motor, 1, regulated=False)

    def hold(self, motor: Motor) -> None:
        """Let the firmware's regulation hold the present position of a motor that stands."""
        self._set_output(motor, 0, regulated=True)

    def coast(self, motor: Motor) -> None:
        """Take the power off."""
        self._call(
            lambda: self._brick.set_output_state(
                _PORTS[motor],
                0,
                nxt.motor.Mode.IDLE,
                nxt.motor.RegulationMode.IDLE,
                0,
                nxt.motor.RunState.IDLE,
                0,
            )
        )

    # The brick itself

    def name(self) -> str:
        """Return the name that its owner gave the brick."""
        return str(self._call(lambda: self._brick.get_device_info())[0]).rstrip("\0")

    def battery_volts(self) -> float:
        """Return the battery voltage."""
        return int(self._call(lambda: self._brick.get_battery_level())) / 1000

    def keep_alive(self) -> None:
        """Put the sleep timer back; motor commands do not."""
        self._call(lambda: self._brick.keep_alive())

    def mark(self) -> None:
        """Leave a mark that lasts as long as the tacho counters do.

        The mark is the sensor type of port 4, where this rig has no sensor: switching the brick
        off and starting another program clear it together with the counters.
        """
        self._call(
            lambda: self._brick.set_input_mode(
                nxt.sensor.Port.S4, nxt.sensor.Type.SWITCH, nxt.sensor.Mode.BOOL
            )
        )

    def is_marked(self) -> bool:
        """Return whether the mark is still there and the counters can be trusted."""
        values = self._call(lambda: self._brick.get_input_values(nxt.sensor.Port.S4))
        return bool(values[3:5] == (nxt.sensor.Type.SWITCH, nxt.sensor.Mode.BOOL))

    # Programs and their mailboxes

    def running_program(self) -> str | None:
        """Return the file name of the running program, or None."""
        try:
            name = self._call(lambda: self._brick.get_current_program_name())
        except BrickRefusedError:
            return None
        return str(name).rstrip("\0")

    def start_program(self, name: str) -> None:
        """Start a program. Raises BrickRefusedError if the brick does not have it."""
        self._call(lambda: self._brick.start_program(name))

    def stop_program(self) -> None:
        """Stop the running program. Raises BrickRefusedError if there is none."""
        self._call(lambda: self._brick.stop_program())

    def write_message(self, inbox: int, text: str) -> None:
        """Put a message into a mailbox of the running program."""
        self._call(lambda: self._brick.message_write(inbox, text.encode("ascii")))

    def read_message(self, outbox: int, inbox: int) -> str | None:
        """Take a message that the running program has left, or None."""
        try:
            _, data = self._call(lambda: self._brick.message_read(outbox, inbox, True))
        except BrickRefusedError as error:
            if isinstance(error.__cause__, nxt.error.EmptyMailboxError):
                return None
            raise
        return bytes(data).rstrip(b"\0").decode("ascii", "replace")

    def _connect(self) -> Any:
        address = self.address
        try:
            return self._watchdog.call(
                lambda: nxt.locator.find(
                    backends=[address.backend], config=None, **address.filters
                ),
                CONNECT_TIMEOUT_S,
            )
        except nxt.locator.BrickNotFoundError:
            reason = "No brick answers"
        except CallTimeoutError:
            reason = f"The brick did not answer within {CONNECT_TIMEOUT_S:.0f} s"
        except (*_LINK_ERRORS, nxt.error.ProtocolError, ImportError) as error:
            reason = f"Connecting to the brick failed ({error})"
        self._watchdog.close()
        raise BrickNotFoundError(f"{reason} at {address}. {ADVICE[address.backend]}")

    def _set_output(self, motor: Motor, power: int, *, regulated: bool, limit_deg: int = 0) -> None:
        mode = nxt.motor.Mode.ON | nxt.motor.Mode.BRAKE
        regulation = nxt.motor.RegulationMode.IDLE
        if regulated:
            mode |= nxt.motor.Mode.REGULATED
            regulation = nxt.motor.RegulationMode.SPEED
        self._call(
            lambda: self._brick.set_output_state(
                _PORTS[motor], power, mode, regulation, 0, nxt.motor.RunState.RUNNING, limit_deg
            )
        )

    def _call(self, function: Callable[[], Result]) -> Result:
        if self._dead:
            raise LinkLostError(f"The connection to the brick at {self.address} is gone.")
        with self._errors_translated():
            return self._watchdog.call(function)

    @contextmanager
    def _errors_translated(self) -> Iterator[None]:
        try:
            yield
        except CallTimeoutError:
            self._dead = True
            raise LinkLostError(
                f"The brick at {self.address} has not answered for {self._watchdog.timeout_s:g} s. "
                "Check that it is on and in reach; then `cuberobot resume` goes on."
            ) from None
        except (nxt.error.DirectProtocolError, nxt.error.SystemProtocolError) as error:
            raise BrickRefusedError(f"The brick refused a command: {error}.") from error
        except (*_LINK_ERRORS, nxt.error.ProtocolError) as error:
            self._dead = True
            raise LinkLostError(
                f"The connection to the brick at {self.address} broke ({error}). "
                "Check cable and battery; then `cuberobot resume` goes on."
            ) from error


def _close_whatever_happens(brick: Any) -> None:
    """Close a brick whose line may be dead.

    nxt-python says goodbye before it closes its socket and leaves it open, with a second try from
    the destructor, when that fails; so the socket is closed and taken out of its hands here.
    """
    line = brick._sock
    raw = getattr(line, "_sock", None)
    if isinstance(raw, socket.socket):
        with suppress(OSError):
            raw.shutdown(socket.SHUT_RDWR if brick._lock.locked() else socket.SHUT_RD)
    try:
        brick.close()
    except _LINK_ERRORS:
        brick._sock = None
        if isinstance(raw, socket.socket):
            raw.close()
