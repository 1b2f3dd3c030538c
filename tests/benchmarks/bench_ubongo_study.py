"""Ubongo 3-D: what each idea of the thesis is worth, and in which order, size and language.

Boards are exact counts. Seconds are CPU seconds of this run unless the column says "by the clock".
The tables are also written as CSV beside `ubongo_study/thesis.py`, and the pictures of
docs/ubongo-study.md from the same figures.
"""

import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from solvers.drawing.charts import bar_chart
from solvers.drawing.export import to_svg
from solvers.foundation.files import write_text
from solvers.foundation.progress import run_job
from solvers.polycube.ubongo.card import Card
from solvers.polycube.ubongo.card_file import load_cards
from solvers.polycube.ubongo.generator import Wanted, generate
from solvers.polycube.ubongo.solution import solve
from solvers.search.exact_cover.search import load_kernels
from tests.benchmarks.ubongo_study.effects import GROUPS, WAYS, Worth, effect, worth
from tests.benchmarks.ubongo_study.languages import (
    Program,
    compile_c,
    in_numba,
    in_numpy,
    in_python,
    run_c,
)
from tests.benchmarks.ubongo_study.tables import Cell, Computed, Table, line_chart
from tests.benchmarks.ubongo_study.thesis import (
    ALL,
    NAIVE,
    Improvement,
    Problem,
    Solutions,
    Tally,
    Task,
    Variant,
    corners,
    count,
    search,
    surface,
)
from tests.cpu_time import children_cpu_s

ROOT: Final = Path(__file__).parents[2]
TASKS: Final = ROOT / "tests" / "data" / "puzzles" / "ubongo_tasks.json"
CSV: Final = Path(__file__).parent / "ubongo_study"
IMAGES: Final = ROOT / "docs" / "images"

MADE_CARDS, SEED = 6, 2031
LONGEST_S: Final = 45.0
"""Seconds that are measured in one cell; longer ones are computed from the boards."""

Result = TypeVar("Result")
Groups = dict[int, list[Card]]


def run() -> str:
    """Return the tables, and write them as CSV and pictures."""
    tasks = load_cards(TASKS)
    groups = {number: [c for c in tasks if len(c.pieces) == number] for number in (3, 4)}
    made = {number: make_cards(number) for number in range(3, 8)}
    load_kernels()
    in_numba([Problem.of(Task.of(tasks[0]))])
    work = measure_ways(groups)
    ways, worths, interactions = ways_table(work), worth_table(work), interaction_table(work)
    orders = orders_table({**groups, 5: made[5]})
    languages = languages_table(groups)
    pieces = pieces_table(made)
    cores = cores_table(made)
    named = {"combinations": ways, "worth": worths, "interactions": interactions}
    named |= {"orders": orders, "languages": languages, "pieces": pieces, "cores": cores}
    for name, table in named.items():
        write_text(CSV / f"{name}.csv", table.csv())
    draw(work, pieces)
    four = len(groups[4])
    return "\n".join(
        [
            f"The {len(groups[3])} tasks with three pieces and {four} with four of "
            f"`tests/data/puzzles/ubongo_tasks.json`, and {MADE_CARDS} cards of each size from "
            f"`puzzle ubongo generate --seed {SEED}`. Every way found the same solutions as "
            "`puzzle ubongo solve`. The tables are in `tests/benchmarks/ubongo_study/` as CSV, "
            "and [explained](../../docs/ubongo-study.md).",
            "",
            "**All combinations**, in plain Python, all solutions of all tasks; seconds include "
            "the preparation of the arrays:",
            "",
            *ways.markdown(),
            "",
            "**Worth of each improvement**: how many times fewer boards or seconds for all "
            "solutions. *Alone*: added to the naive search. *Mean*: the main factor, over all 8 "
            "combinations of the others. *Last*: added to the three others.",
            "",
            *worths.markdown(),
            "",
            "**Interactions**: how many times more one saves when the other is there (of three: "
            "how many times more two interact when the third is there). 1: independent; less "
            "than 1: they save the same work.",
            "",
            *interactions.markdown(),
            "",
            "**Orders of the pieces**, without duplicates, with trimmed arrays; boards for all "
            "solutions over those of the best of all 6, 24 or 120 orders of each card:",
            "",
            *orders.markdown(),
            "",
            "**Languages**: first solution of each task, as in the thesis, the same boards in "
            "the same order. The preparation is the same Python for all and not included, the "
            "start of the C program and its input are:",
            "",
            *languages.markdown(),
            "",
            f"**More pieces**: {MADE_CARDS} cards each, all solutions. *Equal boards once* counts "
            "those together on which the same cells are taken (`count` in "
            '`ubongo_study/thesis.py`). Cells with "about" are not measured, as more than '
            f"{LONGEST_S:.0f} s are to be expected for the {MADE_CARDS} cards: they are boards "
            "times the seconds a board of the last measured row above:",
            "",
            *pieces.markdown(),
            "",
            "**Two cores**: the same cards in plain Python with all improvements; the boards of "
            "the first piece are dealt to two processes in turns. The limit is boards over those "
            "of the busier process, exact; what the clock shows depends on what else the machine "
            "does, see the load above:",
            "",
            *cores.markdown(),
        ]
    )


def make_cards(pieces: int) -> list[Card]:
    """Return generated cards with this number of pieces."""
    return [new.card for new in run_job(generate(Wanted(pieces), MADE_CARDS, SEED))]


class Work(NamedTuple):
    """What one way needs for a group of tasks."""

    boards: int
    to_first: int
    seconds: float


def measure_ways(groups: Groups) -> dict[int, dict[Improvement, Work]]:
    """Return the work of all 16 ways, by the number of pieces.

    Raises AssertionError unless each way finds exactly the suite's solutions of every task.
    """
    work: dict[int, dict[Improvement, Work]] = {}
    for number, cards in groups.items():
        tasks = [Task.of(card) for card in cards]
        expected = [suite_solutions(card, task) for card, task in zip(cards, tasks, strict=True)]
        work[number] = {}
        for way in WAYS:
            found: list[Solutions] = [set() for _ in tasks]
            started = cpu_seconds()
            tallies = [
                search(Problem.of(task, way), solutions=solutions)
                for task, solutions in zip(tasks, found, strict=True)
            ]
            seconds = cpu_seconds() - started
            if found != expected:
                raise AssertionError(f"{way.words}: other solutions than the suite's")
            boards = sum(tally.boards for tally in tallies)
            to_first = sum(tally.boards_to_first for tally in tallies)
            work[number][way] = Work(boards, to_first, seconds)
    return work


def suite_solutions(card: Card, task: Task) -> Solutions:
    """Return what this suite finds for a card, as the cells of the task's board."""
    return {
        frozenset(frozenset(map(task.index, placed.cells)) for placed in solution.placements)
        for solution in solve(card).solutions
    }


def ways_table(work: dict[int, dict[Improvement, Work]]) -> Table:
    """Return a row for each combination."""
    header = ["improvements"]
    for number in work:
        header += [f"{number} pieces: boards", f"{number} pieces: to the first solution"]
        header += [f"{number} pieces: CPU s"]
    rows: list[list[Cell]] = []
    for way in WAYS:
        row: list[Cell] = [way.words]
        for by_way in work.values():
            row += by_way[way]
        rows.append(row)
    return Table(tuple(header), rows)


def worth_table(work: dict[int, dict[Improvement, Work]]) -> Table:
    """Return a row for each improvement."""
    header = ["improvement"]
    columns = list(measures(work).items())
    for name, _ in columns:
        header += [f"{name}: {kind}" for kind in Worth._fields]
    rows: list[list[Cell]] = []
    for improvement in Improvement:
        row: list[Cell] = [improvement.words]
        for _, amounts in columns:
            row += worth(amounts, improvement)
        rows.append(row)
    return Table(tuple(header), rows)


def interaction_table(work: dict[int, dict[Improvement, Work]]) -> Table:
    """Return a row for each two, three and four improvements."""
    columns = measures(work)
    rows: list[list[Cell]] = [
        [group.words, *(effect(amounts, group) for amounts in columns.values())]
        for group in GROUPS
        if len(group) > 1
    ]
    return Table(("of", *columns), rows)


def measures(work: dict[int, dict[Improvement, Work]]) -> dict[str, dict[Improvement, float]]:
    """Return boards and seconds for all solutions, by way."""
    return {
        f"{name}, {number} pieces": {way: float(pick(each)) for way, each in by_way.items()}
        for number, by_way in work.items()
        for name, pick in PICKS.items()
    }


PICKS: Final[dict[str, Callable[[Work], float]]] = {
    "boards": lambda work: work.boards,
    "CPU s": lambda work: work.seconds,
}

Key = tuple[float, ...]


def fitting(task: Task, variants: Sequence[Variant]) -> tuple[int, int]:
    """Return at how many places a piece fits on the empty board, and of how many."""
    places = [
        all(not task.board[corner + offset] for offset in variant.offsets)
        for variant in variants
        for corner in corners(task, variant)
    ]
    return sum(places), len(places)


def orders_table(groups: Groups) -> Table:
    """Return a row for each rule that sorts pieces, for the mean and for the worst order."""
    rules = ["as on the card", "most cubes first", "fewest places first"]
    rules += ["smallest share of fitting places first", "largest surface first (thesis)"]
    rules += ["largest surface, then fewest places", "mean of all orders", "worst order"]
    rows: dict[str, list[Cell]] = {rule: [rule] for rule in rules}
    header = ["order"]
    for number, cards in groups.items():
        for name, way in (("", Improvement(3)), (", isolated cells", ALL)):
            kinds = ("boards", "best for", "worst card")
            header += [f"{number} pieces{name}: {kind}" for kind in kinds]
            results = [judge_orders(Task.of(card), way) for card in cards]
            best = sum(result["best"] for result in results)
            for rule in rules:
                hits = sum(result[rule] == result["best"] for result in results)
                worst = max(result[rule] / result["best"] for result in results)
                total = sum(result[rule] for result in results)
                rows[rule] += [total / best, f"{hits} of {len(cards)}", worst]
    return Table(tuple(header), list(rows.values()))


def judge_orders(task: Task, way: Improvement) -> dict[str, float]:
    """Return the boards that each order of the pieces takes for all solutions, by rule."""
    problem = Problem.of(task, way & ~Improvement.SORTED_PIECES)
    numbers = range(len(task.pieces))
    boards = {order: count(in_order(problem, order))[1] for order in permutations(numbers)}
    fits = [fitting(task, variants) for variants in problem.variants]
    surfaces = [surface(piece) for piece in task.pieces]
    keys: dict[str, Callable[[int], Key]] = {
        "as on the card": lambda piece: (piece,),
        "most cubes first": lambda piece: (-len(task.pieces[piece]),),
        "fewest places first": lambda piece: (fits[piece][0],),
        "smallest share of fitting places first": lambda p: (fits[p][0] / fits[p][1],),
        "largest surface first (thesis)": lambda piece: (-surfaces[piece],),
        "largest surface, then fewest places": lambda p: (-surfaces[p], fits[p][0]),
    }
    return {
        "best": min(boards.values()),
        "worst order": max(boards.values()),
        "mean of all orders": statistics.mean(boards.values()),
        **{rule: boards[tuple(sorted(numbers, key=key))] for rule, key in keys.items()},
    }


def in_order(problem: Problem, order: Sequence[int]) -> Problem:
    """Return the problem with its pieces in another order."""
    return replace(problem, variants=tuple(problem.variants[piece] for piece in order))


def languages_table(groups: Groups) -> Table:
    """Return a row for each language: seconds to the first solutions, and microseconds a board.

    Raises AssertionError unless all try the same boards and find the same.
    """
    header = ["language"]
    with tempfile.TemporaryDirectory() as folder:
        compiled = compile_c(Path(folder))
        programs: dict[str, Program] = {
            "plain Python": in_python,
            "NumPy": in_numpy,
            "numba": in_numba,
            "C": lambda problems, at_most: run_c(compiled, problems, at_most),
        }
        rows: dict[str, list[Cell]] = {name: [name] for name in programs}
        for number, cards in groups.items():
            for way in (NAIVE, ALL):
                problems = [Problem.of(Task.of(card), way) for card in cards]
                name = "naive" if way is NAIVE else "all improvements"
                kinds = ("CPU s", "µs a board", "times as fast as Python")
                header += [f"{number} pieces, {name}: {kind}" for kind in kinds]
                expected: list[Tally] | None = None
                python_s = 0.0
                for language, program in programs.items():
                    seconds, tallies = timed(lambda: program(problems, 1))  # noqa: B023
                    expected, python_s = expected or tallies, python_s or seconds
                    if tallies != expected:
                        raise AssertionError(f"{language} does not do the same as plain Python")
                    boards = sum(tally.boards for tally in tallies)
                    rows[language] += [seconds, seconds / boards * 1e6, python_s / seconds]
    return Table(tuple(header), list(rows.values()))


def pieces_table(made: Groups) -> Table:
    """Return a row for each number of pieces."""
    header = ["pieces", "boards a card, naive", "with all improvements", "saved, times"]
    header += ["nodes, this solver", "s a card: Python, naive", "Python, all improvements"]
    header += ["numba, naive", "numba, all improvements", "Python, equal boards once"]
    header += ["this solver"]
    speeds: dict[str, float] = {}
    rows: list[list[Cell]] = []
    for number, cards in made.items():
        tasks = [Task.of(card) for card in cards]
        problems = {way: [Problem.of(task, way) for task in tasks] for way in (NAIVE, ALL)}
        counted_s, counted = timed(lambda: list(map(count, problems[ALL])))  # noqa: B023
        counts = {NAIVE: list(map(count, problems[NAIVE])), ALL: counted}
        boards = {way: sum(each for _, each in counts[way]) for way in counts}
        seconds: list[float] = []
        for language, program in (("Python", in_python), ("numba", in_numba)):
            for way in (NAIVE, ALL):
                key = f"{language} {way.words}"
                expected_s = boards[way] * speeds.get(key, 0.0)
                if expected_s > LONGEST_S:
                    seconds.append(Computed(expected_s / len(cards)))
                    continue
                measured_s, tallies = timed(lambda: program(problems[way], None))  # noqa: B023
                if [(tally.found, tally.boards) for tally in tallies] != counts[way]:
                    raise AssertionError(f"{key}: not what was counted, {number} pieces")
                speeds[key] = measured_s / boards[way]
                seconds.append(measured_s / len(cards))
        solved_s, solved = timed(lambda: list(map(solve, cards)))  # noqa: B023
        if [len(each.solutions) for each in solved] != [found for found, _ in counts[ALL]]:
            raise AssertionError(f"{number} pieces: other numbers of solutions than the suite's")
        nodes = sum(each.nodes for each in solved)
        row: list[Cell] = [str(number), *(round(boards[way] / len(cards)) for way in (NAIVE, ALL))]
        row += [boards[NAIVE] / boards[ALL], round(nodes / len(cards)), *seconds]
        rows.append([*row, counted_s / len(cards), solved_s / len(cards)])
    return Table(tuple(header), rows)


def cores_table(made: Groups) -> Table:
    """Return a row for each number of pieces: one process, and two that share each card."""
    header = ["pieces", "one process: CPU s", "one process: s by the clock"]
    header += ["two processes: CPU s", "two processes: s by the clock"]
    header += ["gain by the clock, times", "limit, all solutions", "limit, first solution"]
    rows: list[list[Cell]] = []
    for number, cards in made.items():
        problems = [Problem.of(Task.of(card), ALL) for card in cards]
        halves = [(problem, (half, 2)) for problem in problems for half in range(2)]
        started = time.perf_counter()
        one_s, tallies = timed(lambda: in_python(problems))  # noqa: B023
        one_clock_s = time.perf_counter() - started
        started = time.perf_counter()
        two_s, shares = timed(lambda: in_processes(halves))  # noqa: B023
        two_clock_s = time.perf_counter() - started
        pairs = list(zip(shares[::2], shares[1::2], strict=True))
        if [sum(half.boards for half in pair) for pair in pairs] != [t.boards for t in tallies]:
            raise AssertionError(f"{number} pieces: two processes try other boards than one")
        busier = sum(max(half.boards for half in pair) for pair in pairs)
        first = sum(min(half.boards_to_first for half in pair if half.found) for pair in pairs)
        limit = sum(tally.boards for tally in tallies) / busier
        first_limit = sum(tally.boards_to_first for tally in tallies) / first
        row: list[Cell] = [
            str(number),
            one_s,
            one_clock_s,
            two_s,
            two_clock_s,
            one_clock_s / two_clock_s,
        ]
        rows.append([*row, limit, first_limit])
    return Table(tuple(header), rows)


def in_processes(halves: Sequence[tuple[Problem, tuple[int, int]]]) -> list[Tally]:
    """Search halves of problems in two processes, which are started for it."""
    with ProcessPoolExecutor(2) as pool:
        return list(pool.map(_search_half, halves))


def _search_half(half: tuple[Problem, tuple[int, int]]) -> Tally:
    problem, share = half
    return search(problem, share=share)


def draw(work: dict[int, dict[Improvement, Work]], pieces: Table) -> None:
    """Write the two pictures of the page."""
    bars = {way.words: each.boards for way, each in work[4].items()}
    falling = dict(sorted(bars.items(), key=lambda bar: -bar[1]))
    title = "Boards tried for all solutions of the tasks with four pieces"
    write_text(IMAGES / "ubongo-study-ways.svg", to_svg(bar_chart(falling), title))
    lines = {
        name: {int(row[0]): float(row[column]) for row in pieces.rows}
        for name, column in (
            ("thesis, naive", 1),
            ("thesis, all improvements", 2),
            ("this suite's solver", 4),
        )
    }
    chart = line_chart(lines, "pieces; boards or nodes a card, all solutions")
    title = "Boards tried by the number of pieces"
    write_text(IMAGES / "ubongo-study-pieces.svg", to_svg(chart, title))


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    """Return the CPU seconds of a piece of work, processes included, and its result."""
    started = cpu_seconds()
    result = work()
    return cpu_seconds() - started, result


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of its finished children."""
    return time.process_time() + children_cpu_s()
