"""The puzzles' controller: foreign files, searches that are stopped and resumed, downloads."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.dashboard.hub import Hub
from controller.dashboard.jobs import DeviceBusyError
from controller.dashboard.puzzles import controller as puzzles_controller
from controller.dashboard.puzzles import pictures
from controller.dashboard.puzzles.controller import PuzzlesController
from controller.dashboard.puzzles.view import (
    LIBRARY,
    RECENT,
    SEARCH,
    PackRequest,
    Phase,
    Recent,
    SearchView,
    ShowRequest,
)
from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.polycube import library
from solvers.polycube.burrtools.writer import to_xml
from solvers.polycube.puzzle_file import dumps
from solvers.polycube.solving.parts import FinishedParts

LONGEST_S = 120.0
FOR_EVER_S = 600
EVIL = "<img src=x onerror=alert(1)>"


class Watched(Hub):
    """A hub that does something, once, when the search is as far as wanted."""

    def __init__(self) -> None:
        super().__init__()
        self.when: Callable[[SearchView], bool] = lambda _: False
        self.then: Callable[[], object] = lambda: None

    def publish(self, topic: str, value: object) -> None:
        super().publish(topic, value)
        if isinstance(value, SearchView) and self.when(value):
            self.when = lambda _: False
            self.then()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patched:
        folder = tmp_path_factory.mktemp("user")
        patched.setenv("XDG_STATE_HOME", str(folder))
        yield folder


@pytest.fixture(scope="module")
def controller(folder: Path) -> Iterator[PuzzlesController]:
    assert folder.is_dir()
    controller = PuzzlesController(Watched())
    yield controller
    controller.close()


@pytest.fixture
def hub(controller: PuzzlesController) -> Watched:
    hub = controller.hub
    assert isinstance(hub, Watched)
    return hub


def opened(controller: PuzzlesController, name: str, data: bytes) -> dict[str, Any]:
    answer = controller.handle("open", name.encode() + b"\n" + data)
    assert isinstance(answer, dict)
    return answer


def ended(controller: PuzzlesController) -> SearchView:
    assert controller.search.wait(LONGEST_S)
    return controller.search.view


def test_a_foreign_name_stays_text_and_a_path_is_none(
    controller: PuzzlesController, hub: Hub
) -> None:
    text = dumps(library.load("soma")).replace('"Soma cube"', f'"{EVIL}"')
    key = opened(controller, "../../x.toml", text.encode())["puzzle"]
    entry = hub.value(LIBRARY)[0]
    assert (entry.key, entry.title, entry.is_own) == (key, EVIL, True)
    assert EVIL.encode() not in controller.file(f"thumb-{key}.svg").content  # type: ignore[union-attr]
    shown = controller.show(ShowRequest(key))
    assert (shown["title"], shown["story"], shown["solutions"]) == (EVIL, None, 0)
    controller.pack(PackRequest(key, "first"))
    assert ended(controller).phase is Phase.FINISHED
    assert len(controller.show(ShowRequest(key))["story"]["pieces"]) == 7
    for kind in ("svg", "html"):
        served = controller.file(f"solution-{key}-1.{kind}")
        assert served is not None
        assert EVIL.encode() not in served.content


def test_a_puzzle_of_other_cells_is_shown_with_them(controller: PuzzlesController) -> None:
    name = "tetrahedra-pyramid"
    controller.pack(PackRequest(name, "first"))
    assert ended(controller).phase is Phase.FINISHED
    story = controller.show(ShowRequest(name))["story"]
    assert len(story["frames"]) == len(story["pieces"]) == 10
    assert tuple(story["lattice"]["period"]) == (6, 6, 6)
    # Three of the pyramid's sides are seen, nine triangles each; its pieces alone show more.
    triangles = {}
    for kind in ("thumb-{}", "pieces-{}", "solution-{}-1"):
        served = controller.file(f"{kind.format(name)}.svg")
        assert served is not None
        triangles[kind] = served.content.count(b"<polygon")
    assert triangles["thumb-{}"] == 27 < triangles["pieces-{}"] < triangles["solution-{}-1"]


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        (
            "../uneven.toml",
            b'name = "x"\n[target]\nbox = [1, "a"]\n',
            r"^uneven\.toml, line 1: target\.box",
        ),
        ("x.toml", b"\xff\xfe", r"^x\.toml is no text file \(byte 0\)\.$"),
        ("x.xmpuzzle", b"<!DOCTYPE a><puzzle/>", r"^x\.xmpuzzle is refused: "),
        ("x.xmpuzzle", b"\x1f\x8bnothing", r"^x\.xmpuzzle is a damaged gzip file"),
        ("x.ihx", b"", r"^The ending of x\.ihx does not say"),
        ("", b"", r"^The file has no name\.$"),
    ],
)
def test_foreign_files_get_sentences(
    controller: PuzzlesController, name: str, data: bytes, sentence: str
) -> None:
    with pytest.raises(InvalidInputError, match=sentence):
        opened(controller, name, data)


def test_a_burrtools_file_is_a_puzzle_too(controller: PuzzlesController) -> None:
    soma = library.load("soma")
    key = opened(controller, "soma.xmpuzzle", to_xml(soma).encode())["puzzle"]
    again = controller.file(f"solution-{key}-1.xmpuzzle")
    assert again is not None
    assert again.content == to_xml(soma).encode()


def test_volumes_that_cannot_match_are_refused_before_any_search(
    controller: PuzzlesController,
) -> None:
    text = dumps(library.load("soma")).replace("###\n", "##.\n", 1)
    key = opened(controller, "short.toml", text.encode())["puzzle"]
    with pytest.raises(InvalidInputError, match="but its target has room for 26 only"):
        controller.pack(PackRequest(key, "count"))


def test_a_count_tells_both_numbers_and_all_can_be_looked_at(
    controller: PuzzlesController, hub: Hub
) -> None:
    controller.pack(PackRequest("soma", "all"))
    view = ended(controller)
    assert (view.phase, view.found, view.total) == (Phase.FINISHED, 240, 11520)
    assert set(view.parts) == {"d"}
    assert view.solutions == 240
    assert hub.value(RECENT)[0] == Recent("Soma cube, all", "240")
    assert "240 solutions" in next(e.note for e in hub.value(LIBRARY) if e.key == "soma")
    last, beyond = (
        controller.show(ShowRequest("soma", 240)),
        controller.show(ShowRequest("soma", 241)),
    )
    assert (last["number"], last["is_there"]) == (240, True)
    assert (beyond["number"], beyond["is_there"]) == (240, False)
    assert controller.show(ShowRequest("soma", 2))["story"] != last["story"]


def test_going_on_searches_parts_again_whose_solutions_were_not_told(
    controller: PuzzlesController,
) -> None:
    soma = controller.library.named("soma")
    controller.pack(PackRequest("soma", "all"))
    assert ended(controller).found == 240
    whole, counts = list(soma.solutions), dict(soma.counts)
    assert len(whole) == 240
    # As a stop leaves it: parts 0 to 9 are done, and one with solutions behind a gap.
    ordered = 10
    beyond = max(number for number, count in counts.items() if count.found)
    assert beyond > ordered
    soma.counts = {number: counts[number] for number in (*range(ordered), beyond)}
    soma.ordered = ordered
    soma.solutions = whole[: sum(counts[number].found for number in range(ordered))]
    controller.pack(PackRequest("soma", "all"))
    assert ended(controller).found == 240
    assert soma.solutions == whole


def test_a_stopped_count_is_kept_on_disk_and_gone_on_with(
    controller: PuzzlesController, hub: Watched, folder: Path
) -> None:
    hub.when, hub.then = lambda view: view.parts.count("d") >= 2, controller.stop
    controller.pack(PackRequest("ct-puzzle", "count"))
    with pytest.raises(DeviceBusyError, match="puzzle search is busy: c't puzzle, count, since"):
        controller.pack(PackRequest("soma", "count"))
    view = ended(controller)
    done = view.parts.count("d")
    assert (view.phase, view.can_resume) == (Phase.STOPPED, True)
    assert 2 <= done < len(view.parts)
    assert view.sentence.startswith(f"{done / len(view.parts):.0%} of the search is saved on disk")
    puzzle = library.load("ct-puzzle")
    kept = FinishedParts(folder / "puzzlerig" / "packing", puzzle, resume=True)
    assert sum(count.nodes for count in kept.load(len(view.parts)).values()) == view.nodes > 0

    first = list[SearchView]()

    def stop_again() -> None:
        first.append(controller.search.view)
        controller.stop()

    hub.when, hub.then = lambda view: bool(view.parts), stop_again
    controller.pack(PackRequest("ct-puzzle", "count", 1))
    assert ended(controller).parts.count("d") >= done
    resumed = first[0]
    assert (resumed.parts.count("d"), resumed.nodes) == (done, view.nodes)
    assert (resumed.nodes_before, resumed.share_before) == (view.nodes, done / len(view.parts))
    assert view.nodes_before == 0  # the first had searched nothing before


def test_stop_before_anything_is_found_ends_the_search(
    controller: PuzzlesController, hub: Watched
) -> None:
    began = threading.Event()
    hub.when, hub.then = lambda view: view.phase is Phase.RUNNING, began.set
    controller.pack(PackRequest("bedlam", "first"))
    assert began.wait(LONGEST_S)
    controller.stop()
    view = ended(controller)
    assert (view.phase, view.can_resume) == (Phase.STOPPED, False)
    assert hub.value(SEARCH) == view


def read_for_ever(_: str, data: bytes) -> None:
    """Open the pipe of this name, which lets the test go on, and never return."""
    with Path(data.decode()).open("w"):
        time.sleep(FOR_EVER_S)


def test_a_file_that_is_being_read_keeps_no_picture_waiting(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # While the first picture compiles its kernels the reader could run into its own time limit.
    monkeypatch.setattr(puzzles_controller, "MOST_READING_S", FOR_EVER_S)
    controller = PuzzlesController(Hub())
    monkeypatch.setattr(pictures, "read_puzzle", read_for_ever)
    os.mkfifo(pipe := folder / "reading")
    refused = list[str]()

    def drop() -> None:
        with pytest.raises(PuzzlerigError) as error:
            opened(controller, "long.toml", str(pipe).encode())
        refused.append(str(error.value))

    dropping = threading.Thread(target=drop)
    dropping.start()
    with pipe.open():  # the file is being read
        assert controller.file("thumb-soma.svg") is not None
    controller.close()
    dropping.join(LONGEST_S)
    assert ["file reader has ended" in each for each in refused] == [True]


def test_of_several_targets_the_first_is_opened_and_the_others_are_named() -> None:
    text = dumps(library.load("soma")).replace("[target]", '[[target]]\nname = "cube"')
    text += '[[target]]\nname = "wall"\nbox = [3, 3, 3]\n'
    read = pictures.read_puzzle("mine.toml", text.encode())
    assert (read.puzzle.target_name, read.left_out) == ("cube", ("further targets, wall",))


def test_what_there_is_not_gets_a_sentence(controller: PuzzlesController) -> None:
    with pytest.raises(InvalidInputError, match="There is no puzzle 'file-99' here"):
        controller.show(ShowRequest("file-99"))
    with pytest.raises(InvalidInputError, match="puzzles page knows no command 'fly'"):
        controller.handle("fly", b"")
    assert controller.file("nothing.svg") is None
    assert controller.file("../secret") is None
    with pytest.raises(PuzzlerigError, match="No solution 7 of Bedlam cube is found yet"):
        controller.file("solution-bedlam-7.svg")
    with pytest.raises(InvalidInputError, match="bores through pieces"):
        controller.file("solution-drilled-cube-1.xmpuzzle")
