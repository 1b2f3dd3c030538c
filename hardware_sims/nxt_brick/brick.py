"""The simulated brick: telegrams in, replies out, and time passing between them."""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from math import inf
from typing import Any

from hardware_sims.clock import VirtualClock
from hardware_sims.errors import SimulatorError
from hardware_sims.nxt_brick import faults as brick_faults
from hardware_sims.nxt_brick import telegrams
from hardware_sims.nxt_brick.commands import DirectCommands, Link, SystemCommands
from hardware_sims.nxt_brick.firmware import Mechanism
from hardware_sims.nxt_brick.machine import Machine
from hardware_sims.nxt_brick.motors.physics import Supply
from hardware_sims.nxt_brick.motors.state import TICK_S
from hardware_sims.nxt_brick.sensors.plugged_in import parse_sensor
from hardware_sims.nxt_firmware.flash import FlashFiles
from hardware_sims.nxt_firmware.statuses import UNKNOWN_OPCODE, CommandError
from solvers.foundation.clock import Clock


class LineCutError(SimulatorError):
    """The line between host and brick is gone: cut by a fault, or the brick is off."""


class SimulatedBrick:
    """A brick that is switched on at second 0 of `clock`.

    It does nothing by itself: whenever a telegram arrives, or `advance` is called, it lets the
    milliseconds that have passed since happen. `latency` and delays are slept on the clock, so in
    virtual time they are what moves it. As on the brick each telegram has a millisecond of its own.
    Several threads may call it.
    """

    def __init__(
        self,
        clock: Clock,
        rig: Mechanism | None = None,
        faults: brick_faults.Faults = brick_faults.NO_FAULTS,
        latency: brick_faults.Latency = brick_faults.USB_LATENCY,
        name: str = "NXT",
        instructions_per_ms: int | None = None,
    ) -> None:
        self.telegrams = 0
        self.clock = clock
        self.rig = rig
        self._faults = faults
        self._latency = latency
        self._instructions_per_ms = instructions_per_ms
        self._line_faults = brick_faults.LineFaults(faults)
        self._lock = threading.RLock()
        self._first_start_s = clock.now()
        self._on_again_s = inf
        self._off_is_reported = False
        self.on_power: Callable[[str], None] = lambda sentence: None  # noqa: ARG005
        self._switch_on(name.encode("ascii"), self._first_start_s)
        for port, sensor in (rig.sensors if rig else {}).items():
            self.machine.plug_in(port, sensor)

    def _switch_on(self, name: bytes, now_s: float, files: FlashFiles | None = None) -> None:
        self._start_s = now_s
        self.machine = Machine(
            name,
            self._faults.battery_mv,
            self._faults.sleep_timeout_s,
            self.rig,
            self._instructions_per_ms,
            self._supply(),
            files,
        )
        self._telegram_tick = -1
        self._received = telegrams.ReceiveBuffer()
        self._last_reply = b""
        self._system = SystemCommands(self.machine)
        self._direct_handlers = _methods(DirectCommands(self.machine), telegrams.DIRECT_COMMANDS)
        self._system_handlers = _methods(self._system, telegrams.SYSTEM_COMMANDS)
        earlier_s = now_s - self._first_start_s
        self._to_come = [
            (round((time_s - earlier_s) / TICK_S), event)
            for time_s, event in self._faults.timed
            if time_s >= earlier_s
        ]

    def _supply(self) -> Supply | None:
        faults, on_for_s = self._faults, self._start_s - self._first_start_s
        if faults.battery_ohm == faults.drain_mv_per_minute == 0:
            return None
        left_mv = faults.battery_mv - faults.drain_mv_per_minute * on_for_s / 60
        return Supply(left_mv, faults.battery_ohm, faults.drain_mv_per_minute)

    @property
    def is_off(self) -> bool:
        """Whether the brick is off: asleep, or switched off in another way."""
        return self.machine.is_off

    @property
    def seconds(self) -> float:
        """How long the brick has been on, up to the last `advance`."""
        return self.machine.tick * TICK_S

    def handle(self, telegram: bytes, link: Link = Link.USB) -> bytes | None:
        """Return the reply to one telegram, None if there is none.

        Raises:
            LineCutError: a fault cuts the line, or the brick is off; the telegram is lost.
        """
        with self._lock:
            answered = len(telegram) > 0 and telegrams.wants_reply(telegram)
            # A command without reply saves the turn-around, which on Bluetooth is most of the time.
            self.clock.sleep(self._latency.there_s if answered else self._latency.command_s)
            self.telegrams += 1
            self._wait_for_a_new_millisecond()
            self._apply_faults()
            self._system.link = link
            reply = self._answer(telegram) if telegrams.is_known_type(telegram) else None
            if self.telegrams == self._faults.die_at:
                self.machine.switch_off("was switched off by the faults file")
                return reply and reply[: len(reply) // 2]
            if reply is None or self._line_faults.is_unanswered(self.telegrams):
                return None
            self.clock.sleep(self._latency.back_s + self._line_faults.delay_s())
            return reply

    def disconnect(self) -> None:
        """Close the files that the client on USB left open when it went."""
        # c_comm.c closes the handles of a USB host that was unplugged; over Bluetooth they stay
        # open.
        now_s = self.clock.now()
        with self._lock:
            self._advance_power(now_s)
            self._system.close_client_handles()

    def operate(self, action: Callable[["SimulatedBrick"], None]) -> None:
        """Do something to the brick by hand, such as pressing a sensor, at the clock's time."""
        now_s = self.clock.now()
        with self._lock:
            self._advance_power(now_s)
            action(self)

    def press_orange_button(self) -> None:
        """Switch the brick on; one that is on starts its sleep timer again.

        Raises:
            SimulatorError: its firmware was erased, so that no button does anything.
        """
        now_s = self.clock.now()
        with self._lock:
            self._advance_power(now_s)
            if not self.is_off:
                self.machine.ui.stay_awake()
            elif not self.machine.has_firmware:
                raise SimulatorError("The brick has no firmware any more; start another.")
            else:
                self._on_again_s = now_s
                self._advance_power(now_s)

    def advance(self) -> None:
        """Let happen what has happened since the last look."""
        # The clock is read before the lock is taken: a virtual one waits until the serving thread
        # has done its telegrams, and for those that thread takes the same lock.
        now_s = self.clock.now()
        with self._lock:
            self._advance_power(now_s)

    def _advance_power(self, now_s: float) -> None:
        """Advance to a time, through switching off and on; the lock is held."""
        self._advance_to(now_s)
        while self.is_off and self._on_again_s <= now_s:
            self._come_on()
            self._advance_to(now_s)
        if self.is_off and not self._off_is_reported:
            self._off_is_reported = True
            self.on_power(f"{self._why_off} {self._how_on}")

    @property
    def _why_off(self) -> str:
        return f"The brick is off: it {self.machine.why_off}."

    @property
    def _how_on(self) -> str:
        if not self.machine.has_firmware:
            return "It stays off."
        if self._on_again_s < inf:
            return f"It comes on again after {self._on_again_s - self._off_since_s:g} seconds."
        return "Type on to press its orange button."

    def _advance_to(self, now_s: float) -> None:
        target = int((now_s - self._start_s) / TICK_S + 1e-6)
        while self.machine.tick < target and not self.is_off:
            self._do_timed_events()
            self.machine.advance(min([target, *(tick for tick, _ in self._to_come)]))

    def _wait_for_a_new_millisecond(self) -> None:
        self.advance()
        while self.machine.tick == self._telegram_tick and not self.is_off:
            self.clock.sleep(TICK_S)
            self.advance()
        self._telegram_tick = self.machine.tick

    def _answer(self, telegram: bytes) -> bytes | None:
        reply = self._reply(telegram)
        if not telegrams.wants_reply(telegram):
            return None
        self._last_reply = reply
        return reply

    def _reply(self, telegram: bytes) -> bytes:
        opcode, command = telegram[1], telegrams.command_of(telegram)
        handlers = self._system_handlers if telegrams.is_system(telegram) else self._direct_handlers
        try:
            if command is None:
                if telegrams.is_system(telegram):
                    return self._stale_reply(telegram)
                raise CommandError(UNKNOWN_OPCODE)
            request = self._received.decode(command, telegram)
            arguments: tuple[Any, ...] = request.arguments
            if request.command.tail:
                arguments = (*arguments, request.tail)
            return telegrams.encode_reply(opcode, handlers[request.command](*arguments))
        except CommandError as error:
            return telegrams.encode_error(opcode, error, command)

    def _stale_reply(self, telegram: bytes) -> bytes:
        """Return what the brick says to an unknown system command: the reply before, cut to size.

        It takes the request's length for the reply's and fills nothing in (c_comm.c).
        """
        body = self._last_reply[telegrams.HEADER_LENGTH :].ljust(len(telegram), b"\0")
        return bytes((telegrams.TYPE_REPLY, telegram[1])) + body[: len(telegram)]

    def _apply_faults(self) -> None:
        for event in self._faults.at_telegram(self.telegrams):
            self._do(event)
        if self.is_off:
            raise LineCutError(self._why_off)
        if self._line_faults.is_cut(self.telegrams):
            raise LineCutError(f"The line was cut at telegram {self.telegrams}.")

    def _do_timed_events(self) -> None:
        for tick, event in tuple(self._to_come):
            if tick <= self.machine.tick:
                self._to_come.remove((tick, event))
                self._do(event)

    def _do(self, event: brick_faults.Event) -> None:
        match event:
            case brick_faults.Stall():
                self._stall(event)
            case brick_faults.Restart():
                self.machine.switch_off("was switched off by the faults file")
                self._off_since_s = self._start_s + self.seconds
                self._on_again_s = self._off_since_s + event.off_s
            case brick_faults.SensorChange():
                self.machine.plug_in(*parse_sensor(event.plug))

    def _stall(self, stall: brick_faults.Stall) -> None:
        until = self.machine.outputs.motors["stall_until_tick"]
        end = self.machine.tick + round(stall.seconds / TICK_S)
        until[stall.port] = max(until[stall.port], end)

    def _come_on(self) -> None:
        """Be switched on again, with the files in flash and the sensors that are plugged in."""
        before, now_s = self.machine, self._on_again_s
        self._on_again_s = inf
        before.files.lose_power()
        self._switch_on(before.name, now_s, before.files)
        for port, sensor in before.sensors.items():
            self.machine.plug_in(port, sensor)
        self.machine.programs.continue_reports(before.programs)
        self._off_is_reported = False
        self.on_power("The brick is on again; its counts are zero and no program runs.")


def _methods(
    owner: object, commands: Sequence[telegrams.Command]
) -> dict[telegrams.Command, Callable[..., bytes]]:
    return {command: getattr(owner, command.name) for command in commands}


class InProcessConnection:
    """Takes telegrams with `send` and hands their replies out with `recv`.

    nxt-python's `Brick(connection)` works with it directly. Where a real line would fail or wait
    for ever, it raises OSError or TimeoutError.
    """

    bsize = 60
    type = "usb"

    def __init__(self, brick: SimulatedBrick) -> None:
        self._brick = brick
        self._replies: deque[bytes] = deque()
        self._is_open = True

    def send(self, data: bytes) -> None:
        """Send one telegram."""
        if not self._is_open:
            raise OSError("The connection to the simulated brick is closed.")
        try:
            reply = self._brick.handle(data)
        except LineCutError as error:
            self._is_open = False
            raise OSError(str(error)) from error
        if reply is not None:
            self._replies.append(reply)

    def recv(self) -> bytes:
        """Return the oldest reply."""
        if not self._replies:
            raise TimeoutError("The simulated brick does not answer.")
        return self._replies.popleft()

    def close(self) -> None:
        """End the connection."""
        self._is_open = False


def warm_up(rig: Mechanism | None = None) -> None:
    """Load or compile the kernels, which takes seconds the very first time.

    A simulation in real time would otherwise lose them in the middle of its first telegrams, and
    a driver that waits for the start of its program take the brick for dead.
    """
    clock = VirtualClock()
    brick = SimulatedBrick(clock, rig)
    brick.machine.programs.command.load_kernels()
    brick.handle(bytes.fromhex("80 04 00 01 01 00 00 20 00 00 00 00"))
    clock.sleep(0.01)
    brick.advance()
