"""The puzzles' desk: foreign files, searches that are stopped and gone on with, downloads."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.dashboard.hub import Hub
from controller.dashboard.jobs import DeviceBusyError
from controller.dashboard.puzzles.beside.part_search import PARTS
from controller.dashboard.puzzles.desk import PuzzlesDesk
from controller.dashboard.puzzles.requests import Pack, Show
from controller.dashboard.puzzles.view import LIBRARY, RECENT, SEARCH, Phase, Recent, SearchView
from solvers.cli.pack import searching as command
from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.polycube.burrtools.writer import to_xml
from solvers.polycube.files import library
from solvers.polycube.files.toml_format import dumps
from solvers.polycube.solving.finished_parts import FinishedParts

LONGEST_S = 120.0
EVIL = "<img src=x onerror=alert(1)>"


class Watched(Hub):
    """A hub that does something, once, when the search is as far as wanted."""

    def __init__(self) -> None:
        super().__init__()
        self.when: Callable[[SearchView], bool] = lambda _: False
        self.then: Callable[[], object] = lambda: None

    def tell(self, topic: str, value: object) -> None:
        super().tell(topic, value)
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
def desk(folder: Path) -> Iterator[PuzzlesDesk]:
    assert folder.is_dir()
    desk = PuzzlesDesk(Watched())
    yield desk
    desk.close()


@pytest.fixture
def hub(desk: PuzzlesDesk) -> Watched:
    hub = desk.hub
    assert isinstance(hub, Watched)
    return hub


def opened(desk: PuzzlesDesk, name: str, data: bytes) -> dict[str, Any]:
    answer = desk.ask("open", name.encode() + b"\n" + data)
    assert isinstance(answer, dict)
    return answer


def ended(desk: PuzzlesDesk) -> SearchView:
    assert desk.search.wait(LONGEST_S)
    return desk.search.view


def test_a_foreign_name_stays_text_and_a_path_is_none(desk: PuzzlesDesk, hub: Hub) -> None:
    text = dumps(library.named("soma")).replace('"Soma cube"', f'"{EVIL}"')
    key = opened(desk, "../../x.toml", text.encode())["puzzle"]
    entry = hub.value(LIBRARY)[0]
    assert (entry.key, entry.title, entry.is_own) == (key, EVIL, True)
    assert EVIL.encode() not in desk.file(f"thumb-{key}.svg").content  # type: ignore[union-attr]
    shown = desk.show(Show(key))
    assert (shown["title"], shown["story"], shown["solutions"]) == (EVIL, None, 0)
    desk.pack(Pack(key, "first"))
    assert ended(desk).phase is Phase.FINISHED
    assert len(desk.show(Show(key))["story"]["pieces"]) == 7
    for kind in ("svg", "html"):
        served = desk.file(f"solution-{key}-1.{kind}")
        assert served is not None
        assert EVIL.encode() not in served.content


def test_a_puzzle_of_other_cells_is_shown_with_them(desk: PuzzlesDesk) -> None:
    name = "tetrahedra-pyramid"
    desk.pack(Pack(name, "first"))
    assert ended(desk).phase is Phase.FINISHED
    story = desk.show(Show(name))["story"]
    assert len(story["frames"]) == len(story["pieces"]) == 10
    assert tuple(story["lattice"]["period"]) == (6, 6, 6)
    # Three of the pyramid's sides are seen, nine triangles each; its pieces alone show more.
    triangles = {}
    for kind in ("thumb-{}", "pieces-{}", "solution-{}-1"):
        served = desk.file(f"{kind.format(name)}.svg")
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
    desk: PuzzlesDesk, name: str, data: bytes, sentence: str
) -> None:
    with pytest.raises(InvalidInputError, match=sentence):
        opened(desk, name, data)


def test_a_burrtools_file_is_a_puzzle_too(desk: PuzzlesDesk) -> None:
    soma = library.named("soma")
    key = opened(desk, "soma.xmpuzzle", to_xml(soma).encode())["puzzle"]
    again = desk.file(f"solution-{key}-1.xmpuzzle")
    assert again is not None
    assert again.content == to_xml(soma).encode()


def test_volumes_that_cannot_match_are_refused_before_any_search(desk: PuzzlesDesk) -> None:
    text = dumps(library.named("soma")).replace("###\n", "##.\n", 1)
    key = opened(desk, "short.toml", text.encode())["puzzle"]
    with pytest.raises(InvalidInputError, match="but its target has room for 26 only"):
        desk.pack(Pack(key, "count"))


def test_a_count_tells_both_numbers_and_all_can_be_looked_at(desk: PuzzlesDesk, hub: Hub) -> None:
    desk.pack(Pack("soma", "all"))
    view = ended(desk)
    assert (view.phase, view.found, view.total) == (Phase.FINISHED, 240, 11520)
    assert set(view.parts) == {"d"}
    assert view.solutions == 240
    assert hub.value(RECENT)[0] == Recent("Soma cube, all", "240")
    assert "240 solutions" in next(e.note for e in hub.value(LIBRARY) if e.key == "soma")
    last, beyond = desk.show(Show("soma", 240)), desk.show(Show("soma", 241))
    assert (last["number"], last["is_there"]) == (240, True)
    assert (beyond["number"], beyond["is_there"]) == (240, False)
    assert desk.show(Show("soma", 2))["story"] != last["story"]


def test_going_on_searches_parts_again_whose_solutions_were_not_told(desk: PuzzlesDesk) -> None:
    soma = desk.shelf.named("soma")
    desk.pack(Pack("soma", "all"))
    assert ended(desk).found == 240
    whole, counts = list(soma.solutions), dict(soma.counts)
    assert len(whole) == 240
    # As a stop leaves it: parts 0 to 9 are done, and one with solutions behind a gap.
    ordered = 10
    beyond = max(number for number, count in counts.items() if count.found)
    assert beyond > ordered
    soma.counts = {number: counts[number] for number in (*range(ordered), beyond)}
    soma.ordered = ordered
    soma.solutions = whole[: sum(counts[number].found for number in range(ordered))]
    desk.pack(Pack("soma", "all"))
    assert ended(desk).found == 240
    assert soma.solutions == whole


def test_a_stopped_count_is_kept_on_disk_and_gone_on_with(
    desk: PuzzlesDesk, hub: Watched, folder: Path
) -> None:
    assert PARTS == command.PARTS, "the command goes on with what is kept here"
    hub.when, hub.then = lambda view: view.parts.count("d") >= 2, desk.stop
    desk.pack(Pack("ct-puzzle", "count"))
    with pytest.raises(DeviceBusyError, match="puzzle search is busy: c't puzzle, count, since"):
        desk.pack(Pack("soma", "count"))
    view = ended(desk)
    done = view.parts.count("d")
    assert (view.phase, view.can_go_on) == (Phase.STOPPED, True)
    assert 2 <= done < len(view.parts)
    assert view.sentence.startswith(f"{done} of {len(view.parts)} parts are kept on disk")
    puzzle = library.named("ct-puzzle")
    kept = FinishedParts(folder / "puzzlerig" / "packing", puzzle, resume=True)
    assert sum(count.nodes for count in kept.load(len(view.parts)).values()) == view.nodes > 0

    first = list[SearchView]()

    def stop_again() -> None:
        first.append(desk.search.view)
        desk.stop()

    hub.when, hub.then = lambda view: bool(view.parts), stop_again
    desk.pack(Pack("ct-puzzle", "count", 1))
    assert ended(desk).parts.count("d") >= done
    assert (first[0].parts.count("d"), first[0].nodes) == (done, view.nodes)


def test_stop_before_anything_is_found_ends_the_search(desk: PuzzlesDesk, hub: Watched) -> None:
    began = threading.Event()
    hub.when, hub.then = lambda view: view.phase is Phase.RUNNING, began.set
    desk.pack(Pack("bedlam", "first"))
    assert began.wait(LONGEST_S)
    desk.stop()
    view = ended(desk)
    assert (view.phase, view.can_go_on) == (Phase.STOPPED, False)
    assert hub.value(SEARCH) == view


def test_what_there_is_not_gets_a_sentence(desk: PuzzlesDesk) -> None:
    with pytest.raises(InvalidInputError, match="There is no puzzle 'file-99' here"):
        desk.show(Show("file-99"))
    with pytest.raises(InvalidInputError, match="puzzles desk knows no command 'fly'"):
        desk.ask("fly", b"")
    assert desk.file("nothing.svg") is None
    assert desk.file("../secret") is None
    with pytest.raises(PuzzlerigError, match="No solution 7 of Bedlam cube is found yet"):
        desk.file("solution-bedlam-7.svg")
    with pytest.raises(InvalidInputError, match="bores through pieces"):
        desk.file("solution-drilled-cube-1.xmpuzzle")
