"""Cards, tiles and sliding boards at the puzzles' desk."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.dashboard.hub import Hub
from controller.dashboard.puzzles.controller import PuzzlesController
from controller.dashboard.puzzles.tiles import drawn
from controller.dashboard.puzzles.view import (
    SEARCH,
    MakeCardsRequest,
    Phase,
    SearchView,
    ShowRequest,
    SlideRequest,
    SolveCardRequest,
    SolveTilesRequest,
)
from solvers.edge_matching.samples import load_puzzle
from solvers.edge_matching.solution import PlacedTile
from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.sliding_tile.board import Board, usual_goal

LONGEST_S = 120.0
MIXED_24 = [
    *(18, 5, 3, 21, 12),
    *(1, 9, 0, 24, 2),
    *(7, 23, 11, 8, 4),
    *(16, 22, 14, 10, 15),
    *(17, 6, 20, 13, 19),
]


class StopsWhenFound(Hub):
    """A hub that stops the search as soon as that has found something."""

    controller: PuzzlesController
    is_on = False

    def publish(self, topic: str, value: object) -> None:
        super().publish(topic, value)
        if self.is_on and isinstance(value, SearchView) and value.found and value.nodes:
            self.is_on = False
            self.controller.stop()


@pytest.fixture(scope="module")
def controller(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PuzzlesController]:
    with pytest.MonkeyPatch.context() as patched:
        folder: Path = tmp_path_factory.mktemp("user")
        patched.setenv("XDG_STATE_HOME", str(folder))
        hub = StopsWhenFound()
        hub.controller = PuzzlesController(hub)
        yield hub.controller
        hub.controller.close()


def ended(controller: PuzzlesController) -> SearchView:
    assert controller.search.wait(LONGEST_S)
    return controller.search.view


def served(controller: PuzzlesController, name: str) -> bytes:
    found = controller.file(name)
    assert found is not None
    return found.content


def test_a_card_is_solved_and_its_pieces_keep_their_colours(controller: PuzzlesController) -> None:
    pieces = controller.cards()["pieces"]
    assert [piece["number"] for piece in pieces] == list(range(1, 17))
    controller.solve_card(SolveCardRequest((3, 10, 8, 5), ("##.#", "...#", "....")))
    assert (ended(controller).phase, ended(controller).found) == (Phase.FINISHED, 4)
    story = controller.show(ShowRequest("ubongo", 4))["story"]
    for piece in story["pieces"]:
        assert piece["colour"] in pieces[int(piece["name"]) - 1]["picture"]
    with pytest.raises(InvalidInputError, match="have 8 cubes, but a base area of 5 fields"):
        controller.solve_card(SolveCardRequest((3, 10), (".....",), 1))


def test_cards_are_made_from_a_seed(controller: PuzzlesController) -> None:
    with pytest.raises(PuzzlerigError, match="No cards have been made yet"):
        controller.file("cards.pdf")
    controller.make_cards(MakeCardsRequest(number=2, seed=7))
    view = ended(controller)
    assert (view.phase, view.made) == (Phase.FINISHED, 1)
    assert served(controller, "cards.pdf").startswith(b"%PDF")
    toml = served(controller, "cards.toml")
    assert toml.count(b"[[card]]") == 2
    controller.make_cards(MakeCardsRequest(number=2, seed=7))
    assert ended(controller).made == 2
    assert served(controller, "cards.toml") == toml


def test_tiles_are_laid_and_drawn(controller: PuzzlesController) -> None:
    key = "tiles-nine-triangles"
    before = served(controller, f"{key}-0.svg")
    controller.solve_tiles(SolveTilesRequest(key))
    view = ended(controller)
    assert (view.found, view.total, view.solutions) == (1, 3, 1)
    assert controller.show_tiles(ShowRequest(key, 2)) == {
        "title": "Nine triangles in a big triangle",
        "solutions": 1,
        "number": 1,
        "is_there": False,
    }
    assert served(controller, f"{key}-1.svg") != before == served(controller, f"{key}-0.svg")
    with pytest.raises(InvalidInputError, match="There is no tile puzzle 'tiles-x'"):
        controller.solve_tiles(SolveTilesRequest("tiles-x"))


def test_of_more_tiles_than_places_the_first_are_drawn(controller: PuzzlesController) -> None:
    puzzle = load_puzzle("macmahon-cubes")
    eight = tuple(PlacedTile(at + 1, tile) for at, tile in enumerate(puzzle.tiles.tiles[:8]))
    assert drawn(puzzle, None) == drawn(puzzle, eight)
    assert served(controller, "tiles-macmahon-cubes-0.svg") == drawn(puzzle, None)


def test_a_large_board_is_stopped_with_the_best_so_far(controller: PuzzlesController) -> None:
    hub = controller.hub
    assert isinstance(hub, StopsWhenFound)
    hub.is_on = True
    controller.slide(SlideRequest(MIXED_24, 5))
    view = ended(controller)
    assert view.phase is Phase.STOPPED
    told = hub.value(SEARCH).extra
    start = Board(5, 5, tuple(MIXED_24))
    assert start.moved(told["moves"]) == usual_goal(start)
    assert view.found == len(told["moves"]) > told["least"]
    assert view.sentence == "The best so far stays; solving again starts over."


@pytest.mark.parametrize(
    ("cells", "width", "sentence"),
    [
        ([1, 2, 3, 4, 5, 6, 8, 7, 0], 3, "No moves lead from"),
        ([1, 2, 3, 4, 5, 6, 7, 7, 0], 3, "each once"),
        ([1, 2, 3, 0, 4], 2, "must hold"),
    ],
)
def test_boards_that_cannot_be_get_a_sentence(
    controller: PuzzlesController, cells: list[int], width: int, sentence: str
) -> None:
    with pytest.raises(PuzzlerigError, match=sentence):
        controller.slide(SlideRequest(cells, width))
