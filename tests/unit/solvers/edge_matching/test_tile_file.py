"""The competition's tile files, and what is said about broken ones."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.edge_matching.errors import TileFileError
from solvers.edge_matching.tile_file import TileSet, load_tiles, parse_tiles

GOOD = "3\n2\n-1 -2 1\n2 3 -3\n"


def test_reads_the_format() -> None:
    assert parse_tiles(GOOD, "good") == TileSet(3, ((-1, -2, 1), (2, 3, -3)))


@pytest.mark.parametrize("text", [GOOD.replace("\n", "\r\n"), GOOD.rstrip(), GOOD + "\n\n"])
def test_line_ends_and_blank_lines_at_the_end_do_not_matter(text: str) -> None:
    assert parse_tiles(text, "text") == parse_tiles(GOOD, "good")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1 is missing"),
        ("3", "line 2 is missing"),
        ("x\n1\n1 1 1", "line 1 must be the number of figures, 1 to 1000, but reads 'x'"),
        ("3\n0\n", "line 2 must be the number of tiles"),
        ("3\n2\n1 1 1", "ends after 1"),
        ("3\n1\n1 1 1\n2 2 2", "line 4: unexpected text"),
        ("3\n1\n1 1 a", "line 3 must hold whole numbers"),
        ("3\n1\n1 1", "line 3 has 2 numbers"),
        ("3\n2\n1 1 1\n1 1 1 1", "line 4 has 4 numbers, but the tile in line 3 has 3"),
        ("3\n1\n1 1 4", "line 3: 4 names no half"),
        ("3\n1\n1 1 -4", "line 3: -4 names no half"),
        ("3\n2\n1 1 1\n\n1 1 1", "line 5: unexpected text|line 4 has 0 numbers"),
    ],
)
def test_broken_files_end_in_a_sentence(text: str, message: str) -> None:
    with pytest.raises(TileFileError, match=message):
        parse_tiles(text, "file")


def test_noise_is_refused(tmp_path: Path) -> None:
    noise = tmp_path / "noise.txt"
    noise.write_bytes(bytes(range(256)) * 40_000)
    with pytest.raises(TileFileError, match="more than 97 KB"):
        load_tiles(noise)
    noise.write_bytes(b"\xff\xfe\x00" * 100)
    with pytest.raises(TileFileError, match="is not text in UTF-8"):
        load_tiles(noise)
    with pytest.raises(TileFileError, match="cannot be read"):
        load_tiles(tmp_path / "missing.txt")


def test_six_numbers_are_a_hexagon_and_0_a_side_without_a_figure() -> None:
    assert parse_tiles("3\n1\n0 1 -2 3 0 1", "text").tiles == ((0, 1, -2, 3, 0, 1),)


@given(st.text(alphabet="0123456789 -\n.x", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        tiles = parse_tiles(text, "text")
    except TileFileError:
        return
    assert all(abs(label) <= tiles.figures for tile in tiles.tiles for label in tile)
