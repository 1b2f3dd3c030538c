"""The dialogue never has to be started again."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.polycube.errors import PuzzleError
from solvers.polycube.ubongo.card import Card
from solvers.polycube.ubongo.dialogue import Dialogue

ANSWERS = ["4", "3", "10", "8", "5", "##.#", "...#", "...."]
CARD = Card((3, 10, 8, 5), ("##.#", "...#", "...."))


def told(answers: list[str], height: int = 2) -> Dialogue:
    dialogue = Dialogue(height)
    for answer in answers:
        assert dialogue.answer(answer) is None
    return dialogue


def test_right_answers_make_the_card() -> None:
    dialogue = told(ANSWERS)
    assert dialogue.finished
    assert dialogue.card() == CARD


@pytest.mark.parametrize(
    "answers",
    [
        ["4", "3 10 8 5", "##.#", "...#", "...."],
        ["4", "3, 10", "8,5", "1 1 0 1", "0001", "0000"],
        [" 4 ", "03", "10", "8", "5", "##.#\n", "...#", "...."],
    ],
)
def test_other_ways_to_say_the_same(answers: list[str]) -> None:
    assert told(answers).card() == CARD


@pytest.mark.parametrize(
    ("before", "wrong", "explanation"),
    [
        (0, "", "An answer is missing."),
        (0, "none", "'none' is not a whole number."),
        (0, "0", "'0' is not a number from 1 to 16."),
        (0, "17", "'17' is not a number from 1 to 16."),
        (0, "-4", "'-4' is not a whole number."),
        (0, "3 4", "'3 4' is not a number from 1 to 16."),
        (0, "back", "There is no earlier answer to go back to."),
        (1, "17", "There is no piece 17; the pieces are numbered 1 to 16."),
        (1, "0", "There is no piece 0; the pieces are numbered 1 to 16."),
        (1, "\u0664", "'\u0664' is not a whole number."),
        (2, "1 2 3 4", "That makes 5 pieces, but 4 were announced."),
        (4, "3", "Pieces 3, 10, 8, 3 have 15 cubes, which do not make 2 equal layers"),
        (5, "##?#", "Row 1 holds '?'"),
        (5, "####", "The base area is empty"),
        (5, ".............", "Row 1 must have 1 to 12 marks"),
        (5, ".........", "With this row the base area has 9 fields, but the pieces fill 8"),
        (6, "...", "Row 2 has 3 marks, but row 1 has 4"),
        (7, "", "An answer is missing."),
    ],
)
def test_wrong_answers_are_explained_and_asked_again(
    before: int, wrong: str, explanation: str
) -> None:
    dialogue = told(ANSWERS[:before])
    question = dialogue.question
    said = dialogue.answer(wrong)
    assert said is not None
    assert explanation in said
    assert dialogue.question == question
    for answer in ANSWERS[before:]:
        assert dialogue.answer(answer) is None
    assert dialogue.card() == CARD


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_number_of_slips_leads_to_the_same_card(data: st.DataObject) -> None:
    dialogue = Dialogue()
    position = 0
    for _ in range(200):
        if dialogue.finished:
            break
        slip = data.draw(st.sampled_from(["right"] * 3 + ["nonsense", "back", "99", "????"]))
        if slip == "right":
            assert dialogue.answer(ANSWERS[position]) is None
            position += 1
        elif dialogue.answer(slip) is None:
            assert slip == "back"
            position -= 1
    for answer in ANSWERS[position:]:
        assert dialogue.answer(answer) is None
    assert dialogue.card() == CARD


def test_at_the_end_of_input_it_says_what_is_missing() -> None:
    expected = [
        "The number of pieces is missing.",
        "Piece 1 of 4 is missing.",
        "Piece 2 of 4 is missing.",
        "Piece 3 of 4 is missing.",
        "Piece 4 of 4 is missing.",
        "Row 1 of the base area is missing: 8 of 8 fields are not drawn yet.",
        "Row 2 of the base area is missing: 7 of 8 fields are not drawn yet.",
        "Row 3 of the base area is missing: 4 of 8 fields are not drawn yet.",
    ]
    for known, sentence in enumerate(expected):
        dialogue = told(ANSWERS[:known])
        assert dialogue.missing == sentence
        with pytest.raises(PuzzleError, match="missing"):
            dialogue.card()


def test_other_heights() -> None:
    assert told(["2", "8", "8", ".."], height=3).card() == Card((8, 8), ("..",), 3)


def test_too_many_rows() -> None:
    dialogue = told(["6", "1 2 4 5 6 7"])
    for _ in range(11):
        assert dialogue.answer(".") is None
    assert "After 12 rows 3 fields would still be missing" in str(dialogue.answer("."))
