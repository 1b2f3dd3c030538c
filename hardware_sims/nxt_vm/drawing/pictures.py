"""Pictures in LEGO's .ric format: a list of operations, each with its size first.

All numbers are 16 bits. One whose upper four bits are set stands for a number that the program
passes, taken as it is or through a table of the picture.
"""

import itertools
import struct
from collections.abc import Callable, Sequence

from hardware_sims.nxt_vm.codes import ERR_FILE
from hardware_sims.nxt_vm.drawing.screen import HEIGHT, WIDTH, Screen, visible

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
