"""The screen: text, pictures and what lies outside."""

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware_sims.nxt_vm.drawing import GLYPHS, Screen, draw_picture


def blank() -> tuple[Screen, np.ndarray[tuple[int], np.dtype[np.uint8]]]:
    pixels = np.zeros(800, np.uint8)
    return Screen(pixels), pixels


def black_points(pixels: np.ndarray[tuple[int], np.dtype[np.uint8]]) -> set[tuple[int, int]]:
    return {
        (x, 63 - row)
        for row in range(64)
        for x in range(100)
        if pixels[row // 8 * 100 + x] >> row % 8 & 1
    }


def operation(code: int, *words: int, data: bytes = b"") -> bytes:
    body = struct.pack(f"<{len(words) + 1}H", code, *words) + data
    return struct.pack("<H", len(body)) + body


def test_every_printable_character_has_a_glyph_of_six_columns() -> None:
    assert set(GLYPHS) == set(range(32, 127))
    assert {len(glyph) for glyph in GLYPHS.values()} == {6}
    assert len(set(GLYPHS.values())) == 95


def test_text_goes_into_a_whole_line_and_ends_at_the_edge() -> None:
    screen, pixels = blank()
    screen.text(0, 59, b"A" * 30)
    assert bytes(pixels[:96]) == GLYPHS[ord("A")] * 16
    assert not pixels[96:].any()


def test_nothing_is_drawn_outside() -> None:
    screen, pixels = blank()
    for x, y in ((-1, 0), (100, 0), (0, -1), (0, 64)):
        screen.point(x, y)
    screen.text(0, 200, b"A")
    assert not pixels.any()


def test_white_takes_points_away() -> None:
    screen, pixels = blank()
    screen.rectangle(10, 10, 5, 3)
    screen.rectangle(10, 10, 5, 3, black=False)
    assert not pixels.any()


def test_picture_copies_a_sprite_and_draws_lines() -> None:
    screen, pixels = blank()
    sprite = operation(1, 1, 2, 1, data=bytes([0b10000000, 0b01000000]))  # top row first
    copied = operation(3, 0, 1, 0, 0, 2, 2, 0, 0)
    drawn = operation(5, 0, 10, 0, 12, 0)
    assert draw_picture(screen, sprite + copied + drawn, 20, 30, []) == -3
    assert black_points(pixels) == {(20, 31), (21, 30), (30, 30), (31, 30), (32, 30)}


@pytest.mark.parametrize(("passed", "x"), [(-5, 0), (5, 10), (10, 20), (50, 20)])
def test_picture_takes_numbers_through_its_tables(passed: int, x: int) -> None:
    screen, pixels = blank()
    table = operation(2, 3, 2, 0, 0, 10, 20)
    point = operation(4, 0, 0xF300, 7, 0)
    draw_picture(screen, table + point, 0, 0, [passed])
    assert black_points(pixels) == {(x, 7)}


def points_one_by_one(x1: int, y1: int, x2: int, y2: int) -> set[tuple[int, int]]:
    """Return a line's points as the firmware finds them: each from the one before."""
    width, height = abs(x2 - x1), abs(y2 - y1)
    x_step, y_step = (1 if x2 >= x1 else -1), (1 if y2 >= y1 else -1)
    along, across = max(width, height), min(width, height)
    error, points = 2 * across - along, set()
    for _ in range(along + 1):
        points.add((x1, y1))
        aside = error >= 0
        error += 2 * across - (2 * along if aside else 0)
        x1 += x_step if width > height or aside else 0
        y1 += y_step if width <= height or aside else 0
    return {(x, y) for x, y in points if 0 <= x < 100 and 0 <= y < 64}


COORDINATES = st.integers(-300, 300)


@given(COORDINATES, COORDINATES, COORDINATES, COORDINATES)
def test_a_line_goes_where_the_firmware_draws_it(x1: int, y1: int, x2: int, y2: int) -> None:
    screen, pixels = blank()
    screen.line(x1, y1, x2, y2)
    assert black_points(pixels) == points_one_by_one(x1, y1, x2, y2)
