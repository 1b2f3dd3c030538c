"""The Ubongo study: all ways and languages do the same, and its page shows the figures."""

import csv
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from solvers.drawing.shapes import Text
from solvers.polycube.ubongo.card import Card
from solvers.polycube.ubongo.card_file import load_cards
from tests.benchmarks.bench_ubongo_study import TASKS, judge_orders, suite_solutions
from tests.benchmarks.ubongo_study.effects import GROUPS, WAYS, effect, worth
from tests.benchmarks.ubongo_study.languages import (
    Program,
    compile_c,
    in_numba,
    in_numpy,
    in_python,
    run_c,
)
from tests.benchmarks.ubongo_study.tables import Computed, Table, line_chart
from tests.benchmarks.ubongo_study.thesis import (
    ALL,
    LADDER,
    NAIVE,
    Improvement,
    Problem,
    Solutions,
    Task,
    count,
    search,
)

ROOT = Path(__file__).parents[2]
STUDY = ROOT / "tests" / "benchmarks" / "ubongo_study"
PAGE = ROOT / "docs" / "ubongo-study.md"

THREE = Card((7, 16, 6), ("##..", "#..#", "...#"))
FOUR = Card((5, 7, 11, 8), ("....#", "#....", "##.##"))
NARROW = Card((1, 8, 10), ("...", "..."))  # narrower than the block
CARDS = (THREE, FOUR, NARROW)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Program]:
    """The languages beside plain Python; C only where there is a compiler."""
    found: dict[str, Program] = {"NumPy": in_numpy, "numba": in_numba}
    if shutil.which("cc"):
        compiled = compile_c(tmp_path_factory.mktemp("c"))
        found["C"] = lambda problems, at_most: run_c(compiled, problems, at_most)
    return found


@pytest.mark.parametrize("card", CARDS, ids=lambda card: str(card.pieces))
def test_all_ways_find_what_the_solver_finds_and_what_is_counted(card: Card) -> None:
    task = Task.of(card)
    expected = suite_solutions(card, task)
    assert len(expected) > 1
    for way in WAYS:
        solutions: Solutions = set()
        problem = Problem.of(task, way)
        tally = search(problem, solutions=solutions)
        assert solutions == expected, way.words
        assert (tally.found, tally.boards) == count(problem), way.words
        assert 0 < tally.boards_to_first == search(problem, at_most=1).boards
        if Improvement.NO_DUPLICATES | Improvement.TRIMMED_ARRAYS in way:
            assert tally.found == len(expected), way.words
    assert count(Problem.of(task))[0] > len(expected)


def test_each_step_of_the_ladder_tries_fewer_boards() -> None:
    boards = [count(Problem.of(Task.of(FOUR), way))[1] for way in LADDER]
    assert boards == sorted(set(boards), reverse=True)
    assert (LADDER[0], LADDER[-1]) == (NAIVE, ALL)


@pytest.mark.parametrize("at_most", [1, None])
def test_all_languages_try_the_same_boards(
    programs: dict[str, Program], at_most: int | None
) -> None:
    problems = [Problem.of(Task.of(card), way) for card in (THREE, NARROW) for way in (NAIVE, ALL)]
    # Many boards, as few of them have an isolated cell where a program might overlook it.
    problems += [Problem.of(Task.of(card), ALL) for card in load_cards(TASKS)[::4]]
    expected = in_python(problems, at_most)
    for language, program in programs.items():
        assert program(problems, at_most) == expected, language


def test_a_task_without_solution_ends_in_all_languages(programs: dict[str, Program]) -> None:
    task = Task.of(THREE)
    problem = Problem.of(replace(task, pieces=(task.pieces[0],) * 3), ALL)
    expected = in_python([problem])
    assert (expected[0].found, expected[0].boards_to_first, count(problem)[0]) == (0, 0, 0)
    for language, program in programs.items():
        assert program([problem], None) == expected, language


def test_two_shares_are_the_whole() -> None:
    problem = Problem.of(Task.of(FOUR), ALL)
    whole, halves = search(problem), [search(problem, share=(half, 2)) for half in range(2)]
    assert sum(half.boards for half in halves) == whole.boards
    assert sum(half.found for half in halves) == whole.found
    assert max(half.boards for half in halves) < whole.boards


def test_orders_are_judged_against_the_best() -> None:
    judged = judge_orders(Task.of(FOUR), ALL)
    assert judged["best"] < judged["mean of all orders"] < judged["worst order"]
    assert all(judged["best"] <= boards <= judged["worst order"] for boards in judged.values())
    by_surface = judged["largest surface first (thesis)"]
    assert by_surface == count(Problem.of(Task.of(FOUR), ALL))[1]


def test_effects_tell_independent_improvements_from_others() -> None:
    duplicates, trimmed, *_ = Improvement
    factors = dict(zip(Improvement, (2.0, 3.0, 5.0, 7.0), strict=True))
    work = dict.fromkeys(WAYS, 1000.0)
    for way in WAYS:
        for improvement in way:
            work[way] /= factors[improvement]
    for improvement, factor in factors.items():
        assert worth(work, improvement) == pytest.approx((factor,) * 3)
    for group in GROUPS[4:]:
        assert effect(work, group) == pytest.approx(1)
    # The first two save the same work: the second to come saves a half of what it would.
    for way in WAYS:
        if duplicates | trimmed in way:
            work[way] *= 2
    assert effect(work, duplicates | trimmed) == pytest.approx(1 / 2)
    assert effect(work, duplicates | Improvement.SORTED_PIECES) == pytest.approx(1)
    assert worth(work, trimmed) == pytest.approx((3, 3 / 2**0.5, 3 / 2))


def test_tables_are_whole_and_say_what_is_computed() -> None:
    table = Table(("name", "count", "s"), [("one", 12345, 0.01234), ("two", 6, Computed(7654.3))])
    assert table.markdown()[2:] == ["| one | 12,345 | 0.0123 |", "| two | 6 | about 7,654 |"]
    assert table.csv().splitlines()[1:] == ["one,12345,0.01234", "two,6,~7654"]
    for row in (("one", 1), ("one", "", 0.1)):
        with pytest.raises(AssertionError, match="not filled"):
            Table(("name", "count", "s"), [row])
    with pytest.raises(AssertionError, match="same name"):
        Table(("name", "s", "s"), [])


def test_a_chart_stays_on_its_sheet() -> None:
    drawing = line_chart({"steep": {3: 20, 4: 3000}, "flat": {3: 5, 4: 6}}, "pieces")
    assert drawing.width_mm > 0
    texts = [shape for shape in drawing.shapes if isinstance(shape, Text)]
    assert {"steep", "flat", "pieces", "3", "4", "1", "10,000"} == {each.text for each in texts} - {
        "10",
        "100",
        "1,000",
    }
    assert all(0 < each.position[1] <= drawing.height_mm for each in texts)


def test_the_page_shows_figures_of_the_study() -> None:
    cells: set[str] = set()
    for path in STUDY.glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            cells.update(
                f"{int(cell):,}" for row in csv.reader(file) for cell in row if cell.isdigit()
            )
    shown = re.findall(r"\d{1,3}(?:,\d{3})+", PAGE.read_text(encoding="utf-8"))
    assert len(shown) > 10
    assert [number for number in shown if number not in cells] == []


def test_the_recorded_boards_are_those_of_the_program() -> None:
    with (STUDY / "combinations.csv").open(encoding="utf-8", newline="") as file:
        recorded = {row["improvements"]: row for row in csv.DictReader(file)}
    assert recorded.keys() == {way.words for way in WAYS}
    for pieces in (3, 4):
        tasks = [Task.of(card) for card in load_cards(TASKS) if len(card.pieces) == pieces]
        for way in (NAIVE, ALL):
            boards = sum(count(Problem.of(task, way))[1] for task in tasks)
            assert recorded[way.words][f"{pieces} pieces: boards"] == str(boards)
