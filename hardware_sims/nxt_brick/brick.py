"""The simulated brick: telegrams in, replies out, and time passing between them."""

import threading
from collections.abc import Callable, Sequence
from math import inf
from typing import Any

from hardware_sims.errors import SimulatorError
from hardware_sims.nxt_brick.faults import (
    NO_FAULTS,
    Event,
    Faults,
    LineFaults,
    Restart,
    SensorChange,
    Stall,
)
from hardware_sims.nxt_brick.latency import USB_LATENCY, Latency
from hardware_sims.nxt_brick.machine import Machine
from hardware_sims.nxt_brick.mechanism import Mechanism
from hardware_sims.nxt_brick.motors.battery import Supply
from hardware_sims.nxt_brick.motors.state import TICK_S
from hardware_sims.nxt_brick.sensors.plugged_in import parse_sensor
from hardware_sims.nxt_brick.telegrams.direct_commands import DirectCommands
from hardware_sims.nxt_brick.telegrams.encoding import (
    HEADER_LENGTH,
    ReceiveBuffer,
    command_of,
    encode_error,
    encode_reply,
    is_known_type,
    is_system,
    wants_reply,
)
from hardware_sims.nxt_brick.telegrams.opcodes import (
    DIRECT_COMMANDS,
    SYSTEM_COMMANDS,
    TYPE_REPLY,
    Command,
)
from hardware_sims.nxt_brick.telegrams.system_commands import Link, SystemCommands
from hardware_sims.nxt_firmware.statuses import UNKNOWN_OPCODE, CommandError
from solvers.foundation.clock import Clock


class LineCutError(SimulatorError):
    """The line between host and brick is gone: cut by a fault, or the brick is off."""


class SimulatedBrick:
    """A brick that is switched on at second 0 of `clock`.

    It does nothing by itself: whenever a telegram arrives, or somebody calls `advance`, it lets the
    milliseconds that have passed since happen. `latency` and delays are slept on the clock, so in
    virtual time they are what moves it. As on the brick each telegram has a millisecond of its own.
    Several threads may call it.
    """

    def __init__(
        self,
        clock: Clock,
        rig: Mechanism | None = None,
        faults: Faults = NO_FAULTS,
        latency: Latency = USB_LATENCY,
        name: str = "NXT",
        instructions_per_ms: int | None = None,
    ) -> None:
        self.telegrams = 0
        self.clock = clock
        self._rig = rig
        self._faults = faults
        self._latency = latency
        self._instructions_per_ms = instructions_per_ms
        self._line_faults = LineFaults(faults)
        self._lock = threading.RLock()
        self._first_start_s = clock.now()
        self._on_again_s = inf
        self._switch_on(name.encode("ascii"), self._first_start_s)

    def _switch_on(self, name: bytes, now_s: float) -> None:
        self._start_s = now_s
        self.machine = Machine(
            name,
            self._faults.battery_mv,
            self._faults.sleep_timeout_s,
            self._rig,
            self._instructions_per_ms,
            self._supply(),
        )
        self._telegram_tick = -1
        self._received = ReceiveBuffer()
        self._last_reply = b""
        self._system = SystemCommands(self.machine)
        self._direct_handlers = _methods(DirectCommands(self.machine), DIRECT_COMMANDS)
        self._system_handlers = _methods(self._system, SYSTEM_COMMANDS)
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
        """Whether the brick has gone to sleep, which switches it off."""
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
            answered = len(telegram) > 0 and wants_reply(telegram)
            self.clock.sleep(self._latency.there_s if answered else self._latency.command_s)
            self.telegrams += 1
            self._wait_for_a_new_millisecond()
            self._apply_faults()
            self._system.link = link
            reply = self._answer(telegram) if is_known_type(telegram) else None
            if self.telegrams == self._faults.die_at:
                self.machine.switch_off()
                return reply and reply[: len(reply) // 2]
            if reply is None or self._line_faults.is_unanswered(self.telegrams):
                return None
            self.clock.sleep(self._latency.back_s + self._line_faults.delay_s())
            return reply

    def disconnect(self) -> None:
        """Close the files that the client on USB left open when it went."""
        with self._lock:
            self.advance()
            self._system.close_client_handles()

    def operate(self, action: Callable[[Machine], None]) -> None:
        """Do something to the brick by hand, such as pressing a sensor, at the clock's time."""
        with self._lock:
            self.advance()
            action(self.machine)

    def advance(self) -> None:
        """Let happen what has happened since the last look."""
        with self._lock:
            now_s = self.clock.now()
            self._advance_to(now_s)
            while self.is_off and self._on_again_s <= now_s:
                self._come_on()
                self._advance_to(now_s)

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
        if not wants_reply(telegram):
            return None
        self._last_reply = reply
        return reply

    def _reply(self, telegram: bytes) -> bytes:
        opcode, command = telegram[1], command_of(telegram)
        handlers = self._system_handlers if is_system(telegram) else self._direct_handlers
        try:
            if command is None:
                if is_system(telegram):
                    return self._stale_reply(telegram)
                raise CommandError(UNKNOWN_OPCODE)
            request = self._received.decode(command, telegram)
            arguments: tuple[Any, ...] = request.arguments
            if request.command.tail:
                arguments = (*arguments, request.tail)
            return encode_reply(opcode, handlers[request.command](*arguments))
        except CommandError as error:
            return encode_error(opcode, error, command)

    def _stale_reply(self, telegram: bytes) -> bytes:
        """Return what the brick says to an unknown system command: the reply before, cut to size.

        It takes the request's length for the reply's and fills nothing in (c_comm.c).
        """
        body = self._last_reply[HEADER_LENGTH:].ljust(len(telegram), b"\0")
        return bytes((TYPE_REPLY, telegram[1])) + body[: len(telegram)]

    def _apply_faults(self) -> None:
        for event in self._faults.at_telegram(self.telegrams):
            self._do(event)
        if self.is_off:
            raise LineCutError("The brick is off; switch it on by starting the simulator again.")
        if self._line_faults.is_cut(self.telegrams):
            raise LineCutError(f"The line was cut at telegram {self.telegrams}.")

    def _do_timed_events(self) -> None:
        for tick, event in tuple(self._to_come):
            if tick <= self.machine.tick:
                self._to_come.remove((tick, event))
                self._do(event)

    def _do(self, event: Event) -> None:
        match event:
            case Stall():
                self._stall(event)
            case Restart():
                self.machine.switch_off()
                self._on_again_s = self._start_s + self.seconds + event.off_s
            case SensorChange():
                self.machine.plug_in(*parse_sensor(event.plug))

    def _stall(self, stall: Stall) -> None:
        until = self.machine.outputs.motors["stall_until_tick"]
        end = self.machine.tick + round(stall.seconds / TICK_S)
        until[stall.port] = max(until[stall.port], end)

    def _come_on(self) -> None:
        """Be switched on again, with the files in flash and the sensors that are plugged in."""
        before, now_s = self.machine, self._on_again_s
        self._on_again_s = inf
        self._switch_on(before.name, now_s)
        for file in reversed(before.files.listing()):
            self.machine.files.store(file.name, bytes(file.data))
        for port, sensor in before.sensors.items():
            self.machine.plug_in(port, sensor)


def _methods(owner: object, commands: Sequence[Command]) -> dict[Command, Callable[..., bytes]]:
    return {command: getattr(owner, command.name) for command in commands}
