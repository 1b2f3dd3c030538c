"""`puzzle pack design` from the command line to puzzle files that `puzzle pack solve` reads."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from solvers.cli.main import main
from solvers.polycube.design import climbing, designing
from solvers.polycube.design.rating import Judge
from tests.in_process import Run, runner

BOX = ("--box", "3x3x3", "--sizes", "4,4,4,5,5,5")


@pytest.fixture
def puzzle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """Run the command in a folder of its own; climbs end soon."""
    monkeypatch.setattr(climbing, "PATIENCE", 12)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    return runner("puzzle", main, monkeypatch, capsys)


@pytest.fixture
def interrupted(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Press Ctrl-C when three climbs are over."""
    whole = designing.design_job

    def stopping(gallery: Any, *arguments: Any) -> Any:
        job = whole(gallery, *arguments)
        while gallery.climbs < 3:
            yield next(job)
        job.throw(KeyboardInterrupt)

    with monkeypatch.context() as patched:
        patched.setattr(designing, "design_job", stopping)
        yield


def test_a_unique_set_is_written_and_solved(puzzle: Run, tmp_path: Path) -> None:
    designed = puzzle("pack", "design", *BOX, "--seed", "3", "--out", "mine")
    assert designed.code == 0
    assert "1 solution" in designed.out
    assert "Climb " in designed.err
    assert [file.name for file in (tmp_path / "mine").iterdir()] == ["unique-1.toml"]
    counted = puzzle("pack", "solve", "mine/unique-1.toml", "--count", "--json").data
    assert counted["count_up_to_symmetry"] == 1
    assert counted["count_total"] in (24, 48)


def test_levels_are_those_of_taking_apart(puzzle: Run) -> None:
    wish = ("--box", "3x3x3", "--sizes", "6,7,7,7", "--goal", "level")
    data = puzzle("pack", "design", *wish, "--climbs", "2", "--out", ".", "--json").data
    (design,) = data["designs"]
    apart = puzzle("pack", "solve", "level-1.toml", "--sort", "level", "--json").data
    assert apart["apart"][-1]["level"] == design["level"]
    assert (apart["count_total"] > 0, data["climbs"], data["goal"]) == (True, 2, "level")


def test_a_drawing_without_pieces_is_a_target(puzzle: Run, tmp_path: Path) -> None:
    drawing = "[target]\nlayers = '''\n### ###\n#.# ###\n'''\n"
    (tmp_path / "tub.toml").write_text(drawing, encoding="utf-8")
    wish = ("tub.toml", "--sizes", "3,4,4", "--goal", "hard", "--climbs", "3", "--keep", "2")
    data = puzzle("pack", "design", *wish, "--json").data
    cells = [tuple(c) for piece in data["designs"][0]["pieces"] for c in piece["cells"]]
    assert sorted(cells) == sorted(
        {(x, y, z) for x in range(3) for y in (0, 1) for z in (0, 1)} - {(1, 1, 0)}
    )
    by_name = puzzle("pack", "design", "soma", "--sizes", "9,9,9", "--climbs", "1", "--json").data
    assert by_name["sizes"] == [9, 9, 9]


@pytest.mark.usefixtures("interrupted")
def test_ctrl_c_keeps_the_best_and_says_how_to_go_on(puzzle: Run, tmp_path: Path) -> None:
    wish = (*BOX, "--goal", "hard", "--no-mirrored", "--out", ".")
    stopped = puzzle("pack", "design", *wish, "--json")
    assert (tmp_path / "hard-1.toml").exists()
    assert (stopped.code, stopped.data["stopped"], stopped.data["climbs"]) == (1, True, 3)
    assert len(stopped.data["designs"]) == 1
    assert (
        "Stopped with 3 of 100 climbs finished. They are saved; resume with: puzzle pack design "
        "--box "
        "3x3x3 --sizes 4,4,4,5,5,5 --goal hard --seed 1 --no-mirrored --climbs 100 --keep 1 --out ."
        " --resume" in stopped.err
    )


def test_resume_goes_on_with_what_was_saved(puzzle: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    wish = ("pack", "design", *BOX, "--goal", "hard", "--json")
    before = puzzle(*wish, "--climbs", "2").data
    monkeypatch.setattr(climbing, "cut_target", None)  # a climb that is begun again would call it
    again = puzzle(*wish, "--climbs", "2", "--resume").data
    assert again["designs"] == before["designs"]


def test_the_time_ends_a_design(puzzle: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(climbing, "PATIENCE", 10**9)
    monkeypatch.setattr(Judge, "_clashes", lambda *_: 1)
    ended = puzzle("pack", "design", *BOX, "--goal", "hard", "--time", "0.1")
    assert ended.code == 1
    assert "The time is up before any climb was finished" in ended.err
    assert ended.out == "No set was found in 0 climbs.\n"


def test_what_was_missed_is_said(puzzle: Run) -> None:
    bars = puzzle("pack", "design", "--box", "3x3", "--sizes", "3,3,3", "--no-distinct")
    assert (bars.code, bars.out.count("solution")) == (0, 1)
    alike = puzzle("pack", "design", "--box", "8x1", "--sizes", "4,4", "--climbs", "1")
    assert alike.code == 1
    assert "of the nearest 1 piece is the same as others, which --no-distinct allows" in alike.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "either as a puzzle file or name, or as --box 3x3x3"),
        (("soma", "--box", "3x3x3", "--sizes", "9,9,9"), "either as a puzzle file"),
        (("--box", "3by3", "--sizes", "3,3,3"), "--box takes numbers, such as 3x3x3"),
        (("--box", "3", "--sizes", "3"), "--box takes two or three lengths"),
        (("--box", "3x3", "--sizes", "a,b"), "--sizes takes numbers, such as 4,4,4,5,5,5"),
        (("--box", "3x3", "--sizes", "3,3"), "have 6 together, but the target has 9"),
        (("--box", "3x3"), "A set has 2 to 60 pieces, not 0"),
        (("--box", "0x3", "--sizes", "3,3"), "holds no cell"),
        (("hexiamonds", "--sizes", "6,6"), "targets of cubes alone"),
        (("nowhere.toml", "--sizes", "6,6"), "nowhere.toml cannot be read"),
        (("--box", "3x3", "--sizes", "4,5", "--goal", "pretty"), "'pretty' is not one of"),
    ],
)
def test_wrong_wishes_end_in_a_sentence(
    puzzle: Run, arguments: tuple[str, ...], sentence: str
) -> None:
    outcome = puzzle("pack", "design", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert sentence in " ".join(outcome.err.split())
