"""New cards: one solution, the same for the same seed, fairly graded and printable."""

from collections import Counter
from typing import Any

import pytest

from solvers.drawing.export import to_pdf, to_svg
from solvers.drawing.shapes import Polygon, Text, bounds
from solvers.foundation.progress import run_job
from solvers.polycube.errors import PuzzleError
from solvers.polycube.ubongo import generator
from solvers.polycube.ubongo.card import Card, Grade, shapes
from solvers.polycube.ubongo.generator import NewCard, NoCardFoundError, Wanted, generate
from solvers.polycube.ubongo.sheet import PAGE_MM, pages, stacked
from solvers.polycube.ubongo.solution import Difficulty, difficulty, solve
from tests.oracles.random_player import RandomPlayer

Cells = frozenset[tuple[int, int, int]]


def target_of(card: Card) -> Cells:
    return frozenset(
        (x, y, z)
        for y, row in enumerate(card.rows)
        for x, mark in enumerate(row)
        if mark == "."
        for z in range(card.height)
    )


@pytest.mark.parametrize(("pieces", "height"), [(2, 2), (3, 2), (4, 2), (3, 3), (4, 3), (3, 1)])
def test_new_cards_have_exactly_one_solution(pieces: int, height: int, plain: Any) -> None:
    for new in run_job(generate(Wanted(pieces, height), 3, seed=pieces * 10 + height)):
        card = new.card
        assert (len(set(card.pieces)), card.height) == (pieces, height)
        cells = [shapes()[number].cells for number in card.pieces]
        only = list(plain.packings(target_of(card), cells))
        assert len(only) == 1
        assert {p.cells for p in new.solution.placements} == set(only[0])


def test_the_seed_decides() -> None:
    first, again, other = (run_job(generate(Wanted(), 4, seed)) for seed in (5, 5, 6))
    assert first == again
    assert first != other
    assert len({new.card for new in first}) == 4
    assert [new.card.name for new in first] == ["card 1", "card 2", "card 3", "card 4"]


@pytest.mark.parametrize("grade", list(Grade))
def test_a_grade_can_be_asked_for(grade: Grade) -> None:
    for new in run_job(generate(Wanted(4, 2, grade), 2, seed=3)):
        assert new.difficulty.grade is grade
        assert new.difficulty == difficulty(solve(new.card))


def test_cards_run_out_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generator, "ATTEMPTS_PER_CARD", 300)
    with pytest.raises(NoCardFoundError, match="No further easy card with 2 pieces, 2 high"):
        run_job(generate(Wanted(2, 2, Grade.EASY), 100, seed=1))


@pytest.mark.parametrize("wanted", [(1, 2), (11, 2), (3, 0), (3, 13)])
def test_impossible_wishes_are_refused(wanted: tuple[int, int]) -> None:
    with pytest.raises(PuzzleError):
        Wanted(*wanted)


def test_grades_follow_the_tries_of_cards_with_as_many_pieces() -> None:
    grades = {
        3: [(19.0, Grade.EASY), (20.0, Grade.MEDIUM), (34.0, Grade.MEDIUM), (35.0, Grade.HARD)],
        4: [(176.0, Grade.EASY), (180.0, Grade.MEDIUM), (316.0, Grade.MEDIUM), (320.0, Grade.HARD)],
    }
    for pieces, expected in grades.items():
        assert [(tries, Difficulty(tries, pieces).grade) for tries, _ in expected] == expected
    assert Difficulty(22.6, 3).words == "medium, 23 tries expected"


@pytest.mark.parametrize("pieces", [3, 4])
def test_every_grade_is_common(pieces: int) -> None:
    cards = run_job(generate(Wanted(pieces), 30, seed=9))
    grades = Counter(new.difficulty.grade for new in cards)
    assert min(grades[grade] for grade in Grade) >= 5


def player_of(card: Card, seed: int) -> RandomPlayer:
    return RandomPlayer(target_of(card), [shapes()[number].cells for number in card.pieces], seed)


SEVERAL = Card((1, 16, 7), ("#.##", "...#", "#..."))
ALIKE = Card((8, 8), ("...",))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_expected_tries_are_the_average_of_random_players(seed: int) -> None:
    (new,) = run_job(generate(Wanted(3, 2), 1, seed))
    check_average(new.card, new.difficulty, seed)


@pytest.mark.parametrize("card", [SEVERAL, ALIKE], ids=["several solutions", "equal pieces"])
def test_every_solution_is_a_way_to_succeed(card: Card) -> None:
    solved = solve(card)
    assert len(solved.solutions) > 1
    check_average(card, difficulty(solved), seed=5)


def check_average(card: Card, expected: Difficulty, seed: int) -> None:
    player = player_of(card, seed)
    tries = [player.tries() for _ in range(800)]
    spread = (sum((t - expected.expected_tries) ** 2 for t in tries) / len(tries)) ** 0.5
    average = sum(tries) / len(tries)
    assert abs(average - expected.expected_tries) < 4 * spread / len(tries) ** 0.5


def some_cards() -> list[NewCard]:
    return list(run_job(generate(Wanted(3, 2), 9, seed=2)))


def test_sheets_hold_eight_cards_and_stay_on_the_page() -> None:
    cards = some_cards()
    sheets = pages(cards, with_solutions=True)
    assert len(sheets) == 4
    for page in sheets:
        left, top, right, bottom = bounds(page.shapes)
        assert left >= 0 <= top
        assert right <= PAGE_MM[0]
        assert bottom <= PAGE_MM[1]
    texts = [shape.text for shape in sheets[0].shapes if isinstance(shape, Text)]
    assert [text for text in texts if text.startswith("Card")] == [f"Card {n}" for n in range(1, 9)]
    for new in cards[:8]:
        assert all(str(piece) in texts for piece in new.card.pieces)


def test_the_board_on_a_card_shows_every_field() -> None:
    cards = some_cards()[:1]
    card = cards[0].card
    page = pages(cards, with_solutions=False)[0]
    fields = [s for s in page.shapes if isinstance(s, Polygon) and s.fill == "#ffffff"]
    assert len(fields) == card.area
    solution = pages(cards, with_solutions=True)[1]
    numbers = [s.text for s in solution.shapes if isinstance(s, Text) and s.text.isdigit()]
    expected = [p.piece for p in cards[0].solution.placements for _ in p.cells]
    assert sorted(numbers) == sorted(expected)


def test_svg_and_pdf_come_from_the_same_pages() -> None:
    sheets = pages(some_cards(), with_solutions=False)
    data = to_pdf(sheets, "cards")
    assert data.count(b"/Type /Page\n") == 2
    tall = stacked(sheets)
    assert tall.height_mm == 2 * PAGE_MM[1]
    assert to_svg(tall, "cards").count("<polygon") == sum(
        isinstance(shape, Polygon) for page in sheets for shape in page.shapes
    )
