"""The screen of 100 by 64 pixels: lines, text in the brick's font, and .ric pictures."""

import itertools
import struct
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from hardware_sims.nxt_vm.codes import ERR_FILE

CELL_WIDTH: Final = 6
FIRST_CHARACTER: Final = 32

# Five columns a character from left to right, bit 0 on top; from the space on.
_COLUMNS: Final = bytes.fromhex(
    "0000000000 00005f0000 0007000700 147f147f14 242a7f2a12 2313086462 3649552250 0005030000"
    "001c224100 0041221c00 14083e0814 08083e0808 0050300000 0808080808 0060600000 2010080402"
    "3e5149453e 00427f4000 4261514946 2141454b31 1814127f10 2745454539 3c4a494930 0171090503"
    "3649494936 064949291e 0036360000 0056360000 0814224100 1414141414 0041221408 0201510906"
    "324979413e 7e1111117e 7f49494936 3e41414122 7f4141221c 7f49494941 7f09090901 3e4149497a"
    "7f0808087f 00417f4100 2040413f01 7f08142241 7f40404040 7f020c027f 7f0408107f 3e4141413e"
    "7f09090906 3e4151215e 7f09192946 4649494931 01017f0101 3f4040403f 1f2040201f 3f4038403f"
    "6314081463 0708700807 6151494543 007f414100 0204081020 0041417f00 0402010204 4040404040"
    "0001020400 2054545478 7f48444438 3844444420 384444487f 3854545418 087e090102 0c5252523e"
    "7f08040478 00447d4000 2040443d00 7f10284400 00417f4000 7c04180478 7c08040478 3844444438"
    "7c14141408 081414187c 7c08040408 4854545420 043f444020 3c4040207c 1c2040201c 3c4030403c"
    "4428102844 0c5050503c 4464544c44 0008364100 00007f0000 0041360800 0804081008"
)
GLYPHS: Final = {
    FIRST_CHARACTER + index: _COLUMNS[5 * index : 5 * index + 5] + b"\0"
    for index in range(len(_COLUMNS) // 5)
}


WIDTH: Final = 100
HEIGHT: Final = 64


def visible(start: int, step: int, limit: int, count: int) -> range:
    """Return those of `count` steps of 1 or -1 at which a coordinate is 0 to `limit` - 1."""
    first, last = (-start, limit - start) if step > 0 else (start - limit + 1, start + 1)
    return range(max(first, 0), min(last, count))


class Screen:
    """Draws on 800 bytes of another owner."""

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


_TABLES = 11
_Numbers = Sequence[int]


class _Picture:
    """One picture being drawn at a place of the screen."""

    def __init__(self, screen: Screen, x: int, y: int, passed: _Numbers) -> None:
        self.screen, self.x, self.y, self._passed = screen, x, y, passed
        self._sprites: dict[int, tuple[int, int, bytes]] = {}
        self._maps: dict[int, list[tuple[int, int]]] = {}

    def value(self, number: int) -> int:
        """Return a number of the picture, or the passed one that it stands for."""
        index = number & 0xFF
        if not number & 0xF000 or index >= len(self._passed):
            return (number ^ 0x8000) - 0x8000
        passed = self._passed[index]
        points = self._maps.get(number >> 8 & 0xF)
        if not points:
            return passed
        if passed <= points[0][0]:
            return points[0][1]
        for (low, first), (high, second) in itertools.pairwise(points):
            if passed < high:
                return first + int((passed - low) * (second - first) / (high - low))
        return points[-1][1]

    def sprite(self, body: bytes) -> None:
        number, rows, row_bytes = struct.unpack_from("<3H", body)
        if 1 <= number < _TABLES:
            self._sprites[number] = rows, row_bytes, body[6:]

    def table(self, body: bytes) -> None:
        number, count = struct.unpack_from("<2H", body)
        if 1 <= number < _TABLES:
            pairs = struct.iter_unpack("<2H", body[4 : 4 + 4 * count])
            self._maps[number] = [(domain, result) for domain, result in pairs]

    def copy_bits(self, body: bytes) -> None:
        """Copy a part of a sprite. Its copy options other than 0 are unknown and taken for 0."""
        words = [self.value(word) for word in struct.unpack_from("<8H", body)]
        _, number, source_x, source_y, width, height, to_x, to_y = words
        rows, row_bytes, bits = self._sprites.get(number, (0, 0, b""))
        for row in visible(self.y + to_y, 1, HEIGHT, height):
            line = (rows - 1 - source_y - row) * row_bytes
            for column in visible(self.x + to_x, 1, WIDTH, width):
                at = line + (source_x + column) // 8
                if line >= 0 and at < len(bits):
                    black = bool(bits[at] & 0x80 >> (source_x + column) % 8)
                    self.screen.point(self.x + to_x + column, self.y + to_y + row, black)

    def pixel(self, body: bytes) -> None:
        _, x, y = (self.value(word) for word in struct.unpack_from("<3H", body))
        self.screen.point(self.x + x, self.y + y)

    def line(self, body: bytes) -> None:
        _, x1, y1, x2, y2 = (self.value(word) for word in struct.unpack_from("<5H", body))
        self.screen.line(self.x + x1, self.y + y1, self.x + x2, self.y + y2)

    def rectangle(self, body: bytes) -> None:
        _, x, y, width, height = (self.value(word) for word in struct.unpack_from("<5H", body))
        self.screen.rectangle(self.x + x, self.y + y, width, height)

    def circle(self, body: bytes) -> None:
        _, x, y, radius = (self.value(word) for word in struct.unpack_from("<4H", body))
        self.screen.circle(self.x + x, self.y + y, radius)

    def number_box(self, body: bytes) -> None:
        _, x, y, number = (self.value(word) for word in struct.unpack_from("<4H", body))
        self.screen.text(self.x + x, self.y + y, b"%d" % number)


_OPERATIONS: dict[int, tuple[int, Callable[[_Picture, bytes], None]]] = {
    1: (8, _Picture.sprite),
    2: (8, _Picture.table),
    3: (16, _Picture.copy_bits),
    4: (8, _Picture.pixel),
    5: (10, _Picture.line),
    6: (10, _Picture.rectangle),
    7: (8, _Picture.circle),
    8: (8, _Picture.number_box),
}
_DESCRIPTION = 0


def draw_picture(screen: Screen, image: bytes, x: int, y: int, passed: _Numbers) -> int:
    """Draw a picture with its lower left corner at a point.

    Returns ERR_FILE, as the firmware does at the end of every picture: it looks for operations
    until there is none.
    """
    picture = _Picture(screen, x, y, passed)
    at = 0
    while at + 4 <= len(image):
        size, operation = struct.unpack_from("<2H", image, at)
        if size % 2 or (operation != _DESCRIPTION and operation not in _OPERATIONS):
            return ERR_FILE
        body = image[at + 4 : at + 2 + size]
        if operation != _DESCRIPTION:
            least, draw = _OPERATIONS[operation]
            if len(body) >= least:
                draw(picture, body)
        at += 2 + size
    return ERR_FILE
