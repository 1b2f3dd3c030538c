"""The puzzle8 programs on the whole simulated board: serial line, display, and `aksen puzzle8`."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_tools import board_job
from firmware_tools.boards.facts import load_board
from firmware_tools.building.build import build, require_within_budget
from firmware_tools.building.program import find_program
from firmware_tools.cli.main import main
from firmware_tools.puzzle8.protocol import Puzzle8Algorithm
from firmware_tools.puzzle8.session import Puzzle8Client, Task
from hardware_sims.aksen_board.board import Board
from solvers.foundation.progress import run_job
from solvers.sliding_tile.board import parse_board

pytestmark = pytest.mark.needs_sdcc

SECOND_US = 1_000_000
STEP_US = 1_000
START_US = 10_000
ASK = ("aksen", "puzzle8")


class BoardLink:
    """The line of a simulated board in virtual time: it runs while the host waits for a byte."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._received = b""

    def write(self, data: bytes) -> None:
        self.board.send(data)

    def read(self, count: int, timeout_s: float) -> bytes:
        waited_us = 0
        while len(self._received) < count and waited_us < timeout_s * SECOND_US:
            self.board.run_us(STEP_US)
            self._received += self.board.take_serial()
            waited_us += STEP_US
        data, self._received = self._received[:count], self._received[count:]
        return data

    def discard_input(self) -> None:
        self._received = b""
        self.board.take_serial()

    def close(self) -> None:
        return


@pytest.fixture(scope="module", autouse=True)
def private_cache(firmware_cache: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(firmware_cache))
        yield


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("images")
    return require_within_budget(build(find_program(["puzzle8"]), load_board(), folder))


def lines(board: Board, text: str) -> list[str]:
    """Send a text to a running program and return the lines of its answer."""
    link = BoardLink(board)
    board.run_us(100_000)
    link.write(text.encode("ascii"))
    return link.read(200, 0.2).decode("ascii").splitlines()


def test_a_board_that_nobody_talks_to_shows_the_example(image: Path) -> None:
    board = Board(image)
    board.run_us(3 * SECOND_US)
    identity, answer = board.take_serial().decode("ascii").splitlines()
    assert identity.startswith("puzzle8 policy 1 ")
    assert answer.startswith("path 9 urulddruu 0.")
    assert board.lcd.lines == ("urulddruu".ljust(16), " " * 16)


@pytest.mark.parametrize("late_us", range(-20_000, 90_000, 10_000))
def test_a_task_is_answered_though_the_example_comes_between(image: Path, late_us: int) -> None:
    """The board is deaf while it says who it is and solves the example, 2 s after its start."""
    board = Board(image)
    board.run_us(2 * SECOND_US + late_us)
    client = Puzzle8Client(BoardLink(board))
    identity = client.identity()
    assert identity is not None
    assert identity.algorithm == "policy"
    task = Task(parse_board("hefgcdoba"), parse_board("abcdoefgh"))
    assert len(run_job(client.solve(task, 1.0)).answer.moves) == 30


def test_tasks_over_the_serial_line(image: Path) -> None:
    board = Board(image)
    (answer,) = lines(board, "hefgcdoba abcdoefgh\n")
    word, count, moves, milliseconds, cycles = answer.split()
    assert (word, count, len(moves)) == ("path", "30", 30)
    assert float(milliseconds) * 1000 == int(cycles) <= 3_000
    assert board.lcd.lines == (moves[:16], moves[16:].ljust(16))
    assert lines(board, "abcdefgho abcdefgho\n")[0].startswith("path 0 - 0.")


@pytest.mark.parametrize(
    ("task", "answer", "shown"),
    [
        ("habodcgfe abcdefgho", "unsolvable 0.", "No solution"),
        ("habodcgfh abcdefgho", "malformed start", "Start malformed"),
        ("habodcgf abcdefgho", "malformed start", "Start malformed"),
        ("habodcgfee abcdefgho", "malformed start", "Start malformed"),
        ("habodcgfe abcdefgh", "malformed goal", "Goal malformed"),
        ("habodcgfe", "malformed goal", "Goal malformed"),
        ("habodcgfe abcdefghi", "malformed goal", "Goal malformed"),
        ("abcdefgho abcdefgho x", "malformed option", "Option malformed"),
        ("abcdefgho abcdefgho 31", "malformed option", "Option malformed"),
        ("x" * 100, "malformed start", "Start malformed"),
    ],
)
def test_wrong_tasks_are_answered_on_line_and_display(
    task: str, answer: str, shown: str, image: Path
) -> None:
    board = Board(image)
    (line,) = lines(board, task + "\n")
    assert line.startswith(answer)
    assert board.lcd.lines[0].rstrip() == shown
    assert lines(board, "?\n")[0].startswith("puzzle8 policy 1 ")


Aksen = Callable[..., tuple[int, str, str]]


@pytest.fixture
def aksen(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Aksen:
    """Run `aksen puzzle8` with a board in this process; return exit code, stdout and stderr."""

    def run(board: Board | None, *arguments: str) -> tuple[int, str, str]:
        if board is not None:
            board.run_us(START_US)  # what comes before is lost: the serial line is not set up
            monkeypatch.setattr(board_job, "open_link", lambda *_: BoardLink(board))
            arguments = (*arguments, "--port", "board")
        monkeypatch.setattr(sys, "argv", [*ASK, *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, " ".join(err.split())

    return run


def test_an_empty_board_is_flashed_and_asked(aksen: Aksen) -> None:
    board = Board()
    code, out, _ = aksen(board, "gaefdboch", "doefgbcah", "--json")
    result = json.loads(out)
    assert code == 0
    assert (result["moves"], result["optimal"]) == ("urulddruu", True)
    assert 500 < result["cycles"] < 700
    assert board.lcd.lines[0].rstrip() == "urulddruu"


def running_board(image: Path) -> Board:
    """Return a board that has started: in its first millisecond the program reads no input yet."""
    board = Board(image)
    board.run_us(100_000)
    return board


def test_a_board_that_runs_the_program_is_asked_at_once(aksen: Aksen, image: Path) -> None:
    board = running_board(image)
    code, out, _ = aksen(board, "715642038", "405672318")
    assert code == 0
    assert out.splitlines()[0] == "urulddruu"
    assert out.splitlines()[1].endswith("replayed, optimal.")


def test_a_board_that_runs_another_program_has_to_be_reset(aksen: Aksen, image: Path) -> None:
    code, out, err = aksen(running_board(image), "gaefdboch", "doefgbcah", "--algorithm", "astar")
    assert (code, out) == (1, "")
    assert "runs puzzle8 policy, not astar" in err
    assert "press reset" in err


def test_an_unsolvable_task_is_an_answer_of_its_own(aksen: Aksen, image: Path) -> None:
    code, out, err = aksen(running_board(image), "habodcgfe", "abcdefgho")
    assert (code, out) == (1, "")
    assert "there are none" in err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("gaefdboch", "doefgbcah", "--host", "-p", "loop://"), "--port, or say --host"),
        (("gaefdboch", "doefgbcaa", "--host"), "a more than once"),
        (("1 2 3 0", "1 2 3 0", "--host"), "3 x 3"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], complaint: str, aksen: Aksen) -> None:
    code, _, err = aksen(None, *arguments)
    assert code == 2
    assert complaint in err


@pytest.mark.parametrize("algorithm", Puzzle8Algorithm)
def test_the_same_files_answer_on_the_host(algorithm: Puzzle8Algorithm, aksen: Aksen) -> None:
    code, out, err = aksen(None, "gaefdboch", "doefgbcah", "--host", "--algorithm", algorithm)
    assert code == 0
    assert out.splitlines()[0] == "urulddruu"
    assert ("--host runs policy-c, the same in C" in err) == (algorithm is Puzzle8Algorithm.POLICY)


def test_a_search_that_gives_up_says_so(aksen: Aksen) -> None:
    code, _, err = aksen(None, "hfdobegca", "aofdhbgec", "--host", "--algorithm", "astar")
    assert code == 1
    assert "takes 18 moves" in err


def test_a_path_that_is_not_optimal_is_called_so(aksen: Aksen) -> None:
    arguments = ("ofdgbheca", "fbdcaegho", "--host", "--algorithm", "iddfs_v2", "--step", "10")
    code, out, _ = aksen(None, *arguments)
    assert code == 0
    assert "20 moves by iddfs_v2" in out
    assert "not optimal: 12 suffice" in out
