"""Designs: the same by whoever climbs, stopped and gone on with, the best first and none twice."""

from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from solvers.foundation.progress import Job, Progress, run_job
from solvers.polycube.design import climbing
from solvers.polycube.design.climbing import Climbed, ClimbStore
from solvers.polycube.design.designing import Design, Gallery, design_job
from solvers.polycube.design.rating import Rating
from solvers.polycube.design.task import Goal, Task, own_solution
from solvers.polycube.errors import LostWorkerError, PuzzleError
from solvers.polycube.marks import on_cells
from solvers.polycube.puzzle import Target
from solvers.polycube.puzzle_file import dumps, loads
from solvers.polycube.solving import solver
from tests.oracles.packing_rules import check_solution

BOX = Target.box(3, 3, 3)
SIZES = (4, 4, 4, 5, 5, 5)
CORNERS = frozenset(product((0, 2), (0, 2), (0, 2)))
BOX_WITH_HOLES = Target(BOX.cells - CORNERS, CORNERS)
UNIQUE = Task(BOX, SIZES, Goal.UNIQUE)
HARD = Task(BOX, SIZES, Goal.HARD)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make climbs short, so that several take a moment."""
    monkeypatch.setattr(climbing, "PATIENCE", 3)


def designed(task: Task, climbs: int, keep: int = 2, **options: object) -> Gallery:
    return run_job(design_job(Gallery(task, keep), climbs, **options))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def unique() -> Gallery:
    """Return two sets with one solution each; nobody adds to them."""
    return designed(UNIQUE, 50, keep=2)


@pytest.mark.parametrize("number", [0, 1])
def test_a_unique_set_has_one_solution_by_the_solver_and_by_the_rules(
    unique: Gallery, number: int
) -> None:
    pieces = unique.designs[number].found.pieces
    puzzle = loads(dumps(UNIQUE.puzzle(pieces)))
    assert solver.count(puzzle).up_to_symmetry == 1
    assert sorted(piece.shape.volume for piece in puzzle.pieces) == list(SIZES)
    assert len({piece.shape.canonical() for piece in puzzle.pieces}) == len(SIZES)
    check_solution(puzzle, own_solution(pieces))


@pytest.mark.usefixtures("short")
def test_the_same_seed_designs_the_same_whoever_climbs() -> None:
    alone = designed(HARD, 5).designs
    assert len(alone) == 2
    threads = partial(ThreadPoolExecutor, 2)
    assert designed(HARD, 5, workers=threads).designs == alone
    assert designed(replace(HARD, sizes=SIZES[::-1]), 5).designs == alone
    assert designed(replace(HARD, seed=2), 5).designs != alone


@pytest.mark.usefixtures("short")
def test_the_best_come_first_and_are_told_when_they_are_found() -> None:
    heard: list[Progress | Design] = []
    gallery = run_job(design_job(Gallery(HARD, 2), 6), heard.append)
    scores = [each.found.rating.score for each in gallery.designs]
    assert scores == sorted(scores, reverse=True)
    told = [each for each in heard if isinstance(each, Design)]
    assert set(gallery.designs) <= set(told)
    assert told[0].climb == 1
    assert any(isinstance(each, Progress) for each in heard)
    every = designed(HARD, 6, keep=6).designs
    assert [each.found.rating.score for each in every][:2] == scores


@pytest.mark.usefixtures("short")
def test_a_climb_ends_where_nothing_gets_better() -> None:
    bars = Task(Target.box(8, 1), (4, 4), Goal.UNIQUE)
    assert len(list(climbing.climb_job(bars, 0))) == climbing.PATIENCE


def test_enough_unique_sets_end_the_design(unique: Gallery) -> None:
    assert len(unique.designs) == 2
    assert unique.climbs < 50
    assert unique.climbs == max(each.climb for each in unique.designs)


class LosingExecutor(Executor):
    """Loses what it is given, as a pool whose process was killed."""

    def submit(self, *_arguments: object, **_options: object) -> Future[Any]:
        lost: Future[Any] = Future()
        lost.set_exception(BrokenExecutor())
        return lost


class Counted(ThreadPoolExecutor):
    """Does one thing after the other, and lists all that it was given."""

    def __init__(self, begun: list[Future[Any]]) -> None:
        super().__init__(1)
        self.begun = begun

    def submit(self, *arguments: Any, **options: Any) -> Future[Any]:
        self.begun.append(super().submit(*arguments, **options))
        return self.begun[-1]


def test_a_lost_worker_is_told() -> None:
    with pytest.raises(LostWorkerError, match="ended before its climb did"):
        designed(UNIQUE, 2, workers=LosingExecutor)


@pytest.mark.usefixtures("short")
def test_no_climb_is_begun_that_nobody_waits_for() -> None:
    begun: list[Future[Any]] = []
    gallery = Gallery(HARD)
    job = design_job(gallery, 1000, workers=partial(Counted, begun))
    while not gallery.climbs:
        next(job)
    job.close()
    assert 1 < len(begun) < 30
    assert any(future.cancelled() for future in begun)


def found(pieces: tuple[frozenset[tuple[int, int, int]], ...], score: int) -> Climbed:
    return Climbed(Rating((0, 1, score), 1, score), pieces)


def test_no_set_is_kept_twice_even_as_a_mirror_image() -> None:
    left = frozenset({(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)})
    bar = frozenset((x, 5, 0) for x in range(3))
    gallery = Gallery(HARD, keep=3)
    assert gallery.add(found((left, bar), 7))
    mirrored = frozenset((-x, z, y) for x, y, z in left), frozenset((0, x, z) for x, _, z in bar)
    turned = frozenset((y, -x, z) for x, y, z in left), bar
    for same in (turned, (mirrored[1], frozenset((y, z, -x) for x, y, z in left))):
        assert gallery.add(found(same, 9)) is None
    assert gallery.add(found((bar, bar), 8))
    assert [each.found.rating.nodes for each in gallery.designs] == [8, 7]
    assert gallery.climbs == 4


def test_what_a_climb_has_reached_counts_before_it_is_over() -> None:
    gallery = Gallery(HARD)
    job = design_job(gallery, 1)
    while gallery.under_way is None:
        next(job)
    (design,) = gallery.designs
    assert (design.climb, design.found, gallery.climbs) == (1, gallery.under_way, 0)
    job.close()


def test_what_misses_the_goal_is_not_kept() -> None:
    cells = (frozenset({(0, 0, 0)}), frozenset({(1, 0, 0)}))
    for task, rating in (
        (UNIQUE, Rating((0, 1, -2), 2)),
        (UNIQUE, Rating((-1,))),
        (HARD, Rating((0, 0, 99), 1)),
        (replace(HARD, goal=Goal.LEVEL), Rating((0, 1), 1)),
    ):
        gallery = Gallery(task)
        assert gallery.add(Climbed(rating, cells)) is None
        assert gallery.designs == []
        assert gallery.nearest == Climbed(rating, cells)
        gallery.add(Climbed(Rating((-9,)), cells))
        assert gallery.nearest == Climbed(rating, cells)


class StoppedError(Exception):
    """Whoever runs the job has had enough."""


@pytest.mark.usefixtures("short")
def test_a_design_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = designed(HARD, 5).designs
    kept = ClimbStore(tmp_path, HARD, resume=False)
    gallery = Gallery(HARD, 2)

    def stop(_: Progress | Design) -> None:
        if gallery.climbs == 3:
            raise StoppedError

    with pytest.raises(StoppedError):
        run_job(design_job(gallery, 5, store=kept), stop)
    assert kept.save()
    climbed: list[int] = []

    def seen(task: Task, number: int) -> Job[Progress | Climbed, Climbed]:
        climbed.append(number)
        return climbing.climb_job(task, number)

    monkeypatch.setattr("solvers.polycube.design.designing.climb_job", seen)
    again = ClimbStore(tmp_path, HARD, resume=True)
    assert designed(HARD, 5, store=again).designs == whole
    assert climbed == [3, 4]
    assert again.save()
    known = ClimbStore(tmp_path, HARD, resume=True)
    begun: list[Future[Any]] = []
    assert designed(HARD, 6, store=known, workers=partial(Counted, begun)).climbs == 6
    assert len(begun) == 1
    fresh = ClimbStore(tmp_path, HARD, resume=False)
    assert designed(HARD, 5, store=fresh).designs == whole
    assert climbed == [3, 4, 0, 1, 2, 3, 4]


@pytest.mark.usefixtures("short")
def test_kept_climbs_belong_to_all_that_decides_them(tmp_path: Path) -> None:
    kept = ClimbStore(tmp_path, HARD, resume=True)
    designed(HARD, 1, store=kept)
    assert len(ClimbStore(tmp_path, HARD, resume=True).load(100_000)) == 1
    for other in (
        replace(HARD, seed=2),
        replace(HARD, goal=Goal.UNIQUE),
        replace(HARD, sizes=(3, 5, 4, 5, 5, 5)),
        replace(HARD, distinct=False),
        replace(HARD, mirrored=False),
        replace(HARD, target=Target(frozenset((x, y + 1, z) for x, y, z in BOX.required))),
    ):
        assert not ClimbStore(tmp_path, other, resume=True).load(100_000)
    text = kept.path.read_text(encoding="utf-8")
    kept.path.write_text(text.replace('"score"', "").replace("1", "2", 1), encoding="utf-8")
    assert not ClimbStore(tmp_path, HARD, resume=True).load(100_000)


@pytest.mark.parametrize(
    ("target", "sizes", "sentence"),
    [
        (BOX, (4, 4, 4), "have 12 together, but the target has 27"),
        (BOX, (27,), "2 to 60 pieces, not 1"),
        (BOX, (0, 27), "at least one cube, not 0"),
        (Target(frozenset({(0, 0, 0), (2, 0, 0)})), (1, 1), "not connected"),
        (BOX_WITH_HOLES, (5, 6, 7), "18 together, but the target needs 19 to 27"),
        (BOX_WITH_HOLES, (8, 9, 11), "28 together, but the target needs 19 to 27"),
        (Target(BOX.cells, marks=on_cells([((0, 0, 0), 1)])), SIZES, "has colours"),
        (Target.box(3, 3), (3, 3, 3), "not 3 different pieces of 3 cubes, only 2"),
    ],
)
def test_what_cannot_be_designed_is_refused(
    target: Target, sizes: tuple[int, ...], sentence: str
) -> None:
    with pytest.raises(PuzzleError, match=sentence):
        Task(target, sizes, Goal.UNIQUE)


def test_mirror_images_count_where_they_may_not_both_be_there() -> None:
    target = Target.box(8, 4)
    assert Task(target, (4,) * 8, Goal.UNIQUE).sizes == (4,) * 8
    with pytest.raises(PuzzleError, match="not 8 different pieces of 4 cubes, only 7"):
        Task(target, (4,) * 8, Goal.UNIQUE, mirrored=False)


@pytest.mark.usefixtures("short")
def test_cells_that_may_stay_empty_do_as_the_sizes_ask() -> None:
    task = Task(BOX_WITH_HOLES, (5, 5, 6, 7), Goal.HARD)
    designs = designed(task, 6, keep=6).designs
    empty = set()
    for design in designs:
        puzzle = loads(dumps(task.puzzle(design.found.pieces)))
        assert puzzle.target == BOX_WITH_HOLES
        check_solution(puzzle, own_solution(design.found.pieces))
        assert solver.count(puzzle).up_to_symmetry == design.found.rating.solutions
        empty.add(BOX.cells - frozenset().union(*design.found.pieces))
    assert {len(each) for each in empty} == {4}
    assert len(empty) > 1


@pytest.mark.usefixtures("short")
def test_climbs_move_holes_where_there_are_any(monkeypatch: pytest.MonkeyPatch) -> None:
    moved: list[Target] = []

    def shift(before: Any, _: Any, *, optional: Any) -> Any:
        moved.append(Target(optional))
        return before

    monkeypatch.setattr(climbing, "shift", shift)
    designed(HARD, 3)
    designed(Task(BOX_WITH_HOLES, (5, 6, 8, 8), Goal.HARD), 3)
    assert not moved
    designed(Task(BOX_WITH_HOLES, (5, 5, 6, 7), Goal.HARD), 3)
    assert set(moved) == {Target(CORNERS)}


def test_a_design_with_room_is_stored_by_where_the_room_is(tmp_path: Path) -> None:
    first = next(iter(CORNERS))
    less = Target(BOX.cells - CORNERS, CORNERS - {first})
    paths = {
        ClimbStore(tmp_path, Task(target, (5, 5, 6, 7), Goal.HARD), resume=False).path
        for target in (BOX_WITH_HOLES, less)
    }
    assert len(paths) == 2


def test_a_target_that_no_cut_fits_is_refused() -> None:
    plus = frozenset({(1, 0, 0), (0, 1, 0), (1, 1, 0), (2, 1, 0), (1, 2, 0)})
    with pytest.raises(PuzzleError, match="could not be cut"):
        designed(Task(Target(plus), (2, 3), Goal.UNIQUE), 1)


def test_pieces_are_named_in_order_of_size() -> None:
    cells = [frozenset(product(range(n), range(1), range(1))) for n in (2, 3)]
    puzzle = Task(Target.box(5, 1), (3, 2), Goal.UNIQUE).puzzle((cells[0], cells[1]))
    assert [(piece.name, piece.shape.volume) for piece in puzzle.pieces] == [("A", 2), ("B", 3)]
