"""Pixels, lines, rectangles, circles and text on the bytes of a screen, as the firmware draws.

Coordinates count from the bottom left corner. Each byte of the screen is a column of eight pixels,
100 bytes a line of text, the top line first, bit 0 on top.
"""

from typing import Any, Final

import numpy as np

from hardware_sims.nxt_vm.drawing.font import CELL_WIDTH, GLYPHS

WIDTH: Final = 100
HEIGHT: Final = 64


def visible(start: int, step: int, limit: int, count: int) -> range:
    """Return those of `count` steps of 1 or -1 at which a coordinate is 0 to `limit` - 1."""
    first, last = (-start, limit - start) if step > 0 else (start - limit + 1, start + 1)
    return range(max(first, 0), min(last, count))


class Screen:
    """Draws on 800 bytes that belong to somebody else."""

    def __init__(self, pixels: Any) -> None:
        self._bytes = pixels

    def clear(self) -> None:
        """Make everything white."""
        self._bytes[:] = 0

    def point(self, x: int, y: int, black: bool = True) -> None:
        """Set or clear a pixel; nothing outside the screen."""
        if 0 <= x < WIDTH and 0 <= y < HEIGHT:
            row = HEIGHT - 1 - y
            at, bit = row // 8 * WIDTH + x, 1 << row % 8
            if black:
                self._bytes[at] |= np.uint8(bit)
            else:
                self._bytes[at] &= np.uint8(0xFF ^ bit)

    def line(self, x1: int, y1: int, x2: int, y2: int, black: bool = True) -> None:
        """Draw a line from the first point to the second."""
        width, height = abs(x2 - x1), abs(y2 - y1)
        x_step, y_step = (1 if x2 >= x1 else -1), (1 if y2 >= y1 else -1)
        along, across = max(width, height), min(width, height)
        start, step, limit = (x1, x_step, WIDTH) if width > height else (y1, y_step, HEIGHT)
        for i in visible(start, step, limit, along + 1):
            aside = (2 * across * i + along) // max(2 * along, 1)
            if width > height:
                self.point(x1 + x_step * i, y1 + y_step * aside, black)
            else:
                self.point(x1 + x_step * aside, y1 + y_step * i, black)

    def rectangle(self, x: int, y: int, width: int, height: int, black: bool = True) -> None:
        """Draw the outline from a corner to the one `width` and `height` away from it."""
        left, right = sorted((x, x + width))
        low, high = sorted((y, y + height))
        self.line(left, low, right, low, black)
        self.line(left, high, right, high, black)
        self.line(left, low, left, high, black)
        self.line(right, low, right, high, black)

    def circle(self, x: int, y: int, radius: int, black: bool = True) -> None:
        """Draw a circle with the midpoint method."""
        along, aside = 0, radius
        error = 1 - radius
        while along <= aside:
            for dx, dy in ((along, aside), (aside, along)):
                for sign_x in (1, -1):
                    for sign_y in (1, -1):
                        self.point(x + sign_x * dx, y + sign_y * dy, black)
            if error >= 0:
                aside -= 1
                error -= 2 * aside
            along += 1
            error += 2 * along + 1

    def text(self, x: int, y: int, characters: bytes) -> None:
        """Write in the line of text that holds row `y`, up to the right edge."""
        x, row = x & 0xFF, HEIGHT - 1 - (y & 0xFF)
        if row < 0:
            return
        start = row // 8 * WIDTH + x
        for character in characters:
            x += CELL_WIDTH
            if x >= WIDTH:
                return
            glyph = GLYPHS.get(character)
            if glyph is not None:
                self._bytes[start : start + CELL_WIDTH] = np.frombuffer(glyph, np.uint8)
                start += CELL_WIDTH
