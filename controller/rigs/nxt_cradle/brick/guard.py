"""What keeps motors from staying under power when the computer disappears.

A motor that presses against a stop never reaches its tachometer limit, so no limit of the firmware
ends it. A program on the brick does: it waits for orders, and 0.8 s after the last one it lets the
motors go.
"""

import logging
from math import inf
from typing import Final

from controller.errors import BrickRefusedError
from controller.rigs.nxt_cradle.brick.brick_link import BrickLink
from controller.rigs.nxt_cradle.brick.programs import (
    GUARD,
    PLAYER,
    name_on_brick,
    run_program,
    running_program,
    shipped_program,
    why_not,
)
from solvers.foundation.clock import Clock

ORDERS_MAILBOX: Final = 2
PRESENT: Final = b"K"
"""Order: nothing, but the host is there. Without orders both programs let the motors go."""

BEAT_S: Final = 0.3
"""Leaves half a second for a link that is late."""

SILENT_S: Final = 0.7
"""The programs let the motors go after 0.8 s; a telegram may have been under way for some of it."""

_log: Final = logging.getLogger(__name__)


class Heartbeat:
    """A sign of life to the program on the brick, every 0.3 s while motors move."""

    def __init__(self, link: BrickLink, clock: Clock) -> None:
        self._link = link
        self._clock = clock
        self._last_s = -inf

    def beat(self) -> bool:
        """Send the order that says so, if it is due. Raises RobotError.

        Return whether it was so long overdue that the motors may have been let go.
        """
        now_s = self._clock.now()
        silent_s = now_s - self._last_s
        if silent_s >= BEAT_S:
            self._last_s = now_s
            self._link.ask(lambda brick: brick.message_write(ORDERS_MAILBOX, PRESENT))
        return silent_s > SILENT_S


class Guard:
    """The watch over motors that direct commands move. Everything raises RobotError."""

    def __init__(self, link: BrickLink, clock: Clock) -> None:
        self._link = link
        self._clock = clock
        self._heartbeat: Heartbeat | None = None

    @property
    def is_on(self) -> bool:
        """Whether a program on the brick watches over the motors."""
        return self._heartbeat is not None

    def find(self) -> bool:
        """Return whether a program that watches runs already: the guard, or the player."""
        names = [name_on_brick(shipped_program(each)) for each in (GUARD, PLAYER)]
        is_running = running_program(self._link) in names
        self._heartbeat = Heartbeat(self._link, self._clock) if is_running else None
        return is_running

    def start(self) -> None:
        """Let a program watch, installed if need be, which may put the counters back to zero.

        Where the brick can hold or run none, that is logged: motors then stop only as far as the
        firmware's limits stop them.
        """
        if self.find():
            return
        reason = why_not(self._link)
        if reason is None:
            try:
                run_program(self._link, self._clock, shipped_program(GUARD))
            except BrickRefusedError as error:
                reason = str(error)
            else:
                self._heartbeat = Heartbeat(self._link, self._clock)
                return
        _log.warning(
            "%s So nothing on the brick stops the motors if this computer disappears: stay near, "
            "and switch the brick off if a motor keeps humming.",
            reason,
        )

    def beat(self) -> bool:
        """Say that the host is there, if that is due; return as `Heartbeat.beat` does."""
        return self._heartbeat is not None and self._heartbeat.beat()
