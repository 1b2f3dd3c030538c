"""The simulated brick: telegrams in, replies out, and time passing between them."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any, Final

from hardware_sims.clock import VirtualClock
from hardware_sims.errors import SimulatorError
from hardware_sims.nxt_brick.faults import NO_FAULTS, Faults, Stall
from hardware_sims.nxt_brick.machine import Machine
from hardware_sims.nxt_brick.mechanism import Mechanism
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


@dataclass(frozen=True)
class Latency:
    """What a telegram costs on its way, in seconds: one with a reply, and one without."""

    reply_s: float
    command_s: float


NO_LATENCY: Final = Latency(0.0, 0.0)
USB_LATENCY: Final = Latency(0.003, 0.001)
BLUETOOTH_LATENCY: Final = Latency(0.045, 0.003)  # the brick takes 30 ms to turn the radio round
LATENCIES: Final = {"none": NO_LATENCY, "usb": USB_LATENCY, "bluetooth": BLUETOOTH_LATENCY}


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
        self.machine = Machine(
            name.encode("ascii"),
            faults.battery_mv,
            faults.sleep_timeout_s,
            rig,
            instructions_per_ms,
        )
        self.telegrams = 0
        self.clock = clock
        self._faults = faults
        self._latency = latency
        self._random = Random(faults.seed)
        self._lock = threading.RLock()
        self._start_s = clock.now()
        self._telegram_tick = -1
        self._received = ReceiveBuffer()
        self._last_reply = b""
        self._system = SystemCommands(self.machine)
        self._direct_handlers = _methods(DirectCommands(self.machine), DIRECT_COMMANDS)
        self._system_handlers = _methods(self._system, SYSTEM_COMMANDS)
        self._to_come = self._timed_events()

    def _timed_events(self) -> list[tuple[int, Callable[[], None]]]:
        """Return ticks and what happens then."""
        events: list[tuple[float, Callable[[], None]]] = [
            (change.time_s, partial(self.machine.plug_in, *parse_sensor(change.plug)))
            for change in self._faults.sensors
        ]
        events += [
            (stall.time_s, partial(self._stall, stall))
            for stall in self._faults.stalls
            if stall.time_s is not None
        ]
        return [(round(time_s / TICK_S), event) for time_s, event in events]

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
            self.clock.sleep(self._latency.reply_s if answered else self._latency.command_s)
            self.telegrams += 1
            self._wait_for_a_new_millisecond()
            self._apply_faults()
            self._system.link = link
            reply = self._answer(telegram) if is_known_type(telegram) else None
            if reply is None or self._is_silent():
                return None
            self.clock.sleep(self._delay_s())
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
            target = int((self.clock.now() - self._start_s) / TICK_S + 1e-6)
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
        for stall in self._faults.stalls:
            if stall.telegram == self.telegrams:
                self._stall(stall)
        if self.is_off:
            raise LineCutError("The brick is off; switch it on by starting the simulator again.")
        if self.telegrams in self._faults.drop_at:
            raise LineCutError(f"The line was cut at telegram {self.telegrams}.")

    def _do_timed_events(self) -> None:
        for tick, event in tuple(self._to_come):
            if tick <= self.machine.tick:
                self._to_come.remove((tick, event))
                event()

    def _stall(self, stall: Stall) -> None:
        until = self.machine.outputs.motors["stall_until_tick"]
        end = self.machine.tick + round(stall.seconds / TICK_S)
        until[stall.port] = max(until[stall.port], end)

    def _is_silent(self) -> bool:
        return self._faults.silent_from is not None and self.telegrams >= self._faults.silent_from

    def _delay_s(self) -> float:
        return self._faults.delay_s + self._faults.jitter_s * self._random.random()


def _methods(owner: object, commands: Sequence[Command]) -> dict[Command, Callable[..., bytes]]:
    return {command: getattr(owner, command.name) for command in commands}


def warm_up(rig: Mechanism | None = None) -> None:
    """Load or compile the kernels, which takes seconds the very first time.

    A simulation in real time would otherwise lose them in the middle of its first telegrams.
    """
    clock = VirtualClock()
    brick = SimulatedBrick(clock, rig)
    brick.handle(bytes.fromhex("80 04 00 01 01 00 00 20 00 00 00 00"))
    clock.sleep(0.01)
    brick.advance()
