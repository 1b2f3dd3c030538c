"""Cards, files of cards, and all solutions of the game's own tasks."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.polycube.errors import PuzzleError, PuzzleFileError
from solvers.polycube.ubongo.card import Card, shapes, volume
from solvers.polycube.ubongo.card_file import (
    dumps,
    load_cards,
    parse_json_cards,
    parse_toml_cards,
)
from solvers.polycube.ubongo.solution import solve

TASKS = Path(__file__).parents[3] / "data" / "puzzles" / "ubongo_tasks.json"

# The card that the thesis shows in its figures 6 and 7.
THESIS = Card((3, 10, 8, 5), ("##.#", "...#", "...."))


def target_of(card: Card) -> frozenset[tuple[int, int, int]]:
    return frozenset(
        (x, y, z)
        for y, row in enumerate(card.rows)
        for x, mark in enumerate(row)
        if mark == "."
        for z in range(card.height)
    )


def test_the_card_of_the_thesis_has_four_solutions(plain: Any) -> None:
    solved = solve(THESIS)
    assert len(solved.solutions) == 4
    assert solved.count_up_to_symmetry == 4
    pieces = [shapes()[number].cells for number in THESIS.pieces]
    expected = {frozenset(found) for found in plain.packings(target_of(THESIS), pieces)}
    found = {frozenset(p.cells for p in solution.placements) for solution in solved.solutions}
    assert found == expected


def test_all_tasks_of_the_game_with_all_solutions(plain: Any) -> None:
    cards = load_cards(TASKS)
    assert len(cards) == sum(
        len(board["tasks"])
        for key, boards in json.loads(TASKS.read_text()).items()
        if key.endswith("_piece")
        for board in boards
    )
    for card in cards:
        pieces = [shapes()[number].cells for number in card.pieces]
        solutions = solve(card).solutions
        assert solutions
        found = set()
        for solution in solutions:
            assert sorted(int(p.piece) for p in solution.placements) == sorted(card.pieces)
            for placement in solution.placements:
                own = plain.turns(shapes()[int(placement.piece)].cells)
                assert plain.turns(placement.cells) == own
            found.add(frozenset(p.cells for p in solution.placements))
        assert len(found) == len(solutions)
        assert found == {frozenset(way) for way in plain.packings(target_of(card), pieces)}


def test_most_tasks_have_one_solution() -> None:
    numbers = Counter((len(card.pieces), len(solve(card).solutions)) for card in load_cards(TASKS))
    three = sum(count for (pieces, _), count in numbers.items() if pieces == 3)
    assert numbers[3, 1] > three / 2


@settings(max_examples=25, deadline=None)
@given(st.permutations((3, 10, 8, 5)), st.integers(0, 3), st.booleans())
def test_counts_do_not_depend_on_piece_order_or_on_turning_the_board(
    pieces: list[int], quarter_turns: int, over: bool
) -> None:
    rows = list(THESIS.rows)
    for _ in range(quarter_turns):
        rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
    # Turned over, a board shows its mirror image: the same prism of cells from below.
    if over:
        rows = rows[::-1]
    solved = solve(Card(tuple(pieces), tuple(rows)))
    assert len(solved.solutions) == 4


def test_equal_pieces_are_not_told_apart() -> None:
    solved = solve(Card((8, 8), ("...",)))
    assert len(solved.solutions) == 2
    assert solved.count_up_to_symmetry == 1


def test_the_search_can_stop_early() -> None:
    assert len(solve(THESIS, at_most=2).solutions) == 2


@pytest.mark.parametrize(
    ("pieces", "rows", "height", "message"),
    [
        ((), ("...",), 2, "1 to 16 pieces, not 0"),
        ((17,), ("...",), 2, "There is no piece 17"),
        ((8, 8), (), 2, "1 to 12 rows, not 0"),
        ((8, 8), ("...", ".."), 2, "Row 2 has 2 marks, but row 1 has 3"),
        ((8, 8), ("..x",), 2, "Row 1 holds 'x'"),
        ((8, 8), ("",), 2, "Row 1 must have 1 to 12 marks"),
        ((8, 8), ("###",), 2, "The base area is empty"),
        ((8, 8), ("...",), 0, "1 to 12 layers high"),
        ((8, 8), ("....",), 2, "Pieces 8, 8 have 6 cubes, but a base area of 4 fields.* takes 8"),
    ],
)
def test_impossible_cards_are_explained(
    pieces: tuple[int, ...], rows: tuple[str, ...], height: int, message: str
) -> None:
    with pytest.raises(PuzzleError, match=message):
        Card(pieces, rows, height)


def test_pieces_have_three_to_five_cubes() -> None:
    assert Counter(volume([number]) for number in shapes()) == {3: 1, 4: 5, 5: 10}
    assert set(shapes()) == set(range(1, 17))


def test_cards_survive_toml() -> None:
    cards = [THESIS, Card((8, 8), ("..", "#."), 2, 'the "second"')]
    text = dumps(cards, ["first", "second"])
    assert parse_toml_cards(text.encode()) == (
        Card(THESIS.pieces, THESIS.rows, 2, "card"),
        cards[1],
    )
    assert "# second" in text


@pytest.mark.parametrize("name", ["del \x7f", "tab\t", 'quote " and \\', "two\nlines", "ü"])
def test_any_name_survives_toml(name: str) -> None:
    card = Card(THESIS.pieces, THESIS.rows, 2, name)
    assert parse_toml_cards(dumps([card], ["a remark"]).encode()) == (card,)


def test_height_of_all_cards_of_a_file() -> None:
    text = 'height = 3\n[[card]]\npieces = [8, 8]\nboard = [".."]'
    assert parse_toml_cards(text.encode())[0] == Card((8, 8), ("..",), 3, "card 1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("card = ", "cards is not TOML"),
        ("", r"no table \[\[card\]\]"),
        ("card = [1]", r"cards: card\[0\] must be a section of keys, not 1"),
        ('[[card]]\npieces = [8, 8]\nboard = "..."', r"card\[0\].board must be a list"),
        ("[[card]]\npieces = [8, 8]\nboard = [1]", r"card\[0\].board\[0\] must be a text"),
        ('[[card]]\npieces = 8\nboard = ["..."]', r"card\[0\].pieces must be a list"),
        ('[[card]]\npieces = [8, "8"]\nboard = ["..."]', r"pieces\[1\] must be a whole number"),
        ('[[card]]\npieces = [8, true]\nboard = ["..."]', r"pieces\[1\] must be a whole number"),
        (
            '[[card]]\nheight = 2.5\npieces = [8, 8]\nboard = ["..."]',
            "height must be a whole number",
        ),
        ('[[card]]\npieces = [8, 8]\nboard = ["...."]', "cards, card 1: Pieces 8, 8 have 6"),
        ("a = " + "[" * 9000, "nested too deeply"),
    ],
)
def test_broken_toml_ends_in_a_sentence(text: str, message: str) -> None:
    with pytest.raises(PuzzleFileError, match=message):
        parse_toml_cards(text.encode())


GOOD_JSON: dict[str, Any] = {
    "height": 2,
    "pieces": {"8": [[0, 0, 0], [0, 1, 0], [1, 0, 0]]},
    "two_piece": [{"board": "a", "rows": ["..."], "tasks": [[8, 8]]}],
}


def test_json_names_cards_by_board_and_task() -> None:
    assert parse_json_cards(json.dumps(GOOD_JSON).encode()) == (
        Card((8, 8), ("...",), 2, "a task 1"),
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"two_piece": 5}, "tasks, two_piece: it must be a list, not 5"),
        ({"two_piece": []}, "no list of boards"),
        ({"two_piece": [5]}, r"two_piece: \[0\] must be a section of keys"),
        ({"two_piece": [{"rows": ["..."]}]}, "'tasks' is missing"),
        ({"two_piece": [{"rows": ["..."], "tasks": [[8]]}]}, "board 1, task 1: Pieces 8 have 3"),
        ({"two_piece": [{"rows": "...", "tasks": [[8, 8]]}]}, "rows must be a list"),
        ({"pieces": {"8": [[0, 0, 0], [1, 0, 0]]}}, "piece 8 is not the known piece"),
        ({"pieces": {"8": [[0, 0, 0], [0, 0, 0]]}}, "piece 8 is not the known piece"),
        ({"pieces": {"8": "abc"}}, "must be a list"),
        ({"pieces": {"99": [[0, 0, 0]]}}, "piece 99 is not the known piece"),
        ({"pieces": []}, "pieces must be a section of keys"),
        ({"height": "two"}, "height must be a whole number"),
    ],
)
def test_broken_json_ends_in_a_sentence(change: dict[str, Any], message: str) -> None:
    with pytest.raises(PuzzleFileError, match=message):
        parse_json_cards(json.dumps(GOOD_JSON | change).encode())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{\n\n,}", "tasks, line 3, is not JSON"),
        ("[]", "must be a section of keys"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_no_json_ends_in_a_sentence(text: str, message: str) -> None:
    with pytest.raises(PuzzleFileError, match=message):
        parse_json_cards(text.encode())


def test_noise_is_refused(tmp_path: Path) -> None:
    noise = tmp_path / "noise.json"
    noise.write_bytes(bytes(range(256)) * 40_000)
    with pytest.raises(PuzzleFileError, match="more than 4 MB"):
        load_cards(noise)
