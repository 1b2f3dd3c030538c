"""The Cube page's desk with the search in its own process, one for all tests."""

import multiprocessing
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import msgspec
import pytest

from controller.dashboard.cube.controller import CubeController
from controller.dashboard.cube.search import (
    MOST_SHOWN,
    PREPARING,
    SEARCH,
    Answered,
    Found,
    worth_showing,
)
from controller.dashboard.cube.view import PositionView, SearchState, SearchView
from controller.dashboard.hub import Hub
from controller.dashboard.jobs import DeviceBusyError
from controller.motion.plan_choice import PlanFound
from controller.motion.planner import Plan, make_plan
from controller.rigs.registry import DEFAULT_RIG, get_rig
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.progress import run_job
from solvers.rubik.cubies import SOLVED
from solvers.rubik.facelets import format_facelets
from solvers.rubik.notation import Move, parse_moves
from solvers.rubik.scramble import random_state

LONGEST_S = 120.0
CUBE = SOLVED.apply(parse_moves("R U2 F' D B2 L' U R2"))
STICKERS = format_facelets(CUBE)
COSTS = get_rig(DEFAULT_RIG).setup().costs


class Page:
    """A desk and what it tells."""

    def __init__(self) -> None:
        self.hub = Hub()
        self.controller = CubeController(self.hub)

    def ask(self, command: str, **words: object) -> object:
        return self.controller.handle(command, msgspec.json.encode(words))

    @property
    def search(self) -> SearchView:
        view = self.hub.value(SEARCH)
        assert isinstance(view, SearchView)
        return view

    def when(self, sees: Callable[[SearchView], bool]) -> threading.Event:
        """Return what is set as soon as a search is told that `sees` likes."""
        came = threading.Event()

        def wake() -> None:
            for message in tab.take():
                if message.topic == SEARCH and sees(message.value):
                    came.set()

        waker = threading.Event()
        tab = self.hub.subscribe(waker.set)

        def watch() -> None:
            while not came.is_set() and waker.wait(LONGEST_S):
                waker.clear()
                wake()

        threading.Thread(target=watch, daemon=True).start()
        return came


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    page = Page()
    yield page
    page.controller.close()


def searchers() -> list[int | None]:
    return [each.pid for each in multiprocessing.active_children() if each.name == "search"]


def test_the_search_is_prepared_before_it_is_asked_for(page: Page) -> None:
    page.ask("prepare")
    assert page.controller.search.wait(LONGEST_S)
    prepared = searchers()
    assert len(prepared) == 1
    assert page.hub.value(PREPARING) == ""
    page.ask("solve", facelets=STICKERS, search_s=0)
    assert page.controller.search.wait(LONGEST_S)
    assert page.search.state is SearchState.DONE
    assert searchers() == prepared


def test_solutions_get_better_and_are_priced_as_the_robot_drives_them(page: Page) -> None:
    page.ask("solve", facelets=STICKERS, search_s=0.1)
    assert page.controller.search.wait(LONGEST_S)
    view = page.search
    assert (view.state, view.facelets, view.target) == (SearchState.DONE, STICKERS, "")
    assert view.solutions
    assert [each.robot_s for each in view.solutions] == sorted(
        each.robot_s for each in view.solutions
    )
    for solution in view.solutions:
        moves = parse_moves(" ".join(solution.moves))
        assert CUBE.apply(moves).is_solved
        assert solution.robot_s == pytest.approx(make_plan(moves, COSTS).robot_seconds)
    assert min(len(each.moves) for each in view.solutions) <= 8
    assert view.candidates >= len(view.solutions)


def test_a_target_other_than_solved(page: Page) -> None:
    page.ask("solve", facelets=STICKERS, target="checkerboard", search_s=0)
    assert page.controller.search.wait(LONGEST_S)
    moves = parse_moves(" ".join(page.search.solutions[0].moves))
    aim = page.ask("aim", facelets=STICKERS, target="checkerboard")
    assert isinstance(aim, PositionView)
    assert (
        format_facelets(CUBE.apply(moves))
        == aim.upright
        == "UDUDUDUDURLRLRLRLRFBFBFBFBF" + ("DUDUDUDUDLRLRLRLRLBFBFBFBFB")
    )


def test_the_beginners_method_has_named_stages(page: Page) -> None:
    page.ask("solve", facelets=STICKERS, method="layers")
    assert page.controller.search.wait(LONGEST_S)
    view = page.search
    assert [stage.name for stage in view.stages][:3] == ["cross", "corners", "middle edges"]
    (whole,) = view.solutions
    assert whole.moves == tuple(move for stage in view.stages for move in stage.moves)
    assert CUBE.apply(parse_moves(" ".join(whole.moves))).is_solved


def test_a_search_is_one_at_a_time_and_can_be_stopped_and_begun_again(page: Page) -> None:
    hard = format_facelets(random_state(7))
    found = page.when(lambda view: bool(view.solutions) and view.facelets == hard)
    page.ask("solve", facelets=hard, search_s=60)
    assert found.wait(LONGEST_S)
    with pytest.raises(DeviceBusyError, match="searching, since"):
        page.ask("solve", facelets=STICKERS)
    page.ask("halt")
    assert page.controller.search.wait(LONGEST_S)
    view = page.search
    assert (view.state, view.sentence) == (SearchState.STOPPED, "The search was stopped.")
    assert view.solutions
    page.ask("solve", facelets=STICKERS, search_s=0)
    assert page.controller.search.wait(LONGEST_S)
    assert page.search.state is SearchState.DONE


def test_what_is_no_cube_is_not_searched(page: Page) -> None:
    before = page.search
    with pytest.raises(InvalidInputError, match="9 times"):
        page.ask("solve", facelets="R" + STICKERS[1:] if STICKERS[0] != "R" else "U" + STICKERS[1:])
    with pytest.raises(InvalidInputError, match="knows no command"):
        page.ask("fly")
    assert page.search == before


def test_the_fastest_few_are_reported_and_what_is_shorter_than_all_before() -> None:
    lengths_and_seconds = [(20, 40.0 + number) for number in range(MOST_SHOWN)]
    lengths_and_seconds += [(21, 60.0), (19, 61.0), (21, 39.5), (22, 47.0), (22, 45.5)]
    search = [
        PlanFound(Plan(tuple([Move.R1] * length), (), seconds), 0.1 * number)
        for number, (length, seconds) in enumerate(lengths_and_seconds)
    ]
    # Each ends with another move: the same moves are one solution, however often they are found.
    search = [
        replace(found, plan=replace(found.plan, moves=(*found.plan.moves[:-1], list(Move)[number])))
        for number, found in enumerate(search)
    ]
    shown = list[Found]()
    report = run_job(worth_showing([*search, search[0]]), shown.append)
    assert [(len(each.moves), each.robot_s) for each in shown] == [
        *lengths_and_seconds[:MOST_SHOWN],
        (19, 61.0),
        (21, 39.5),
        (22, 45.5),
    ]
    assert report == Answered(14, 0.0)


def test_a_process_that_dies_is_told_and_replaced(page: Page) -> None:
    def kill() -> None:
        (process,) = (each for each in multiprocessing.active_children() if each.name == "search")
        process.kill()
        process.join()

    hard = format_facelets(random_state(8))
    found = page.when(lambda view: bool(view.solutions) and view.facelets == hard)
    page.ask("solve", facelets=hard, search_s=60)
    assert found.wait(LONGEST_S)
    kill()
    assert page.controller.search.wait(LONGEST_S)
    assert page.search.state == "fault"
    assert "The search has ended before its work did" in page.search.sentence
    for _ in range(2):  # one that dies when nothing is asked is replaced, too
        page.ask("solve", facelets=STICKERS, method="layers")
        assert page.controller.search.wait(LONGEST_S)
        assert page.search.state == "done"
        kill()
