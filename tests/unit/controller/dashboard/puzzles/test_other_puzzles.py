"""Cards, tiles and sliding boards at the puzzles' desk."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.dashboard.hub import Hub
from controller.dashboard.puzzles.desk import PuzzlesDesk
from controller.dashboard.puzzles.requests import (
    Lay,
    MakeCards,
    Nothing,
    Show,
    Slide,
    SolveCard,
)
from controller.dashboard.puzzles.tile_boards import drawn
from controller.dashboard.puzzles.view import SEARCH, Phase, SearchView
from solvers.edge_matching.samples import puzzle_of
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

    desk: PuzzlesDesk
    is_on = False

    def tell(self, topic: str, value: object) -> None:
        super().tell(topic, value)
        if self.is_on and isinstance(value, SearchView) and value.found and value.nodes:
            self.is_on = False
            self.desk.stop()


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PuzzlesDesk]:
    with pytest.MonkeyPatch.context() as patched:
        folder: Path = tmp_path_factory.mktemp("user")
        patched.setenv("XDG_STATE_HOME", str(folder))
        hub = StopsWhenFound()
        hub.desk = PuzzlesDesk(hub)
        yield hub.desk
        hub.desk.close()


def ended(desk: PuzzlesDesk) -> SearchView:
    assert desk.search.wait(LONGEST_S)
    return desk.search.view


def served(desk: PuzzlesDesk, name: str) -> bytes:
    found = desk.file(name)
    assert found is not None
    return found.content


def test_a_card_is_solved_and_its_pieces_keep_their_colours(desk: PuzzlesDesk) -> None:
    pieces = desk.cards(Nothing())["pieces"]
    assert [piece["number"] for piece in pieces] == list(range(1, 17))
    desk.solve_card(SolveCard((3, 10, 8, 5), ("##.#", "...#", "....")))
    assert (ended(desk).phase, ended(desk).found) == (Phase.FINISHED, 4)
    story = desk.show(Show("ubongo", 4))["story"]
    for piece in story["pieces"]:
        assert piece["colour"] in pieces[int(piece["name"]) - 1]["picture"]
    with pytest.raises(InvalidInputError, match="have 8 cubes, but a base area of 5 fields"):
        desk.solve_card(SolveCard((3, 10), (".....",), 1))


def test_cards_are_made_from_a_seed(desk: PuzzlesDesk) -> None:
    with pytest.raises(PuzzlerigError, match="No cards have been made yet"):
        desk.file("cards.pdf")
    desk.make_cards(MakeCards(number=2, seed=7))
    view = ended(desk)
    assert (view.phase, view.made) == (Phase.FINISHED, 1)
    assert served(desk, "cards.pdf").startswith(b"%PDF")
    toml = served(desk, "cards.toml")
    assert toml.count(b"[[card]]") == 2
    desk.make_cards(MakeCards(number=2, seed=7))
    assert ended(desk).made == 2
    assert served(desk, "cards.toml") == toml


def test_tiles_are_laid_and_drawn(desk: PuzzlesDesk) -> None:
    key = "tiles-nine-triangles"
    before = served(desk, f"{key}-0.svg")
    desk.lay(Lay(key))
    view = ended(desk)
    assert (view.found, view.total, view.solutions) == (1, 3, 1)
    assert desk.show_tiles(Show(key, 2)) == {
        "title": "Nine triangles in a big triangle",
        "solutions": 1,
        "number": 1,
        "is_there": False,
    }
    assert served(desk, f"{key}-1.svg") != before == served(desk, f"{key}-0.svg")
    with pytest.raises(InvalidInputError, match="There is no tile puzzle 'tiles-x'"):
        desk.lay(Lay("tiles-x"))


def test_of_more_tiles_than_places_the_first_are_drawn(desk: PuzzlesDesk) -> None:
    puzzle = puzzle_of("macmahon-cubes")
    eight = tuple(PlacedTile(at + 1, tile) for at, tile in enumerate(puzzle.tiles.tiles[:8]))
    assert drawn(puzzle, None) == drawn(puzzle, eight)
    assert served(desk, "tiles-macmahon-cubes-0.svg") == drawn(puzzle, None)


def test_a_large_board_is_stopped_with_the_best_so_far(desk: PuzzlesDesk) -> None:
    hub = desk.hub
    assert isinstance(hub, StopsWhenFound)
    hub.is_on = True
    desk.slide(Slide(MIXED_24, 5))
    view = ended(desk)
    assert view.phase is Phase.STOPPED
    told = hub.value(SEARCH).extra
    start = Board(5, 5, tuple(MIXED_24))
    assert start.moved(told["moves"]) == usual_goal(start)
    assert view.found == len(told["moves"]) > told["least"]
    assert view.sentence == "The best so far stays; solving again begins anew."


@pytest.mark.parametrize(
    ("cells", "width", "sentence"),
    [
        ([1, 2, 3, 4, 5, 6, 8, 7, 0], 3, "No moves lead from"),
        ([1, 2, 3, 4, 5, 6, 7, 7, 0], 3, "each once"),
        ([1, 2, 3, 0, 4], 2, "must hold"),
    ],
)
def test_boards_that_cannot_be_get_a_sentence(
    desk: PuzzlesDesk, cells: list[int], width: int, sentence: str
) -> None:
    with pytest.raises(PuzzlerigError, match=sentence):
        desk.slide(Slide(cells, width))
