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

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from solvers.polycube.errors import PuzzleError, PuzzleFileError
from solvers.polycube.files.toml_format import read_text
from solvers.polycube.shape import Shape
from solvers.polycube.ubongo.card import Card, shapes

JSON_ENDING = ".json"
BOARD_LISTS_ENDING = "_piece"


def load_cards(path: Path) -> tuple[Card, ...]:
    """Read a file of cards; its ending tells JSON from TOML.

    Raises:
        PuzzleFileError: the file is malformed, or a card is impossible; the message says where.
    """
    text = read_text(path)
    parse = parse_json if path.suffix.lower() == JSON_ENDING else parse_toml
    return parse(text, str(path))


def parse_toml(text: str, where: str = "cards") -> tuple[Card, ...]:
    """Return the cards of a TOML text."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PuzzleFileError(f"{where} is not valid TOML: {error}.") from error
    except RecursionError as error:
        raise PuzzleFileError(f"{where}: brackets are nested too deeply.") from error
    tables = data.get("card")
    if not isinstance(tables, list) or not tables:
        raise PuzzleFileError(f"{where}: there is no table [[card]] in it.")
    height = data.get("height", 2)
    return tuple(
        _card(table, "board", table.get("pieces"), height, f"{where}, card {number}")
        for number, table in enumerate(tables, start=1)
        if _is_table(table, f"{where}, card {number}")
    )


def parse_json(text: str, where: str = "tasks") -> tuple[Card, ...]:
    """Return the cards of a JSON text."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise PuzzleFileError(
            f"{where}, line {error.lineno}: this is not JSON ({error.msg})."
        ) from error
    except RecursionError as error:
        raise PuzzleFileError(f"{where}: brackets are nested too deeply.") from error
    _is_table(data, where)
    _check_known_pieces(data.get("pieces", {}), where)
    cards = tuple(_json_cards(data, where))
    if not cards:
        raise PuzzleFileError(
            f"{where}: there is no list of boards under a key that ends in {BOARD_LISTS_ENDING!r}."
        )
    return cards


def dumps(cards: list[Card], comments: list[str] | None = None) -> str:
    """Return cards as TOML; `comments`, if given, has one line for each card."""
    lines = []
    for number, card in enumerate(cards):
        if comments:
            lines.append(f"# {comments[number]}")
        rows = ", ".join(json.dumps(row) for row in card.rows)
        lines += [
            "[[card]]",
            f"name = {json.dumps(card.name, ensure_ascii=False)}",
            f"height = {card.height}",
            f"pieces = {list(card.pieces)}",
            f"board = [{rows}]",
            "",
        ]
    return "\n".join(lines)


def _json_cards(data: dict[str, Any], where: str) -> Iterator[Card]:
    height = data.get("height", 2)
    for key, boards in data.items():
        if not key.endswith(BOARD_LISTS_ENDING):
            continue
        for number, board in enumerate(_list(boards, f"{where}, {key}"), start=1):
            place = f"{where}, {key}, board {number}"
            _is_table(board, place)
            for task, pieces in enumerate(_list(board.get("tasks"), f"{place}, tasks"), start=1):
                name = f"{board.get('board', number)} task {task}"
                yield _card(board | {"name": name}, "rows", pieces, height, f"{place}, task {task}")


def _card(table: dict[str, Any], rows_key: str, pieces: object, height: object, where: str) -> Card:
    rows = _list(table.get(rows_key), f"{where}, {rows_key}")
    if not all(isinstance(row, str) for row in rows):
        raise PuzzleFileError(f"{where}: {rows_key} must be a list of texts, one per row.")
    numbers = _list(pieces, f"{where}, pieces")
    height = table.get("height", height)
    if not all(type(number) is int for number in (*numbers, height)):
        raise PuzzleFileError(f"{where}: height and pieces must be whole numbers.")
    name = str(table.get("name", where.rpartition(", ")[2]))
    try:
        return Card(tuple(numbers), tuple(rows), int(str(height)), name)
    except PuzzleError as error:
        raise PuzzleFileError(f"{where}: {error}") from error


def _check_known_pieces(pieces: object, where: str) -> None:
    if not _is_table(pieces, f"{where}, pieces"):
        return
    assert isinstance(pieces, dict)
    known = {str(number): shape.canonical() for number, shape in shapes().items()}
    for number, cells in pieces.items():
        try:
            agrees = Shape.of(map(tuple, cells)).canonical() == known.get(number)
        except (PuzzleError, TypeError, ValueError, IndexError):
            agrees = False
        if not agrees:
            raise PuzzleFileError(f"{where}: piece {number} is not the known piece of that number.")


def _is_table(value: object, where: str) -> bool:
    if not isinstance(value, dict):
        raise PuzzleFileError(f"{where} must be a table of keys and values.")
    return True


def _list(value: object, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise PuzzleFileError(f"{where} must be a list.")
    return value
