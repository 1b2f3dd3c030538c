"""The four buttons and their module (c_button.c, d_button.r).

The module looks every other millisecond. A press shows when the converter's reading has been still
for a while, a release a debouncing time after that. A button that was held for two seconds is
released long.
"""

from typing import Final

from hardware_sims.nxt_firmware.io_maps import IoMap

NAMES: Final = ("grey", "right", "left", "orange")  # as the module numbers them
GREY: Final = NAMES.index("grey")
PRESSED_EVENT: Final = 0x01
SHORT_RELEASED_EVENT: Final = 0x02
LONG_PRESSED_EVENT: Final = 0x04
LONG_RELEASED_EVENT: Final = 0x08
PRESSED_STATE: Final = 0x80

EVENT_TICKS: Final = 2  # until the module looks again
PRESS_TICKS: Final = 14  # six looks at the same reading, and the one before
RELEASE_TICKS: Final = PRESS_TICKS + 60
LONG_TICKS: Final = 2000
SHORTEST_TICKS: Final = PRESS_TICKS + EVENT_TICKS  # a shorter press shows nothing
COUNTS: Final = 256
FOREVER: Final = 1 << 62


class Buttons:
    """The buttons on the module's I/O map; times are the brick's milliseconds."""

    def __init__(self, io_map: IoMap) -> None:
        self._counts = io_map["buttons"][0]
        self._states = io_map["states"][0]
        self._changes: list[tuple[int, int, int]] = []  # tick, button, state to set

    def press(self, button: int, tick: int, ticks: int) -> None:
        """Press a button from `tick` on for that long, after all presses that are under way."""
        start = max([tick, *(due for due, pressed, _ in self._changes if pressed == button)])
        held, released = start + PRESS_TICKS, start + ticks + RELEASE_TICKS
        changes = [(held, PRESSED_STATE | PRESSED_EVENT), (held + 1, PRESSED_STATE)]
        is_long = ticks >= LONG_TICKS
        if is_long:
            at = held + LONG_TICKS
            changes += [(at, PRESSED_STATE | LONG_PRESSED_EVENT), (at + EVENT_TICKS, PRESSED_STATE)]
        changes.append((released, LONG_RELEASED_EVENT if is_long else SHORT_RELEASED_EVENT))
        changes.append((released + EVENT_TICKS, 0))
        self._changes = sorted([*self._changes, *((due, button, state) for due, state in changes)])

    def ticks_to_event(self, tick: int) -> int:
        """Return after how many milliseconds from `tick` on a button changes."""
        return max(1, self._changes[0][0] - tick) if self._changes else FOREVER

    def advance(self, tick: int) -> bool:
        """Let happen what is due; return whether the grey button has just been pressed."""
        is_grey = False
        while self._changes and self._changes[0][0] <= tick:
            _, button, state = self._changes.pop(0)
            self._states[button] = state
            self._count(button, state)
            is_grey = is_grey or (button == GREY and bool(state & PRESSED_EVENT))
        return is_grey

    def _count(self, button: int, state: int) -> None:
        counts = self._counts[button]
        for event, name in (
            (PRESSED_EVENT, "pressed_count"),
            (LONG_PRESSED_EVENT, "long_press_count"),
            (SHORT_RELEASED_EVENT, "short_release_count"),
            (LONG_RELEASED_EVENT, "long_release_count"),
        ):
            if state & event:
                counts[name] = (int(counts[name]) + 1) % COUNTS
        released = int(counts["short_release_count"]) + int(counts["long_release_count"])
        counts["release_count"] = released % COUNTS
