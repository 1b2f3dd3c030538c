"""`puzzle tiles solve`, as a user calls it."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from solvers.cli.main import main
from solvers.foundation.progress import Job, run_job
from tests.in_process import runner

TRIANGLES = Path(__file__).parents[1] / "data" / "puzzles" / "triangles"

# Four triangles: the middle one shows 1, 2, -1 to the three others; two more solutions are turns.
FOUR = "2\n4\n1 2 -1\n-1 1 1\n-2 1 1\n1 1 2\n"


def puzzle(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str
) -> tuple[int, str, str]:
    """Call the command in this process; return exit code, stdout and stderr."""
    outcome = runner("puzzle", main, monkeypatch, capsys)(*arguments)
    return outcome.code, outcome.out, outcome.err


@pytest.fixture
def four(tmp_path: Path) -> str:
    path = tmp_path / "four.txt"
    path.write_text(FOUR)
    return str(path)


@pytest.mark.parametrize(
    ("number", "total", "up_to_turns"), [(0, 84, 28), (1, 12, 4), (2, 33, 11), (3, 3, 1)]
)
def test_counts_of_the_competitions_files(
    number: int,
    total: int,
    up_to_turns: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = str(TRIANGLES / f"puzzle{number}.txt")
    code, out, _ = puzzle(monkeypatch, capsys, "tiles", "solve", file, "--json")
    result = json.loads(out)
    assert code == 0
    assert (result["count_total"], result["count_up_to_symmetry"]) == (total, up_to_turns)
    assert len(result["solutions"]) == up_to_turns
    assert result["nodes"] > 0
    assert result["cpu_seconds"] >= 0
    _, out, _ = puzzle(monkeypatch, capsys, "tiles", "solve", file, "--all", "--json")
    assert len(json.loads(out)["solutions"]) == total
    _, out, _ = puzzle(monkeypatch, capsys, "tiles", "solve", file, "--count", "--json")
    assert json.loads(out)["count"] == up_to_turns
    assert json.loads(out)["solutions"] == []


def test_text_shows_the_layout_and_the_counts(
    four: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = puzzle(monkeypatch, capsys, "tiles", "solve", four)
    assert code == 0
    assert "Solution 1, tiles" in out
    assert "if the board's 3 turns count as one." in out
    code, out, _ = puzzle(monkeypatch, capsys, "tiles", "solve", four, "--count")
    assert code == 0
    assert "Solution" not in out


def test_svg_is_written(
    four: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    svg = tmp_path / "four.svg"
    puzzle(monkeypatch, capsys, "tiles", "solve", four, "--svg", str(svg))
    assert ElementTree.parse(svg).getroot().tag.endswith("svg")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["four.svg", "four.txt"]


def test_a_board_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "row.toml").write_text('tiles = "squares"\nrows = ["##"]\nmatch = "same label"\n')
    (tmp_path / "two.txt").write_text("2\n2\n1 1 1 2\n2 2 1 2\n")
    command = ("tiles", "solve", str(tmp_path / "two.txt"), "--board", str(tmp_path / "row.toml"))
    code, out, _ = puzzle(monkeypatch, capsys, *command, "--json")
    assert code == 0
    # The first tile offers 1 three times and 2 once, the second 1 once and 2 three times; either
    # may lie left, so 2 * (3 * 1 + 1 * 3), and a half turn exchanges left and right.
    assert json.loads(out)["count_total"] == 12
    assert json.loads(out)["count_up_to_symmetry"] == 6


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "line 1 is missing"),
        ("3\n9\n1 2 3\n", "line 2 announces 9 tiles, but the file ends after 1"),
        (FOUR.replace("-2", "-3"), "line 5: -3 names no half of a figure"),
        (FOUR.replace("2\n4", "2\n5") + "1 1 1\n", "No known board has room for exactly 5 tiles"),
    ],
)
def test_broken_files_end_in_a_sentence_and_exit_2(
    text: str,
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "broken.txt"
    file.write_text(text)
    code, out, err = puzzle(monkeypatch, capsys, "tiles", "solve", str(file), "--json")
    assert code == 2
    assert sentence in json.loads(out)["error"]
    assert "Traceback" not in err


def test_any_one_solution_by_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = puzzle(monkeypatch, capsys, "tiles", "list", "--json")
    names = [each["name"] for each in json.loads(out)["puzzles"]]
    assert (code, "macmahon-squares" in names) == (0, True)
    command = ("tiles", "solve", "nine-triangles", "--first")
    code, out, _ = puzzle(monkeypatch, capsys, *command, "--json")
    told = json.loads(out)
    assert (code, told["count"], told["count_total"], len(told["solutions"])) == (0, 1, None, 1)
    assert "Found after 1 try, " in puzzle(monkeypatch, capsys, *command)[1]
    code, _, err = puzzle(monkeypatch, capsys, *command, "--count")
    assert (code, "Give only one of" in err) == (2, True)


def test_no_solution_is_told_and_ends_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "none.txt"
    file.write_text("2\n4\n1 1 1\n1 1 1\n1 1 1\n1 1 1\n")
    code, out, _ = puzzle(monkeypatch, capsys, "tiles", "solve", str(file))
    assert (code, out) == (1, "There is no solution.\n")
    code, out, _ = puzzle(monkeypatch, capsys, "tiles", "solve", str(file), "--json")
    assert (code, json.loads(out)["count"]) == (1, 0)


def test_a_picture_that_cannot_be_written_is_refused_before_the_work(
    four: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "file").write_text("not a folder")
    nowhere = str(tmp_path / "file" / "x.svg")
    code, _, err = puzzle(monkeypatch, capsys, "tiles", "solve", four, "--svg", nowhere)
    assert code == 2
    assert "cannot be written" in " ".join(err.split())


def test_hints_are_given_in_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ("tiles", "solve", "nine-triangles", "--json", "--hint")
    for hint, count in (("4 1 3", 1), ("4 1 3 4 -3 -1", 0), ("4 1 3 -3 -1 4", 1), ("9 1 3", 0)):
        code, out, _ = puzzle(monkeypatch, capsys, *command, hint)
        assert (code, json.loads(out)["count_total"]) == (0 if count else 1, count)
    for hint, sentence in (
        ("4 one", "A hint is 'TILE ROW COLUMN', all from 1, and the labels it shows, not '4 one'"),
        (
            "4 1 1",
            "--hint '4 1 1': the hint for tile 4, row 1, column 1 names a place that the board"
            " does not have",
        ),
        ("0 1 3", "A hint is 'TILE ROW COLUMN', all from 1"),
        ("10 1 3", "A hint places tile 10, but there are 9 tiles"),
    ):
        code, out, _ = puzzle(monkeypatch, capsys, *command, hint)
        assert (code, sentence in json.loads(out)["error"]) == (2, True)


def test_a_hint_for_a_cube_has_a_layer_and_says_what_was_typed_where_it_is_wrong(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ("tiles", "solve", "macmahon-cubes", "--json", "--hint")
    for hint, tiles in (("4 1 1 1", [4, 20]), ("4 2 2 2", [5, 12])):
        code, out, _ = puzzle(monkeypatch, capsys, *command, hint)
        laid = json.loads(out)["solutions"]
        assert (code, [[cube["tile"] for cube in each][:2] for each in laid]) == (0, [tiles])
    for hint, sentence in (
        ("4 1 1", "A hint is 'TILE LAYER ROW COLUMN', all from 1"),
        (
            "4 3 1 1",
            "--hint '4 3 1 1': the hint for tile 4, layer 3, row 1, column 1 names a place",
        ),
    ):
        code, out, _ = puzzle(monkeypatch, capsys, *command, hint)
        assert (code, sentence in json.loads(out)["error"]) == (2, True)


def test_ctrl_c_says_how_to_go_on_and_resume_does(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("platformdirs.user_state_path", lambda _: tmp_path)
    monkeypatch.setattr("solvers.edge_matching.solver.NODES_OF_TINY_SEARCH", 0)
    monkeypatch.setattr("solvers.cli.tiles.show_progress", stopped_after(9))
    command = ("tiles", "solve", "nine-triangles", "--hint", "4 1 3", "--count")
    code, out, err = puzzle(monkeypatch, capsys, *command)
    told = " ".join(err.split())
    assert (code, out) == (1, "")
    assert "Stopped with " in told
    assert "puzzle tiles solve nine-triangles --hint '4 1 3' --count --resume" in told
    assert "Stopped with 0 of" not in told
    monkeypatch.setattr("solvers.cli.tiles.show_progress", lambda job, _: run_job(job))
    code, out, _ = puzzle(monkeypatch, capsys, *command, "--resume", "--json")
    assert (code, json.loads(out)["count_total"]) == (0, 1)
    assert not list((tmp_path / "tiles").iterdir())
    code, _, err = puzzle(monkeypatch, capsys, *command[:3], "--first", "--resume")
    assert (code, "--first starts from scratch" in " ".join(err.split())) == (2, True)


def stopped_after(events: int) -> Callable[[Job[Any, Any], str], None]:
    """Return what takes some events of a job and then Ctrl-C."""

    def take(job: Job[Any, Any], _title: str) -> None:
        for _ in range(events):
            next(job)
        job.close()
        raise KeyboardInterrupt

    return take


def test_the_installed_command_prints_json_alone(four: str) -> None:
    command = [sys.executable, "-c", "from solvers.cli.main import main; main()"]
    run = subprocess.run(
        [*command, "tiles", "solve", four, "--json"], capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 0
    assert json.loads(run.stdout)["board"] == "triangle-4"
