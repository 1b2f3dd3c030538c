"""`puzzle slide solve`, as a user calls it."""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from solvers.cli.main import main
from solvers.foundation import table_cache
from solvers.sliding_tile.board import Board, is_solvable, parse_board, usual_goal
from tests.in_process import runner

Slide = Callable[..., tuple[int, str, str]]
EXAMPLE = ("gaefdboch", "doefgbcah")


@pytest.fixture
def slide(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Slide:
    """Call the command in this process; return exit code, stdout, and stderr as one line."""
    monkeypatch.setattr(table_cache, "cache_directory", lambda: tmp_path)

    puzzle = runner("puzzle", main, monkeypatch, capsys)

    def run(*arguments: str) -> tuple[int, str, str]:
        outcome = puzzle("slide", "solve", *arguments)
        return outcome.code, outcome.out, " ".join(outcome.err.split())

    return run


def test_the_example_of_the_paper(slide: Slide) -> None:
    code, out, _ = slide(*EXAMPLE)
    assert code == 0
    assert out.splitlines()[0] == "urulddruu"
    assert out.splitlines()[1].startswith("9 moves, the fewest possible")


@pytest.mark.parametrize(
    "algorithm",
    [
        "whole-space",
        "policy",
        "manhattan",
        "linear-conflict",
        "walking-distance",
        "pattern-database",
    ],
)
def test_every_algorithm_as_json(algorithm: str, slide: Slide) -> None:
    code, out, _ = slide("715642038", "405672318", "--algorithm", algorithm, "--json")
    result = json.loads(out)
    assert code == 0
    assert (result["length"], result["algorithm"], result["replayed"]) == (9, algorithm, True)
    start, goal = parse_board(result["start"]), parse_board(result["goal"])
    assert start.moved(result["moves"]) == goal


def test_nothing_to_do(slide: Slide) -> None:
    code, out, _ = slide("abcdefgho", "123456780")
    assert code == 0
    assert out.startswith("Nothing to do")


def test_digits_are_echoed_as_digits(slide: Slide) -> None:
    _, out, _ = slide("123456708", "123456780", "--json")
    told = json.loads(out)
    assert (told["start"], told["goal"]) == ("123456708", "123456780")
    _, out, _ = slide("abcdefgoh", "123456780", "--json")
    assert json.loads(out)["start"] == "abcdefgoh"
    assert "from 213456780 to 123456780" in slide("213456780", "123456780")[2]


def test_a_board_that_is_not_square(slide: Slide) -> None:
    code, out, _ = slide("1 2 3, 0 4 5", "1 2 3, 4 5 0", "--width", "3")
    assert (code, out.splitlines()[0]) == (0, "rr")


def test_an_unsolvable_pair_is_an_answer(slide: Slide) -> None:
    code, out, err = slide("abcdefgho", "bacdefgho")
    assert (code, out) == (1, "")
    assert "odd number of exchanges" in err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("abcdefgh", "abcdefgho"), "is not square"),
        (("abcdefgha", "abcdefgho"), "a more than once and the blank not at all"),
        (("abcdefgho", "1 2 3 0"), "must have the same size"),
        (("abcdefg?o", "abcdefgho"), "is not a tile"),
    ],
)
def test_malformed_boards_end_with_a_sentence(
    arguments: tuple[str, str], complaint: str, slide: Slide
) -> None:
    code, out, err = slide(*arguments)
    assert (code, out) == (2, "")
    assert complaint in err


def test_errors_in_json(slide: Slide) -> None:
    code, out, _ = slide("abcdefgho", "bacdefgho", "--json")
    assert code == 1
    assert json.loads(out)["kind"] == "UnsolvableError"


def test_the_goal_is_optional(slide: Slide) -> None:
    assert slide("123456708")[1].startswith("r\n1 move, the fewest possible")
    _, out, _ = slide("0 1 2 3, 4 5 6 7", "--width", "4")  # which cannot get its blank last
    assert out.startswith("Nothing to do")
    code, _, err = slide("213456780")
    assert code == 1
    assert "No moves lead from 213456780 to 123456780" in err


@pytest.mark.parametrize("side", [5, 10])
def test_a_board_that_is_too_hard_gets_a_good_solution(side: int, slide: Slide) -> None:
    tiles = [*list(range(1, side * side)), 0]
    random.Random(3).shuffle(tiles)
    board = Board(side, side, tuple(tiles))
    if not is_solvable(board, usual_goal(board)):
        first, second = [index for index, tile in enumerate(tiles[:3]) if tile][:2]
        tiles[first], tiles[second] = tiles[second], tiles[first]
    text = " ".join(map(str, tiles))
    code, out, _ = slide(text, "--time", "0", "--json")
    told = json.loads(out)
    assert code == 0
    assert told["replayed"]
    assert told["least"] < told["length"]
    assert not told["shortest"]
    _, out, _ = slide(text, "--time", "0")
    assert re.search(r"moves, at most \d+ more than needed: \d+ at least", out)
