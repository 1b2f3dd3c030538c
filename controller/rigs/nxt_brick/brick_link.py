"""The connection to an NXT brick; the only module that imports nxt-python.

Every call is one telegram. What nxt-python raises for a dead line, and only that, becomes an error
of this project, at the place where it arises: the line to the brick. Anything else that comes out
of a call is a bug of ours and stays what it is.

From below: how a brick is named (`BrickAddress`), the line that logs each telegram (`TracedLine`),
calls that end in time (`Watchdog`), the brick itself (`BrickLink`), which stays on (`KeepAwake`).
"""

import logging
import os
import queue
import socket
import struct
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, TypeVar

import nxt.backend.bluetooth
import nxt.backend.devfile
import nxt.brick
import nxt.error
import nxt.locator
import nxt.motor
import nxt.sensor
import nxt.telegram
import usb.core

from controller.errors import (
    BrickBusyError,
    BrickNotFoundError,
    BrickRefusedError,
    InvalidAddressError,
    LinkLostError,
    RobotError,
)
from controller.motion.mechanism import Battery
from controller.rigs.nxt_brick.bluetooth import FAMILY, OwnBluetooth
from controller.rigs.nxt_brick.motion import Motor
from solvers.foundation.clock import Clock
from solvers.foundation.device_lock import DeviceLock
from solvers.foundation.wording import whole_number

# How a brick is named on the command line

FORMS: Final = (
    "usb, bluetooth, bluetooth:00:16:53:01:02:03, devfile:/dev/rfcomm0 or ip:127.0.0.1:2727"
)
LARGEST_PORT: Final = 65535

ASK_DOCTOR: Final = "; `cuberobot doctor` shows it"
"""Left out where doctor itself speaks."""

_ADVICE: Final = {
    "usb": "Is it switched on and plugged in? On Linux your user needs a udev rule for LEGO's "
    f"devices (vendor 0694){ASK_DOCTOR}.",
    "bluetooth": "Is it switched on, paired and Bluetooth enabled? Write its address, such as "
    "bluetooth:00:16:53:01:02:03; only PyBluez can look for a brick. On Linux you can also bind it "
    "to a device file (`rfcomm bind 0 ADDRESS`) and use devfile:/dev/rfcomm0.",
    "devfile": "Is the device bound (`rfcomm bind 0 ADDRESS`) and may you read and write it?",
    "socket": "Is `hwsim nxt` or `nxt-server` running there, and is the brick awake? It switches "
    "itself off after ten minutes without a command (30 s at `--speed 20`): switch it on again.",
}


@dataclass(frozen=True, slots=True)
class BrickAddress:
    """Where a brick is: one of nxt-python's back ends and what that needs to know."""

    backend: str
    filters: dict[str, str | int] = field(default_factory=dict)
    text: str = ""

    def __str__(self) -> str:
        return self.text

    @property
    def advice(self) -> str:
        """What to check when no brick answers there."""
        return _ADVICE[self.backend]


def parse_address(text: str) -> BrickAddress:
    """Read a brick address.

    `usb` and `bluetooth` take the first brick found, or the one whose name (usb) or hardware
    address (bluetooth) follows a colon. Raises InvalidAddressError.
    """
    scheme, _, rest = text.partition(":")
    if scheme == "usb":
        return BrickAddress("usb", {"name": rest} if rest else {}, text)
    if scheme == "bluetooth":
        return BrickAddress("bluetooth", {"host": rest} if rest else {}, text)
    if scheme == "devfile" and rest:
        return BrickAddress("devfile", {"filename": rest}, text)
    if text.startswith("/"):
        return BrickAddress("devfile", {"filename": text}, text)
    host, _, port = rest.rpartition(":")
    number = whole_number(port, LARGEST_PORT)
    if scheme == "ip" and host and number:
        return BrickAddress("socket", {"server_host": host, "server_port": number}, text)
    raise InvalidAddressError(f"{text!r} is no brick address. Write {FORMS}.")


# The line below nxt-python's brick

_log: Final = logging.getLogger(__name__)

_LEAST_REPLY_BYTES: Final = 3  # type, command, status
_COMMAND: Final = 1  # where a telegram has its command


class DeadLineError(Exception):
    """The line broke, ended, or carries what is no telegram."""


class TracedLine:
    """Stands between nxt-python's Brick and its back end. `names` are those of the commands."""

    def __init__(self, inner: Any, names: Mapping[int, str]) -> None:
        self.inner = inner
        self.bsize = inner.bsize
        self.type = inner.type
        self.has_answered = False
        """Whether a reply has come since this was last set to False."""
        self._names = names

    def __str__(self) -> str:
        return str(self.inner)

    def send(self, telegram: bytes) -> None:
        """Send one telegram. Raises DeadLineError."""
        self._trace("->", telegram)
        _alive(self.inner.send, telegram)

    def recv(self) -> bytes:
        """Return one telegram. Raises DeadLineError."""
        telegram = _alive(self.inner.recv)
        if telegram is None or len(telegram) < _LEAST_REPLY_BYTES:
            raise DeadLineError("the line has ended")
        self._trace("<-", telegram)
        self.has_answered = True
        return bytes(telegram)

    def close(self) -> None:
        """Close the line. Raises DeadLineError if it was dead already."""
        _alive(self.inner.close)

    def _trace(self, arrow: str, telegram: bytes) -> None:
        if _log.isEnabledFor(logging.DEBUG):
            name = self._names.get(telegram[_COMMAND], "?")
            _log.debug("%s %s %s", arrow, telegram.hex(" "), name)


def _alive(function: Callable[..., Any], *values: Any) -> Any:
    """Return what a function of the back end returns. Raises DeadLineError."""
    try:
        return function(*values)
    except (OSError, struct.error) as error:
        raise DeadLineError(str(error)) from error


# Calls that end in time

Result = TypeVar("Result")


class CallTimeoutError(Exception):
    """A call did not come back in time. The thread it runs on is given up."""


@dataclass(slots=True)
class _Call:
    function: Callable[[], Any]
    # Released when it is done. An Event does the same at six times the cost, for each telegram.
    under_way: threading.Lock = field(default_factory=threading.Lock)
    result: Any = None
    error: BaseException | None = None

    def __post_init__(self) -> None:
        self.under_way.acquire()

    def run(self) -> None:
        try:
            self.result = self.function()
        except BaseException as error:
            self.error = error
        self.under_way.release()


class Watchdog:
    """Runs calls one after another on a daemon thread and waits at most `timeout_s` for each."""

    def __init__(self, timeout_s: float) -> None:
        self.timeout_s = timeout_s
        self._calls: queue.SimpleQueue[_Call | None] = queue.SimpleQueue()
        threading.Thread(target=self._work, name="brick link", daemon=True).start()

    def call(self, function: Callable[[], Result], timeout_s: float | None = None) -> Result:
        """Return what `function` returns or raise what it raises; CallTimeoutError if it hangs."""
        call = _Call(function)
        self._calls.put(call)
        if not call.under_way.acquire(timeout=timeout_s or self.timeout_s):
            raise CallTimeoutError
        if call.error is not None:
            raise call.error
        result: Result = call.result
        return result

    def close(self) -> None:
        """Let the thread end after the calls it has."""
        self._calls.put(None)

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            call.run()


# Marks


class Mark(StrEnum):
    """Who left it. The values are types of sensors."""

    DIRECT = "LIGHT_INACTIVE"
    PROGRAM = "TEMPERATURE"


AWAY_BY_MODE: Final = {
    "RAW": 0,
    "BOOL": -3,
    "EDGE": -2,
    "PULSE": -1,
    "PERCENT": 1,
    "CELSIUS": 2,
    "FAHRENHEIT": 3,
}
"""How far from where the cradle stands it is straight, in degrees of its motor."""
_FARTHEST_DEG: Final = max(AWAY_BY_MODE.values())
_MODE_BY_AWAY: Final = {away_deg: mode for mode, away_deg in AWAY_BY_MODE.items()}


def mode_for(away_deg: int) -> str:
    """Return the mode for a number of degrees, limited to the range that modes can express."""
    return _MODE_BY_AWAY[max(-_FARTHEST_DEG, min(away_deg, _FARTHEST_DEG))]


# The brick

# nxt-python logs a traceback where a connection is refused; here that is a sentence. Its
# telegrams are in our own log, with their names.
logging.getLogger("nxt").propagate = False
logging.getLogger("nxt").addHandler(logging.NullHandler())


# What a brick may refuse a command for, and what then is no error.
EMPTY_MAILBOX: Final = nxt.error.EmptyMailboxError
NO_PROGRAM: Final = nxt.error.NoActiveProgramError
NO_FILE: Final = nxt.error.FileNotFoundError

UNGREETED: Final = "ip"
"""The type that nxt-python gives a socket which was closed instead of answering its greeting."""
CLOSED: Final = "The connection was closed before the brick had answered"

REPLY_TIMEOUT_S: Final = 5.0  # single Bluetooth delays of 2 s have been seen; longer: it is gone
CONNECT_TIMEOUT_S: Final = 15.0  # pairing and the USB reset take their time

INPUT_MODULE: Final = 0x00030001
COLOURS_OFFSET: Final = 80 + 2 * 84 + 60
"""In its I/O map (c_input.iom): four inputs of 20 bytes, then a record of 84 bytes a port with the
raw colours at 60; of port 3."""

LOW_VOLTS: Final = 7.0
"""Below this the motors do not reach their regulated speed."""

# A device file that is no terminal cannot be set up as one. Windows has neither.
if sys.platform == "win32":
    TERMINAL_ERRORS: tuple[type[Exception], ...] = ()
else:
    import termios

    TERMINAL_ERRORS = (termios.error,)

_COMMAND_NAMES: Final = {code.value: code.name for code in nxt.telegram.Opcode}
_PORTS: Final = {motor: nxt.motor.Port[motor.value] for motor in Motor}
# While nxt-python looks for a brick it also asks its name, with telegrams of its own: a line that
# ends gives struct.error, a server of another kind an answer that is no ASCII, no libusb is a
# NoBackendError (a ValueError), and what is no terminal cannot be set up as one.
_CONNECT_ERRORS: Final = (
    OSError,
    struct.error,
    UnicodeDecodeError,
    usb.core.NoBackendError,
    nxt.error.ProtocolError,
    ImportError,
    *TERMINAL_ERRORS,
)
# What nxt-python raises at a reply that is cut off, or whose fields hold values it does not know:
# its enums (port, mode, sensor type) and its text decoding raise ValueErrors.
_NONSENSE_ERRORS: Final = (struct.error, ValueError)


def _find(address: BrickAddress) -> Any:
    """Return nxt-python's brick at an address. Raises what nxt-python raises."""
    if address.backend == "bluetooth" and address.filters and FAMILY is not None:
        found = nxt.backend.bluetooth.Backend(OwnBluetooth).find(**address.filters)
        brick = next(found, None)
        if brick is None:
            raise nxt.locator.BrickNotFoundError("no brick found")
        return brick
    if address.backend != "devfile":
        return nxt.locator.find(backends=[address.backend], config=None, **address.filters)
    # nxt-python's own search leaves a file open that turns out to be no terminal.
    line = nxt.backend.devfile.DevFileSock(address.filters["filename"])
    try:
        return line.connect()
    except OSError as error:
        raise nxt.locator.BrickNotFoundError("no brick found") from error
    except TERMINAL_ERRORS:
        line.close()
        raise


class BrickLink:
    """An open connection to one brick. Use as a context manager; calls raise RobotError."""

    def __init__(self, address: BrickAddress, reply_timeout_s: float = REPLY_TIMEOUT_S) -> None:
        """Connect to the brick at `address`. Raises BrickNotFoundError."""
        self.address = address
        self._watchdog = Watchdog(reply_timeout_s)
        self._dead = False
        self._brick = self._connect()
        self._line = TracedLine(self._brick._sock, _COMMAND_NAMES)
        self._brick._sock = self._line

    def __enter__(self) -> "BrickLink":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the connection back; never raises."""
        self._dead = True
        _close_in_any_state(self._brick)
        self._watchdog.close()

    # Motors

    def tacho(self, motor: Motor) -> int:
        """Return the tacho counter in degrees since the brick's last start."""
        state = self._call(lambda: self._brick.get_output_state(_PORTS[motor]))
        return int(state[7])

    def is_on(self, motor: Motor) -> bool:
        """Return whether a motor is under power still: no limit and no program has let it go."""
        state = self._call(lambda: self._brick.get_output_state(_PORTS[motor]))
        return state[5] is not nxt.motor.RunState.IDLE and bool(state[2] & nxt.motor.Mode.ON)

    def run(self, motor: Motor, power: int, limit_deg: int) -> None:
        """Turn with `power` -100..100 percent of the battery, unregulated.

        The firmware lets go of the motor `limit_deg` from here, also when the host is gone
        to stop it. It adds limits to where the last one should have ended; only a run without limit
        makes it forget that, so such a run, too weak to move anything, is sent ahead. The brick
        takes one telegram in each of its milliseconds, so the firmware has seen it for a tick.
        """
        self._set_output(motor, 1 if power > 0 else -1, regulated=False)
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

    def battery(self) -> Battery:
        """Ask for the battery."""
        volts = int(self._call(lambda: self._brick.get_battery_level())) / 1000
        return Battery(volts, volts < LOW_VOLTS)

    def keep_alive(self) -> None:
        """Put the sleep timer back; motor commands do not."""
        self._call(lambda: self._brick.keep_alive())

    def mark(self, mark: Mark, away_deg: int) -> None:
        """Leave a mark that lasts as long as the counters do: where the cradle is straight.

        That is `away_deg` from where it stands; its rotation counter is zero here.
        """
        port = _PORTS[Motor.CRADLE]
        self._call(lambda: self._brick.reset_motor_position(port, relative=False))
        kind = nxt.sensor.Type[mark.value], nxt.sensor.Mode[mode_for(away_deg)]
        self._call(lambda: self._brick.set_input_mode(nxt.sensor.Port.S4, *kind))

    def is_marked(self, mark: Mark) -> bool:
        """Return whether the mark is still there and the counters can be trusted."""
        return self._marked_away(mark) is not None

    def straight_at(self, mark: Mark) -> int | None:
        """Return the tacho count at which the cradle was straight; None without the mark."""
        away_deg = self._marked_away(mark)
        if away_deg is None:
            return None
        state = self._call(lambda: self._brick.get_output_state(_PORTS[Motor.CRADLE]))
        return int(state[7]) - int(state[9]) + away_deg

    def _marked_away(self, mark: Mark) -> int | None:
        values = self._call(lambda: self._brick.get_input_values(nxt.sensor.Port.S4))
        kind, mode = values[3:5]
        return AWAY_BY_MODE.get(mode.name) if kind is nxt.sensor.Type[mark.value] else None

    def sense_colours(self, *, on: bool) -> None:
        """Switch the colour sensor of NXT 2.0 on port 3 on, with all its lamps, or off."""
        kind = nxt.sensor.Type.COLOR_FULL if on else nxt.sensor.Type.NO_SENSOR
        port, mode = nxt.sensor.Port.S3, nxt.sensor.Mode.RAW
        self._call(lambda: self._brick.set_input_mode(port, kind, mode))

    def colours(self) -> tuple[int, int, int]:
        """Return what the colour sensor on port 3 reads by its three lamps, 0 to 1023."""
        data = self._call(lambda: self._brick.read_io_map(INPUT_MODULE, COLOURS_OFFSET, 6))[1]
        red, green, blue = struct.unpack("<HHH", bytes(data))
        return red, green, blue

    def ask(
        self, function: Callable[[Any], Result], none_for: type[Exception] | None = None
    ) -> Result | None:
        """Call `function` with nxt-python's brick, for a command that has no method here.

        Returns None where the brick refuses it with the status `none_for`, one of those above.
        """
        try:
            return self._call(lambda: function(self._brick))
        except BrickRefusedError as error:
            if none_for is not None and isinstance(error.__cause__, none_for):
                return None
            raise

    def _connect(self) -> Any:
        address = self.address
        try:
            brick = self._watchdog.call(lambda: _find(address), CONNECT_TIMEOUT_S)
            if brick._sock.type != UNGREETED:
                return brick
            brick._sock._sock.close()
            brick._sock = None
            reason = CLOSED
        except nxt.locator.BrickNotFoundError:
            reason = "No brick answers"
        except CallTimeoutError:
            reason = f"The brick did not answer within {CONNECT_TIMEOUT_S:.0f} s"
        except (struct.error, ConnectionResetError, BrokenPipeError):
            reason = CLOSED
        except _CONNECT_ERRORS as error:
            reason = f"Connecting to the brick failed ({error})"
        self._watchdog.close()
        raise BrickNotFoundError(f"{reason} at {address}. {address.advice}")

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
        try:
            return self._watchdog.call(lambda: self._with_nonsense_named(function))
        except CallTimeoutError:
            self._dead = True
            raise LinkLostError(
                f"The brick at {self.address} has not answered for {self._watchdog.timeout_s:g} s. "
                "Check that it is on and in reach."
            ) from None
        except (nxt.error.DirectProtocolError, nxt.error.SystemProtocolError) as error:
            # nxt-python raises the same object each time, which would gather all tracebacks.
            cause = error.with_traceback(None)
            raise BrickRefusedError(f"The brick refused a command: {error}.") from cause
        except (DeadLineError, nxt.error.ProtocolError) as error:
            raise self._broken(error) from error

    def _with_nonsense_named(self, function: Callable[[], Result]) -> Result:
        """Call a function of nxt-python, on the watchdog's thread."""
        self._line.has_answered = False
        try:
            return function()
        except _NONSENSE_ERRORS as error:
            if not self._line.has_answered:
                raise  # before anything was sent: a bug of ours
            raise DeadLineError(f"it answered with nonsense: {error}") from error

    def _broken(self, error: Exception) -> LinkLostError:
        self._dead = True
        return LinkLostError(
            f"The connection to the brick at {self.address} broke ({error}). "
            "Check cable and battery, and that the brick has not switched itself off."
        )


@contextmanager
def own_link(address: BrickAddress) -> Iterator[BrickLink]:
    """Connect to a brick and lock it. Raises RobotError, BrickBusyError with its user's name."""
    name = f"The brick at {_device(address)}"
    with closing(DeviceLock(name, BrickBusyError)), BrickLink(address) as link:
        yield link


def _device(address: BrickAddress) -> str:
    """Return the same name for every way to name a brick: links are resolved."""
    if address.backend == "devfile":
        return os.path.realpath(str(address.filters["filename"]))
    return str(address)


def _close_in_any_state(brick: Any) -> None:
    """Close a brick whose line may be dead.

    nxt-python says goodbye before it closes its socket and leaves it open, with a second try from
    the destructor, when that fails; so the socket is closed and taken out of its hands here.
    """
    raw = getattr(brick._sock.inner, "_sock", None)
    if isinstance(raw, socket.socket):
        with suppress(OSError):
            raw.shutdown(socket.SHUT_RDWR if brick._lock.locked() else socket.SHUT_RD)
    try:
        brick.close()
    except DeadLineError:
        brick._sock = None
        if isinstance(raw, socket.socket):
            raw.close()


# A brick that stays on

_OVERDUE: Final = 2.0  # intervals; a telegram in the middle of a motion would delay its brake
_LOOK_INTERVAL_S: Final = 0.2  # of the computer's time; a simulated brick's may pass faster


class KeepAwake:
    """Sends the keep-alive command at a given interval, or a little later."""

    def __init__(
        self,
        link: BrickLink,
        clock: Clock,
        interval_s: float,
        look_interval_s: float = _LOOK_INTERVAL_S,
    ) -> None:
        self._link = link
        self._clock = clock
        self._interval_s = interval_s
        self._look_interval_s = look_interval_s
        self._last_s = -interval_s
        self._lock = threading.Lock()

    def if_due(self) -> None:
        """Keep the brick awake unless that was done lately. Raises RobotError."""
        self._send_after(self._interval_s)

    @contextmanager
    def in_background(self) -> Iterator[None]:
        """Keep the brick awake while the block runs, even if `if_due` is never called."""
        self.if_due()
        ended = threading.Event()

        def work() -> None:
            # Not a sleep of the clock: StoppedError has to reach the thread that drives.
            with suppress(RobotError):  # a dead line: its next user gets the error
                while not ended.wait(self._look_interval_s):
                    self._send_after(_OVERDUE * self._interval_s)

        thread = threading.Thread(target=work, name="keep awake", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()  # its last telegram, if any, ends with the link's time limit

    def _send_after(self, interval_s: float) -> None:
        now_s = self._clock.now()
        with self._lock:
            is_due = now_s - self._last_s >= interval_s
            if is_due:
                self._last_s = now_s
        if is_due:
            self._link.keep_alive()
