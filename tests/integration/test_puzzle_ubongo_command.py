"""`puzzle ubongo solve`, `ask` and `generate`, as a user calls them."""

import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from solvers.cli.main import main
from solvers.polycube.ubongo import generator
from solvers.polycube.ubongo.card import Card
from solvers.polycube.ubongo.card_file import dumps

TASKS = Path(__file__).parents[1] / "data" / "puzzles" / "ubongo_tasks.json"
CARD = ("--pieces", "3,10,8,5", "--board", "##.#,...#,....")
ANSWERS = ["4", "3", "10", "8", "5", "##.#", "...#", "...."]


class Command:
    """Calls `puzzle ubongo` in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *arguments: str, stdin: str = "") -> tuple[int, str, str]:
        self._monkeypatch.setattr(sys, "argv", ["puzzle", "ubongo", *arguments])
        self._monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = self._capsys.readouterr()
        return int(ended.value.code or 0), out, " ".join(err.split())

    def json(self, *arguments: str, stdin: str = "") -> Any:
        code, out, err = self(*arguments, "--json", stdin=stdin)
        assert code == 0, err
        return json.loads(out)


@pytest.fixture
def ubongo(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


def cells(solution: list[dict[str, Any]]) -> dict[int, set[tuple[int, ...]]]:
    return {part["piece"]: set(map(tuple, part["cells"])) for part in solution}


def test_a_card_from_the_command_line(ubongo: Command) -> None:
    result = ubongo.json("solve", *CARD)
    assert result["count_total"] == result["count_up_to_symmetry"] == len(result["solutions"]) == 4
    for solution in result["solutions"]:
        taken = [cell for part in cells(solution).values() for cell in part]
        assert len(taken) == len(set(taken)) == 16
    code, out, _ = ubongo("solve", *CARD)
    assert code == 0
    assert out.count("Solution ") == 4
    assert out.endswith("2 high: 4 solutions.\n")
    assert ubongo.json("solve", *CARD, "--count")["count"] == 4


def test_the_pieces_with_their_numbers(ubongo: Command) -> None:
    shown = ubongo.json("pieces")["pieces"]
    assert [each["piece"] for each in shown] == list(range(1, 17))
    _, out, _ = ubongo("pieces")
    assert out.count("piece ") == 16
    assert out.count("#") == sum(len(each["cells"]) for each in shown)
    assert "piece 5   piece 6   piece 7   piece 8" in out


def test_pictures_of_a_card(ubongo: Command, tmp_path: Path) -> None:
    svg, html = tmp_path / "card.svg", tmp_path / "card.html"
    ubongo("solve", *CARD, "--svg", str(svg), "--html", str(html))
    assert "1. " in svg.read_text()
    assert '"solutions":[{"pieces":[' in html.read_text()


def test_a_file_of_tasks(ubongo: Command) -> None:
    result = ubongo.json("solve", str(TASKS))
    listed = json.loads(TASKS.read_text())
    tasks = [
        tuple(pieces)
        for key in ("three_piece", "four_piece")
        for board in listed[key]
        for pieces in board["tasks"]
    ]
    assert [tuple(task["pieces"]) for task in result["tasks"]] == tasks
    assert all(len(task["solutions"]) == task["count_total"] > 0 for task in result["tasks"])
    assert result["count_total"] == sum(task["count_total"] for task in result["tasks"])
    code, out, _ = ubongo("solve", str(TASKS), "--count")
    assert code == 0
    assert f"{len(tasks)} of {len(tasks)} cards can be solved" in out
    assert "Solution 1" not in out


def test_the_cards_of_a_file_are_shown_with_their_solutions(
    ubongo: Command, tmp_path: Path
) -> None:
    file = tmp_path / "cards.toml"
    cards = [Card((3, 10, 8, 5), ("##.#", "...#", "....")), Card((8, 8), ("......",), 1)]
    file.write_text(dumps(cards[:1]))
    code, out, _ = ubongo("solve", str(file))
    assert (code, out.count("Solution ")) == (0, 4)
    assert "1 of 1 card can be solved, 4 solutions in all" in out
    file.write_text(dumps(cards))
    code, out, _ = ubongo("solve", str(file))
    assert code == 1
    assert "pieces 8, 8 on ......, 1 high: no solution." in out
    assert "1 of 2 cards can be solved" in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "Give a file of cards, or both --pieces and --board."),
        (("--pieces", "3,10"), "Give a file of cards, or both --pieces and --board."),
        (("cards.toml", *CARD), "Give either a file of cards, or --pieces and --board."),
        (("cards.toml",), "cards.toml cannot be read: No such file or directory."),
        (("--pieces", "3,x", "--board", "..."), "--pieces takes numbers"),
        (("--pieces", "3,99", "--board", "..."), "There is no piece 99"),
        (("--pieces", "8,8", "--board", "...,.."), "Row 2 has 2 marks, but row 1 has 3"),
        (("--pieces", "8,8", "--board", "....."), "Pieces 8, 8 have 6 cubes.*takes 10"),
    ],
)
def test_wrong_cards_end_in_a_sentence_and_exit_2(
    arguments: tuple[str, ...],
    sentence: str,
    ubongo: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = ubongo("solve", *arguments)
    assert code == 2
    assert re.search(sentence, err)
    assert "Traceback" not in err


def test_ask_takes_the_thesis_answers(ubongo: Command) -> None:
    result = ubongo.json("ask", stdin="\n".join(ANSWERS) + "\n")
    assert (result["pieces"], result["board"]) == ([3, 10, 8, 5], ANSWERS[5:])
    assert result["count_total"] == 4


def test_ask_explains_every_slip_and_goes_on(ubongo: Command) -> None:
    slips = [
        "x",
        "4",
        "17",
        "3",
        "10",
        "8",
        "5",
        "?",
        "##.#",
        "...",
        "back",
        "##.#",
        "...#",
        "....",
    ]
    code, out, err = ubongo("ask", stdin="\n".join(slips))
    assert code == 0
    assert "4 solutions." in out
    for explanation in (
        "'x' is not a whole number.",
        "There is no piece 17",
        "Row 1 holds '?'",
        "Row 2 has 3 marks, but row 1 has 4",
    ):
        assert explanation in err


@pytest.mark.parametrize("known", range(len(ANSWERS)))
def test_ask_says_what_is_missing_when_the_input_ends(known: int, ubongo: Command) -> None:
    code, out, err = ubongo("ask", stdin="".join(f"{answer}\n" for answer in ANSWERS[:known]))
    assert code == 2
    assert out == ""
    assert "The input ended too early." in err
    assert "missing" in err


def test_generated_cards_are_unique_and_come_again(ubongo: Command, tmp_path: Path) -> None:
    wanted = ("generate", "--pieces", "3", "--height", "2", "--number", "3", "--seed", "4")
    files = {kind: tmp_path / f"cards.{kind}" for kind in ("svg", "pdf", "toml")}
    options = [
        *("--svg", str(files["svg"]), "--pdf", str(files["pdf"]), "--out", str(files["toml"])),
    ]
    first, again = ubongo.json(*wanted, *options), ubongo.json(*wanted)
    assert first["cards"] == again["cards"]
    assert len(first["cards"]) == 3
    assert files["pdf"].read_bytes().startswith(b"%PDF")
    assert files["svg"].read_text().count("Solution of card") == 3
    solved = ubongo.json("solve", str(files["toml"]))
    for made, task in zip(first["cards"], solved["tasks"], strict=True):
        assert task["count_total"] == 1
        assert cells(task["solutions"][0]) == cells(made["solution"])


@pytest.mark.parametrize("made", [0, 3])
def test_ctrl_c_keeps_the_cards_that_are_made(
    made: int, ubongo: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = ("generate", "--number", "5", "--seed", "4")
    whole = ubongo.json(*wanted)["cards"]
    generate = generator.generate

    def interrupted(*arguments: Any) -> Any:
        job = generate(*arguments)
        for _ in range(made + 1):
            yield next(job)
        job.throw(KeyboardInterrupt)

    monkeypatch.setattr(generator, "generate", interrupted)
    file = tmp_path / "cards.toml"
    code, out, err = ubongo(*wanted, "--out", str(file), "--json")
    assert (code, file.exists()) == (1, made > 0)
    assert f"Stopped with {made} of 5 cards made." in err
    if made:
        assert "These are the ones so far." in err
        assert (json.loads(out)["cards"], json.loads(out)["stopped"]) == (whole[:made], True)
        monkeypatch.setattr(generator, "generate", generate)
        assert ubongo.json("solve", str(file))["count_total"] == made


def test_cards_that_run_out_leave_those_that_are_made(
    ubongo: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generator, "ATTEMPTS_PER_CARD", 300)
    code, out, err = ubongo("generate", "--pieces", "2", "--number", "100")
    assert code == 1
    assert out.count("tries expected") > 0
    assert "found in 300 attempts" in err
    assert "These are the ones so far." in err


def test_generate_refuses_an_unknown_grade(ubongo: Command) -> None:
    code, _, err = ubongo("generate", "--grade", "brutal")
    assert code == 2
    assert "--grade" in err
    assert "'brutal' is not one of 'easy', 'medium', 'hard'" in err


def test_the_dialogue_works_through_a_pipe() -> None:
    command = [sys.executable, "-c", "from solvers.cli.main import main; main()"]
    run = subprocess.run(
        [*command, "ubongo", "ask", "--json"],
        input="\n".join(ANSWERS),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0
    assert json.loads(run.stdout)["count_total"] == 4
