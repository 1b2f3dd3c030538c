"""Boards: notations, refusals with their reasons, moves, solvability."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.sliding_tile.board import (
    MOVES,
    OPPOSITE,
    Board,
    InvalidBoardError,
    UnsolvableError,
    format_board,
    is_solvable,
    parse_board,
    require_solvable,
)

GOAL_8 = parse_board("abcdefgho")


@st.composite
def walks(draw: st.DrawFn) -> tuple[Board, str]:
    """Return a board and possible moves on it."""
    width, height = draw(st.integers(2, 5)), draw(st.integers(2, 5))
    board = Board(width, height, tuple(draw(st.permutations(range(width * height)))))
    moves, blank = "", board.blank
    for move in draw(st.lists(st.sampled_from(list(MOVES)), max_size=30)):
        target = board.target(blank, move)
        if target is not None:
            moves, blank = moves + move, target
    return board, moves


@pytest.mark.parametrize(
    "text", ["abcdefgho", "ABCDEFGHO", "123456780", "1 2 3 4 5 6 7 8 0", "1 2 3, 4 5 6, 7 8 _"]
)
def test_all_notations_of_a_board_mean_the_same(text: str) -> None:
    assert parse_board(text) == GOAL_8


def test_a_board_is_shown_in_a_form_that_can_be_read() -> None:
    fifteen = parse_board("0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15")
    assert format_board(GOAL_8) == "abcdefgho"
    assert parse_board(format_board(fifteen)) == fifteen


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("abcdefgh", "is not square: it has 8 cells"),
        ("abcdefghh", "h more than once and the blank not at all"),
        ("abcdefgzo", "h not at all"),
        ("123456779", "7 more than once"),
        ("abcdefg#o", "'#' in the board"),
        ("", "is not square"),
        ("0", "is not possible"),
    ],
)
def test_a_malformed_board_is_refused_with_the_reason(text: str, complaint: str) -> None:
    with pytest.raises(InvalidBoardError, match=complaint):
        parse_board(text)


def test_a_board_that_is_not_square_needs_its_width() -> None:
    assert parse_board("1 2 3, 4 5 0", 3).height == 2
    with pytest.raises(InvalidBoardError, match="no rows of 4 cells"):
        parse_board("1 2 3, 4 5 0", 4)


@given(walks())
def test_moves_keep_a_board_solvable_and_can_be_taken_back(walk: tuple[Board, str]) -> None:
    board, moves = walk
    there = board.moved(moves)
    assert is_solvable(board, there)
    assert there.moved("".join(OPPOSITE[move] for move in reversed(moves))) == board


@given(walks(), st.randoms(use_true_random=False))
def test_exchanging_two_tiles_makes_a_board_unsolvable(
    walk: tuple[Board, str], chance: random.Random
) -> None:
    board, moves = walk
    cells = list(board.moved(moves).cells)
    one, other = chance.sample([cell for cell, tile in enumerate(cells) if tile], 2)
    cells[one], cells[other] = cells[other], cells[one]
    with pytest.raises(UnsolvableError, match="odd number of exchanges"):
        require_solvable(board, Board(board.width, board.height, tuple(cells)))


def test_a_move_over_the_rim_is_refused() -> None:
    with pytest.raises(InvalidBoardError, match="Move 3 of 'lll'"):
        GOAL_8.moved("lll")


def test_boards_of_two_sizes_do_not_go_together() -> None:
    with pytest.raises(InvalidBoardError, match="same size"):
        require_solvable(GOAL_8, parse_board("1 2 3 0"))
