"""The simulated brick: telegrams in, replies out, and time passing between them."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from hardware_sims.clock import VirtualClock
from hardware_sims.errors import SimulatorError
from hardware_sims.nxt_brick.direct_commands import DirectCommands
from hardware_sims.nxt_brick.faults import NO_FAULTS, Faults, Stall
from hardware_sims.nxt_brick.machine import FreeMotors, Machine, Mechanism
from hardware_sims.nxt_brick.motor_state import MOTOR_COUNT, TICK_S
from hardware_sims.nxt_brick.opcodes import DIRECT_COMMANDS, SYSTEM_COMMANDS, Command
from hardware_sims.nxt_brick.system_commands import SystemCommands
from hardware_sims.nxt_brick.telegrams import (
    CommandError,
    command_of,
    decode,
    encode_error,
    encode_reply,
    is_known_type,
    wants_reply,
)
from solvers.foundation.clock import Clock

COAST: Final = (0, 0, 0, 0, 0, 0)  # power, mode, regulation, ratio, run state, limit


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


class SimulatedBrick:
    """A brick that is switched on at second 0 of `clock`.

    It does nothing by itself: whenever a telegram arrives, or somebody calls `advance`, it lets the
    milliseconds that have passed since happen. `latency` and delays are slept on the clock, so in
    virtual time they are what moves it. Several threads may call it.
    """

    def __init__(
        self,
        clock: Clock,
        rig: Mechanism | None = None,
        faults: Faults = NO_FAULTS,
        latency: Latency = USB_LATENCY,
        name: str = "NXT",
    ) -> None:
        self.machine = Machine(
            name=name.encode("ascii"),
            battery_mv=faults.battery_mv,
            sleep_timeout_s=faults.sleep_timeout_s,
        )
        self.telegrams = 0
        self.clock = clock
        self._faults = faults
        self._latency = latency
        self._random = Random(faults.seed)
        self._lock = threading.RLock()
        self._start_s = clock.now()
        self._tick = 0
        self._rig = rig or FreeMotors()
        self._rig.attach(self.machine.outputs.motors)
        self._handlers = self._find_handlers()
        self._stalls_to_come = [
            (round(stall.time_s / TICK_S), stall)
            for stall in faults.stalls
            if stall.time_s is not None
        ]

    def _find_handlers(self) -> dict[Command, Callable[..., bytes]]:
        direct, system = DirectCommands(self.machine), SystemCommands(self.machine)
        handlers: dict[Command, Callable[..., bytes]] = {}
        handlers.update({command: getattr(direct, command.name) for command in DIRECT_COMMANDS})
        handlers.update({command: getattr(system, command.name) for command in SYSTEM_COMMANDS})
        return handlers

    @property
    def is_off(self) -> bool:
        """Whether the brick has gone to sleep, which switches it off."""
        return self.machine.is_off

    @property
    def seconds(self) -> float:
        """How long the brick has been on, up to the last `advance`."""
        return self._tick * TICK_S

    def handle(self, telegram: bytes) -> bytes | None:
        """Return the reply to one telegram, None if there is none.

        Raises:
            LineCutError: a fault cuts the line, or the brick is off; the telegram is lost.
        """
        with self._lock:
            answered = len(telegram) > 0 and wants_reply(telegram)
            self.clock.sleep(self._latency.reply_s if answered else self._latency.command_s)
            self.telegrams += 1
            self.advance()
            self._apply_faults()
            reply = self._answer(telegram) if is_known_type(telegram) else None
            if reply is None or self._is_silent():
                return None
            self.clock.sleep(self._delay_s())
            return reply

    def _answer(self, telegram: bytes) -> bytes | None:
        opcode = telegram[1]
        try:
            request = decode(telegram)
            arguments: tuple[Any, ...] = request.arguments
            if request.command.tail:
                arguments = (*arguments, request.tail)
            reply = encode_reply(opcode, self._handlers[request.command](*arguments))
        except CommandError as error:
            reply = encode_error(opcode, error.status, command_of(telegram))
        return reply if wants_reply(telegram) else None

    def advance(self) -> None:
        """Let happen what has happened since the last look."""
        with self._lock:
            target = int((self.clock.now() - self._start_s) / TICK_S + 1e-6)
            while self._tick < target:
                self._begin_stalls()
                end = min([target, *(tick for tick, _ in self._stalls_to_come)])
                self._rig.advance(self._tick, end - self._tick, self.machine.battery_mv / 1000)
                self._tick = end
            self.machine.now_s = self.seconds
            self._fall_asleep()

    def _fall_asleep(self) -> None:
        machine = self.machine
        timeout_s = machine.sleep_timeout_s
        if timeout_s and not machine.is_off and machine.now_s - machine.awake_since_s > timeout_s:
            machine.is_off = True
            for port in range(MOTOR_COUNT):
                machine.outputs.set_state(port, *COAST)

    def _apply_faults(self) -> None:
        for stall in self._faults.stalls:
            if stall.telegram == self.telegrams:
                self._stall(stall)
        if self.is_off:
            raise LineCutError("The brick is off; switch it on by starting the simulator again.")
        if self.telegrams in self._faults.drop_at:
            raise LineCutError(f"The line was cut at telegram {self.telegrams}.")

    def _begin_stalls(self) -> None:
        for tick, stall in tuple(self._stalls_to_come):
            if tick <= self._tick:
                self._stalls_to_come.remove((tick, stall))
                self._stall(stall)

    def _stall(self, stall: Stall) -> None:
        until = self.machine.outputs.motors["stall_until_tick"]
        until[stall.port] = max(until[stall.port], self._tick + round(stall.seconds / TICK_S))

    def _is_silent(self) -> bool:
        return self._faults.silent_from is not None and self.telegrams >= self._faults.silent_from

    def _delay_s(self) -> float:
        return self._faults.delay_s + self._faults.jitter_s * self._random.random()


def warm_up(rig: Mechanism | None = None) -> None:
    """Load or compile the kernels, which takes seconds the very first time.

    A simulation in real time would otherwise lose them in the middle of its first telegrams.
    """
    clock = VirtualClock()
    brick = SimulatedBrick(clock, rig)
    for power in (1, 0):
        brick.machine.outputs.set_state(0, power, 1, 0, 0, 0x20, 0)
    brick.machine.outputs.begin_move(0, 1, 1, smooth=False, holds=False)
    brick.machine.outputs.reset_tacho(0)
    clock.sleep(0.01)
    brick.advance()
