"""Moves are read, written, undone and put into normal form."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.foundation.errors import InvalidInputError
from solvers.rubik.cubies import SOLVED
from solvers.rubik.errors import NotationError
from solvers.rubik.notation import (
    Face,
    Move,
    Notation,
    cancel,
    format_moves,
    inverse_moves,
    parse_moves,
    quarter_turn_metric,
)

move_lists = st.lists(st.sampled_from(Move), max_size=30)


def test_move_numbers_are_face_and_quarter_turns() -> None:
    assert [move.value for move in Move] == list(range(18))
    assert [(move.face, move.quarter_turns) for move in (Move.U1, Move.F2, Move.B3)] == [
        (Face.U, 1),
        (Face.F, 2),
        (Face.B, 3),
    ]
    assert Move.R1.inverse is Move.R3
    assert Move.R2.inverse is Move.R2
    assert str(Move.L3) == "L'"


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("", ()),
        ("R U R' U'", (Move.R1, Move.U1, Move.R3, Move.U3)),
        ("RUR'U'", (Move.R1, Move.U1, Move.R3, Move.U3)),
        ("F2 F2' F3 F1", (Move.F2, Move.F2, Move.F3, Move.F1)),
        ("B\u2019 \n D`", (Move.B3, Move.D3)),
    ],
)
def test_standard_notation_is_read(text: str, moves: tuple[Move, ...]) -> None:
    assert parse_moves(text) == moves


def test_german_letters_name_other_faces() -> None:
    assert parse_moves("V O H U R L", Notation.GERMAN) == parse_moves("F U B D R L")
    assert format_moves(parse_moves("U D' F2"), Notation.GERMAN) == "O U' V2"


@pytest.mark.parametrize(
    ("text", "face_turns"),
    [
        ("x U", "F"),
        ("x2 F", "B"),
        ("x' U", "B"),
        ("y F", "R"),
        ("y' R", "F"),
        ("z U", "L"),
        ("z R'", "U'"),
        ("x y z", ""),
        ("x y F", "R"),
        ("y x F", "D"),
    ],
)
def test_rotations_are_folded_into_the_moves_after_them(text: str, face_turns: str) -> None:
    assert parse_moves(text) == parse_moves(face_turns)


@pytest.mark.parametrize(
    ("text", "word", "position", "character"),
    [
        ("R U Q2 F", "'Q2'", "Move 3", "character 5"),
        ("R4", "'R4'", "Move 1", "character 2"),
        ("R Rw", "'Rw'", "Move 2", "character 4"),
        ("r", "'r'", "Move 1", "character 1"),
        ("U ''", "\"''\"", "Move 2", "character 3"),
        ("V", "'V'", "Move 1", "character 1"),
    ],
)
def test_bad_word_is_named_with_its_position(
    text: str, word: str, position: str, character: str
) -> None:
    with pytest.raises(NotationError) as caught:
        parse_moves(text)
    for part in (word, position, character, "U R F D L B"):
        assert part in str(caught.value)
    assert isinstance(caught.value, InvalidInputError)


def test_letters_of_the_other_alphabet_are_refused() -> None:
    with pytest.raises(NotationError, match="O R V U L H"):
        parse_moves("F", Notation.GERMAN)


@given(move_lists, st.sampled_from(Notation))
def test_text_round_trip(moves: list[Move], notation: Notation) -> None:
    assert parse_moves(format_moves(moves, notation), notation) == tuple(moves)


@given(move_lists)
def test_inverse_undoes(moves: list[Move]) -> None:
    assert SOLVED.apply(moves).apply(inverse_moves(moves)).is_solved


@given(move_lists)
def test_cancelled_moves_do_the_same_and_are_in_normal_form(moves: list[Move]) -> None:
    short = cancel(moves)
    assert SOLVED.apply(short) == SOLVED.apply(moves)
    assert cancel(short) == short
    assert len(short) <= len(moves)
    for first, second in pairwise(short):
        assert first.face != second.face
        assert second.face != first.face - 3


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("R R", "R2"),
        ("R R'", ""),
        ("R L R", "R2 L"),
        ("D U", "U D"),
        ("U D U' D'", ""),
        ("F R L R' L' F", "F2"),
        ("F2 B F2 B'", ""),
    ],
)
def test_cancel_merges_across_the_opposite_face(text: str, short: str) -> None:
    assert format_moves(cancel(parse_moves(text))) == short


def test_metrics() -> None:
    moves = parse_moves("R U2 F' D2")
    assert len(moves) == 4
    assert quarter_turn_metric(moves) == 6
