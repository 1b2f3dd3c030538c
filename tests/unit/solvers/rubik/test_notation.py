"""Moves are read, written, undone and put into normal form."""

from contextlib import suppress
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
    WrittenMoves,
    cancel,
    format_moves,
    inverse_moves,
    parse_moves,
    quarter_turn_metric,
    read_moves,
)
from solvers.rubik.rotations import rotation_name

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
        ("R Qw", "'Qw'", "Move 2", "character 3"),
        ("m", "'m'", "Move 1", "character 1"),
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


@pytest.mark.parametrize(
    ("text", "face_turns", "rotation"),
    [
        ("Rw", "L", "x"),
        ("r'", "L'", "x'"),
        ("r2 U", "L2 D", "x2"),
        ("Uw", "D", "y"),
        ("f", "B", "z"),
        ("d F", "U L", "y'"),
        ("Lw2", "R2", "x2"),
        ("b'", "F'", "z"),
        ("2Rw", "L", "x"),
        ("M", "R L'", "x'"),
        ("M2", "R2 L2", "x2"),
        ("E'", "U' D", "y"),
        ("S", "B F'", "z"),
        ("M' U", "R' L F", "x"),
        ("y' x", "", "x z"),
    ],
)
def test_wide_turns_and_slices_take_the_centres_along(
    text: str, face_turns: str, rotation: str
) -> None:
    written = read_moves(text)
    assert written.moves == parse_moves(face_turns)
    assert rotation_name(written.orientation) == rotation


def test_a_wide_turn_is_the_face_and_the_slice_next_to_it() -> None:
    for wide, both in (
        ("r", "R M'"),
        ("l", "L M"),
        ("u", "U E'"),
        ("d", "D E"),
        ("f", "F S"),
        ("b", "B S'"),
    ):
        first, second = read_moves(wide), read_moves(both)
        assert SOLVED.apply(first.moves) == SOLVED.apply(second.moves), wide
        assert first.orientation == second.orientation, wide


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("(R U)2", "R U R U"),
        ("(R U)'", "U' R'"),
        ("(R U2)2'", "U2 R' U2 R'"),
        ("[R, U]", "R U R' U'"),
        ("[R: U2]", "R U2 R'"),
        ("[F: [R, U]2] D", "F R U R' U' R U R' U' F' D"),
        ("[x: U]", "F"),
        ("[M: U]", "M U M'"),
        ("()5 (R)0", ""),
        ("R2'U'2", "R2 U2"),
        ("R // the first\nU /* and\nso on */ F", "R U F"),
        ("R\u00b4 U\u2018", "R' U'"),
        ("Ri U- F2\u2212", "R' U' F2"),
        ("1. R U\n2. F 10.D", "R U F D"),
        ("R, U,F", "R U F"),
        ("(R U R' U')x6", "(R U R' U')6"),
        ("[R, U] * 2 (F)^3 (D)\u00d72'", "[R, U]2 F F F D' D'"),
        ("(R U) x2 (R U)x'", "R U x2 R U x'"),
    ],
)
def test_groups_and_comments(text: str, plain: str) -> None:
    assert read_moves(text) == read_moves(plain)


def test_moves_named_by_their_place_afterwards_do_the_same() -> None:
    written = read_moves("Rw U")
    assert written.moves == (Move.L1, Move.F1)
    assert written.as_held_afterwards == (Move.L1, Move.U1)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("R 3Rw", ["Move 2", "character 3", "3 layers at once"]),
        ("2R", ["character 1", "M, E and S"]),
        ("(R U", ["character 1", "'(' has to be closed by ')'"]),
        ("(R U]", ["character 5", "'(' has to be closed by ')'"]),
        ("R)", ["character 2", "closes or divides nothing"]),
        ("[R U]", ["character 5", "two parts"]),
        ("[R", ["character 1", "two parts"]),
        ("[R, U: F]", ["character 6", "'[' has to be closed by ']'"]),
        ("R\nU\nQ F", ["Move 3", "line 3, character 1"]),
        ("((((R)99)99)99)99", ["10000 turns"]),
        ("(R)1234567", ["10000 turns"]),
        ("(" * 60 + "R" + ")" * 60, ["groups are nested"]),
        ("R 'U", ["character 3", "U R F D L B"]),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place_and_reason(
    text: str, parts: list[str]
) -> None:
    with pytest.raises(NotationError) as caught:
        parse_moves(text)
    for part in parts:
        assert part in str(caught.value)


def test_small_letters_are_not_wide_turns_in_german() -> None:
    assert parse_moves("Rw O", Notation.GERMAN) == parse_moves("Rw U")
    with pytest.raises(NotationError, match="Rw is a wide turn"):
        parse_moves("r", Notation.GERMAN)


@given(st.text("RUFrufMESxyzw23'()[],: /", max_size=25))
def test_any_text_is_read_or_refused_with_a_sentence(text: str) -> None:
    with suppress(NotationError):
        written = read_moves(text)
        undone = read_moves(f"({text}\n)'")
        assert SOLVED.apply(written.moves + written_then(written, undone)).is_solved


def written_then(first: WrittenMoves, second: WrittenMoves) -> tuple[Move, ...]:
    """Return the second text's moves, done to the cube as the first leaves it lying."""
    return tuple(Move.of(first.orientation[move.face], move.quarter_turns) for move in second.moves)


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
