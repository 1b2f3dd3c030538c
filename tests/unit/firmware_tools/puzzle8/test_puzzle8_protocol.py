"""Lines of the puzzle8 programs, and the client that reads them."""

import itertools

import pytest

from firmware_tools.errors import BoardError, NoAnswerError
from firmware_tools.puzzle8.protocol import (
    Answer,
    Identity,
    MalformedTaskError,
    Outcome,
    UnexpectedAnswerError,
    parse_answer,
    parse_identity,
    task_line,
)
from firmware_tools.puzzle8.session import CheckedAnswer, Puzzle8Client, Task, WrongPathError, check
from solvers.foundation.progress import Progress, run_job
from solvers.sliding_tile.board import parse_board

IDENTITY = "puzzle8 policy 1 0123ABCD\n"
EXAMPLE = Task(parse_board("gaefdboch"), parse_board("doefgbcah"))


class ScriptedLink:
    """Answers every line that is written with the next text of a script."""

    def __init__(self, *answers: str) -> None:
        self.written = b""
        self._answers = list(answers)
        self._incoming = b""

    def write(self, data: bytes) -> None:
        self.written += data
        if self._answers:
            self._incoming += self._answers.pop(0).encode("latin-1")

    def overhear(self, text: str) -> None:
        """Have the program send something unasked."""
        self._incoming += text.encode("latin-1")

    def read(self, count: int, timeout_s: float) -> bytes:
        assert timeout_s > 0
        data, self._incoming = self._incoming[:count], self._incoming[count:]
        return data

    def discard_input(self) -> None:
        self._incoming = b""

    def close(self) -> None:
        self._answers.clear()


def test_a_task_is_one_line() -> None:
    line = task_line("gaefdboch", "doefgbcah", None, parent_heuristic=False)
    assert line == b"gaefdboch doefgbcah\n"
    line = task_line("gaefdboch", "doefgbcah", 12, parent_heuristic=True)
    assert line == b"gaefdboch doefgbcah 12 p\n"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("path 3 uld 0.640 640", Answer(Outcome.PATH, "uld", 0.64, 640)),
        ("path 0 - 0.100 100", Answer(Outcome.PATH, "", 0.1, 100)),
        ("unsolvable 0.300 300", Answer(Outcome.UNSOLVABLE, "", 0.3, 300)),
        ("gave-up 12.000 12000", Answer(Outcome.GAVE_UP, "", 12.0, 12000)),
    ],
)
def test_answers_are_read(line: str, answer: Answer) -> None:
    assert parse_answer(line) == answer


@pytest.mark.parametrize(
    "line",
    ["", "path", "path 4 uld 0.640 640", "path 3 uxd 0.640 640", "path three uld 0 0", "hello"],
)
def test_a_damaged_answer_is_never_taken_for_one(line: str) -> None:
    with pytest.raises(UnexpectedAnswerError, match="no answer to a task"):
        parse_answer(line)


def test_a_refused_task_says_which_part_is_wrong() -> None:
    with pytest.raises(MalformedTaskError, match="its goal"):
        parse_answer("malformed goal")


def test_an_identity_is_found_behind_other_lines() -> None:
    link = ScriptedLink("malformed start\r\npath 0 - 0.1 100\n" + IDENTITY, IDENTITY)
    assert Puzzle8Client(link).identity() == Identity("policy", "1", "0123ABCD")
    assert link.written == b"\n?\n?\n"


def test_an_identity_that_nobody_asked_for_does_not_count() -> None:
    """A program starts with its example, whose solution is not the answer to a task."""
    link = ScriptedLink(IDENTITY, "path 9 urulddruu 0.640 640\n", IDENTITY, IDENTITY)
    assert Puzzle8Client(link).identity() == Identity("policy", "1", "0123ABCD")
    assert link.written == b"\n?\n?\n" * 2
    assert Puzzle8Client(ScriptedLink(IDENTITY)).identity() is None
    other = "puzzle8 astar 1 none\n"
    assert Puzzle8Client(ScriptedLink(*(IDENTITY, other) * 9)).identity() is None


def test_another_program_has_no_identity() -> None:
    assert Puzzle8Client(ScriptedLink("sum 4711\n")).identity() is None
    assert Puzzle8Client(ScriptedLink()).identity() is None
    assert parse_identity("puzzle8 policy") is None


def test_an_answer_is_replayed_and_judged() -> None:
    client = Puzzle8Client(ScriptedLink("path 9 urulddruu 0.640 640\n"))
    checked = run_job(client.solve(EXAMPLE, 1.0))
    assert checked.optimal_length == 9
    assert checked.is_optimal


def test_a_longer_path_is_not_optimal() -> None:
    answer = parse_answer("path 11 udurulddruu 0.640 640")
    assert not check(EXAMPLE, answer).is_optimal


@pytest.mark.parametrize("moves", ["uruldd", "llllll"])
def test_a_path_that_leads_elsewhere_is_an_error(moves: str) -> None:
    with pytest.raises(WrongPathError, match=r"wrong|leads to"):
        check(EXAMPLE, parse_answer(f"path {len(moves)} {moves} 0.640 640"))


def test_unsolvable_tasks_have_no_length() -> None:
    task = Task(parse_board("habodcgfe"), parse_board("abcdefgho"))
    answer = parse_answer("unsolvable 0.300 300")
    assert check(task, answer) == CheckedAnswer(answer, None)


def test_silence_ends_and_is_told_meanwhile() -> None:
    events: list[Progress] = []
    client = Puzzle8Client(ScriptedLink())
    with pytest.raises(NoAnswerError, match="No answer came in 1 s"):
        run_job(client.solve(EXAMPLE, 1.0), events.append)
    waited = [event.done for event in events]
    assert waited == sorted(waited)
    assert waited[-1] == pytest.approx(1.0)
    assert {(event.total, event.unit) for event in events} == {(1.0, "s")}


def test_what_came_in_before_the_question_is_no_answer() -> None:
    link = ScriptedLink(IDENTITY, IDENTITY, "path 9 urulddruu 0.640 640\n")
    link.overhear("puzzle8 astar 1 none\n")  # from before a reset
    client = Puzzle8Client(link)
    assert client.identity() == Identity("policy", "1", "0123ABCD")
    link.overhear("gave-up 12.000 12000\n")  # a search that ended too late
    assert run_job(client.solve(EXAMPLE, 1.0)).is_optimal


class EndlessLink:
    """A line on which the same bytes come again and again, however much is read."""

    def __init__(self, pattern: bytes) -> None:
        self.reads = 0
        self._bytes = itertools.cycle(pattern)

    def write(self, data: bytes) -> None:
        pass

    def read(self, count: int, timeout_s: float) -> bytes:
        assert timeout_s >= 0
        self.reads += 1
        return bytes(itertools.islice(self._bytes, count))

    def discard_input(self) -> None:
        pass

    def close(self) -> None:
        pass


@pytest.mark.parametrize("pattern", [b"x", b"x\n", b"\n", b"noise\r\n"])
def test_a_line_that_never_stops_is_no_program_and_no_answer(pattern: bytes) -> None:
    link = EndlessLink(pattern)
    client = Puzzle8Client(link)
    assert client.identity() is None
    with pytest.raises((NoAnswerError, BoardError)):
        run_job(client.solve(EXAMPLE, timeout_s=900.0))
    assert link.reads < 10_000
