"""Files of cards: TOML as this program writes it, and JSON lists of a game's tasks.

    height = 2                        height of all cards, if they do not say otherwise

    [[card]]
    name = "card 1"
    pieces = [3, 10, 8]
    board = ["##.", "...", "..."]

JSON holds the key "height", optionally "pieces" (number -> list of [x, y, z] cubes, which must
agree with the sixteen known pieces), and lists of boards under keys that end in "_piece":
{"board": name, "rows": [...], "tasks": [[piece numbers], ...]}.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import tomlkit

from solvers.foundation.files import read_bytes
from solvers.foundation.typed_files import (
    LARGEST_JSON_BYTES,
    convert,
    parse_json,
    parse_toml,
    toml_text,
)
from solvers.polycube.errors import PuzzleError, PuzzleFileError
from solvers.polycube.puzzle import Shape
from solvers.polycube.ubongo.card import Card, shapes

JSON_ENDING: Final = ".json"
BOARD_LISTS_ENDING: Final = "_piece"
USUAL_HEIGHT: Final = 2

Cubes = list[tuple[int, int, int]]


class CardTable(msgspec.Struct):
    """[[card]] of a TOML file."""

    pieces: tuple[int, ...]
    board: tuple[str, ...]
    height: int | None = None
    name: str | None = None


class CardsFile(msgspec.Struct):
    """A TOML file of cards."""

    card: list[CardTable] = []
    height: int = USUAL_HEIGHT


class BoardTable(msgspec.Struct):
    """A board of a JSON file, and the pieces of each task on it."""

    rows: tuple[str, ...]
    tasks: list[tuple[int, ...]]
    board: str | int | None = None
    height: int | None = None


class TasksFile(msgspec.Struct):
    """The part of a JSON file outside its lists of boards."""

    height: int = USUAL_HEIGHT
    pieces: dict[str, Cubes] = {}


def load_cards(path: Path) -> tuple[Card, ...]:
    """Read a file of cards, JSON or TOML by its extension.

    Raises:
        PuzzleFileError: the file is malformed, or a card is impossible; the message says where.
    """
    data = read_bytes(path, PuzzleFileError, "The file of cards", LARGEST_JSON_BYTES)
    parse = parse_json_cards if path.suffix.lower() == JSON_ENDING else parse_toml_cards
    return parse(data, str(path))


def parse_toml_cards(data: bytes, where: str = "cards") -> tuple[Card, ...]:
    """Return the cards of a TOML text."""
    read = convert(parse_toml(data, where, PuzzleFileError), CardsFile, where, PuzzleFileError)
    if not read.card:
        raise PuzzleFileError(f"{where}: there is no table [[card]] in it.")
    return tuple(
        _card(
            table.pieces,
            table.board,
            read.height if table.height is None else table.height,
            f"card {number}" if table.name is None else table.name,
            f"{where}, card {number}",
        )
        for number, table in enumerate(read.card, start=1)
    )


def parse_json_cards(data: bytes, where: str = "tasks") -> tuple[Card, ...]:
    """Return the cards of a JSON text."""
    tables = parse_json(data, dict[str, Any], where, PuzzleFileError)
    read = convert(tables, TasksFile, where, PuzzleFileError)
    _check_known_pieces(read.pieces, where)
    cards = tuple(_json_cards(tables, read.height, where))
    if not cards:
        raise PuzzleFileError(
            f"{where}: there is no list of boards under a key that ends in {BOARD_LISTS_ENDING!r}."
        )
    return cards


def dumps(cards: list[Card], comments: list[str] | None = None) -> str:
    """Return cards as TOML; `comments`, if given, has one line for each card."""
    document = tomlkit.document()
    tables = tomlkit.aot()
    for number, card in enumerate(cards):
        table = tomlkit.table()
        if comments:
            table.add(tomlkit.comment(comments[number]))
        table["name"] = toml_text(card.name)
        table["height"] = card.height
        table["pieces"] = list(card.pieces)
        table["board"] = list(card.rows)
        tables.append(table)
    document["card"] = tables
    return tomlkit.dumps(document)


def _json_cards(tables: dict[str, Any], height: int, where: str) -> Iterator[Card]:
    for key, listed in tables.items():
        if not key.endswith(BOARD_LISTS_ENDING):
            continue
        boards = convert(listed, list[BoardTable], f"{where}, {key}", PuzzleFileError)
        for number, board in enumerate(boards, start=1):
            name = number if board.board is None else board.board
            for task, pieces in enumerate(board.tasks, start=1):
                yield _card(
                    pieces,
                    board.rows,
                    height if board.height is None else board.height,
                    f"{name} task {task}",
                    f"{where}, {key}, board {number}, task {task}",
                )


def _card(
    pieces: tuple[int, ...], rows: tuple[str, ...], height: int, name: str, where: str
) -> Card:
    try:
        return Card(pieces, rows, height, name)
    except PuzzleError as error:
        raise PuzzleFileError(f"{where}: {error}") from error


def _check_known_pieces(pieces: dict[str, Cubes], where: str) -> None:
    known = {str(number): shape.canonical() for number, shape in shapes().items()}
    for number, cells in pieces.items():
        try:
            agrees = Shape.of(cells).canonical() == known.get(number)
        except PuzzleError:
            agrees = False
        if not agrees:
            raise PuzzleFileError(f"{where}: piece {number} is not the known piece of that number.")
