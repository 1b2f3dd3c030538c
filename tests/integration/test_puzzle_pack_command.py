"""`puzzle pack solve` and `list` from the command line to what they print and leave behind."""

import json
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from solvers.cli.main import main
from solvers.cli.pack.solve import asked_for, solve
from solvers.polycube import library
from solvers.polycube.errors import LostWorkerError, PuzzleError
from solvers.polycube.pictures import viewer
from solvers.polycube.puzzle import PackingSolution, Placement
from solvers.polycube.puzzle_file import dumps
from solvers.polycube.solving import solver
from solvers.polycube.solving.parts import Found
from solvers.polycube.solving.problem import Count
from tests.in_process import Run, runner
from tests.oracles.packing_rules import check_solution


def untimed(data: dict[str, Any]) -> dict[str, Any]:
    """Return a result without what differs from run to run."""
    return {key: value for key, value in data.items() if not key.endswith("_seconds")}


@pytest.fixture
def puzzle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """Run the command in a folder of its own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    return runner("puzzle", main, monkeypatch, capsys)


def to_solution(listed: list[dict[str, Any]]) -> PackingSolution:
    return PackingSolution(
        tuple(
            Placement(row["piece"], row["orientation"], frozenset(map(tuple, row["cells"])))
            for row in listed
        )
    )


def test_a_search_ends_when_its_solutions_cannot_be_printed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ended = []

    one = (next(solver.solutions(library.load("soma"))),)

    def listing(*_: object, **__: object) -> Iterator[Found]:
        try:
            for _number in range(3):
                yield Found("", 0.0, 1.0, solutions=one)
        finally:
            ended.append(True)

    def full(*_: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(solver, "list_job", listing)
    monkeypatch.setattr("builtins.print", full)
    # What was raised holds the search, which has to end all the same.
    with pytest.raises(BrokenPipeError):
        solve.main(["soma", "--all"], standalone_mode=False)
    assert ended == [True]


@pytest.mark.parametrize(
    ("arguments", "up_to_symmetry", "total"),
    [
        (["soma"], 240, 11520),
        (["soma", "--no-reflections"], 480, 11520),
        (["drilled-cube"], 4, 96),
        (["drilled-cube-plain"], 222, 5328),
        (["drilled-cube-plain", "--reflections"], 111, 5328),
        (["ct-puzzle-logo"], 1, 1),
    ],
)
def test_counts(puzzle: Run, arguments: list[str], up_to_symmetry: int, total: int) -> None:
    outcome = puzzle("pack", "solve", *arguments, "--count", "--json")
    assert outcome.code == 0
    data = outcome.data
    assert data["solutions"] == []
    assert data["count"] == data["count_up_to_symmetry"] == up_to_symmetry
    assert data["count_total"] == total
    assert data["nodes"] > 0
    assert data["cpu_seconds"] >= 0
    assert data["wall_seconds"] >= 0


def test_several_processes_count_the_same(puzzle: Run) -> None:
    alone = puzzle("pack", "solve", "soma", "--count", "--json").data
    together = puzzle("pack", "solve", "soma", "--count", "--workers", "2", "--json").data
    assert untimed(alone) == untimed(together)


def test_all_solutions_are_right_and_different(puzzle: Run) -> None:
    *found, data = puzzle("pack", "solve", "soma", "--all", "--json").json_lines
    solutions = [to_solution(each["solution"]) for each in found]
    for solution in solutions:
        check_solution(library.load("soma"), solution)
    assert len({frozenset(solution.placements) for solution in solutions}) == 240
    assert data["count_up_to_symmetry"] == 240
    assert not any("assembly" in each for each in found)


def test_each_solution_comes_with_its_assembly(
    puzzle: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    told_in_two(monkeypatch, lambda: None)
    *found, _ = puzzle("pack", "solve", "soma", "--all", "--assembly", "--json").json_lines
    assert len(found) == 3
    for each in found:
        assert sorted(step["piece"] for step in each["assembly"]["steps"]) == sorted("VLTZABP")


def test_the_first_solution_as_text_and_pictures(puzzle: Run, tmp_path: Path) -> None:
    svg, html = tmp_path / "soma.svg", tmp_path / "soma.html"
    outcome = puzzle("pack", "solve", "soma", "--svg", str(svg), "--html", str(html))
    assert outcome.code == 0
    rows = [line.split() for line in outcome.out.splitlines() if line]
    assert [[len(block) for block in row] for row in rows] == [[3, 3, 3]] * 3
    assert set("".join("".join(row) for row in rows)) == set("VLTZABP")
    assert "<svg" in svg.read_text(encoding="utf-8")
    assert "<html" in html.read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "pages"), [("pentomino-6x10", 3), ("hexiamonds", 1)])
def test_the_steps_on_sheets_of_paper(puzzle: Run, tmp_path: Path, name: str, pages: int) -> None:
    assert puzzle("pack", "solve", name, "--pdf", "sheets.pdf").code == 0
    data = (tmp_path / "sheets.pdf").read_bytes()
    assert data.count(b"/Type /Page\n") == pages
    # A4 in points, as the file has it.
    assert data.count(b"/MediaBox [0 0 595.28 841.89]") >= 1


def test_the_first_solution_as_json(puzzle: Run) -> None:
    data = puzzle("pack", "solve", "bedlam", "--first", "--json").data
    (listed,) = data["solutions"]
    check_solution(library.load("bedlam"), to_solution(listed))
    assert (data["count_up_to_symmetry"], data["count_total"]) == (None, None)
    assert data["nodes"] > 0


def test_a_random_solution_is_drawn_again_by_its_seed(puzzle: Run, tmp_path: Path) -> None:
    text = (
        'name = "bar"\n[target]\nbox = [3, 100]\n[[piece]]\nname = "a"\nlayers = "##"\n'
        "copies = [0, 150]\n"
    )
    (tmp_path / "bar.toml").write_text(text, encoding="utf-8")
    drawn = [
        puzzle("pack", "solve", "bar.toml", "--random", "--seed", seed, "--json").data["solutions"]
        for seed in ("1", "1", "2")
    ]
    assert drawn[0] == drawn[1] != drawn[2]
    assert len(drawn[0][0]) == 150
    assert "cannot be drawn" in puzzle("pack", "solve", "soma", "--random").err


def test_files_are_solved_like_names(puzzle: Run, tmp_path: Path) -> None:
    (tmp_path / "cube.toml").write_text(dumps(library.load("drilled-cube")), encoding="utf-8")
    from_file = puzzle("pack", "solve", "cube.toml", "--count", "--json").data
    from_name = puzzle("pack", "solve", "drilled-cube", "--count", "--json").data
    assert untimed(from_file) == untimed(from_name)


def test_the_list_names_every_puzzle(puzzle: Run) -> None:
    text = puzzle("pack", "list").out
    rows = puzzle("pack", "list", "--json").data["puzzles"]
    assert [row["name"] for row in rows] == library.names()
    assert all(name in text for name in library.names())


def test_a_puzzle_without_solution_is_no_error(puzzle: Run, tmp_path: Path) -> None:
    text = (
        'name = "no"\n[target]\nlayers = "##.##"\n[[piece]]\nname = "a"\nlayers = "#.#"\ncopies = 2'
    )
    (tmp_path / "no.toml").write_text(text, encoding="utf-8")
    assert "has no solution" in puzzle("pack", "solve", "no.toml").out
    data = puzzle("pack", "solve", "no.toml", "--json").data
    assert (data["solutions"], data["count_up_to_symmetry"], data["count_total"]) == ([], 0, 0)
    assert puzzle("pack", "solve", "no.toml", "--count", "--json").data["count"] == 0


BROKEN = {
    "noise.toml": b"\x93\x12\xff" * 3_500_000,
    "text.toml": b"this is not TOML",
    "empty.toml": b"",
    "box.toml": dumps(library.load("soma")).encode().replace(b"###", b"..."),
    "missing.toml": dumps(library.load("soma")).split("[[piece]]")[0].encode(),
    "volume.toml": dumps(library.load("soma")).rsplit("[[piece]]", 1)[0].encode(),
    "twice.toml": dumps(library.load("soma")).replace('"L"', '"V"').encode(),
    "noise.xmpuzzle": b"<" * 20_000_000,
    "ending.txt": b"",
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_files_end_in_a_sentence(puzzle: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(BROKEN[name])
    outcome = puzzle("pack", "solve", name, "--count")
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("Error: ")
    assert outcome.err.rstrip().endswith((".", ".toml"))
    assert "Traceback" not in outcome.err
    assert puzzle("pack", "solve", name, "--count", "--json").data["kind"].endswith("Error")


@pytest.mark.parametrize(
    "arguments",
    [
        ["tetris"],
        ["nowhere.toml"],
        ["soma", "--count", "--all"],
        ["soma", "--count", "--svg", "x.svg"],
        ["soma", "--resume"],
        ["soma", "--random", "--count"],
        ["soma", "--random", "--apart"],
        ["soma", "--random", "--workers", "2"],
        ["soma", "--seed", "1"],
        ["soma", "--count", "--workers", "0"],
        ["soma", "--count", "--workers", "2", "--scheduler", "tcp://127.0.0.1:1"],
        ["soma", "--unknown"],
        [],
    ],
)
def test_bad_usage_ends_with_2(puzzle: Run, arguments: list[str]) -> None:
    outcome = puzzle("pack", "solve", *arguments)
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err


def test_ctrl_c_says_how_to_go_on_and_resume_does(
    puzzle: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solvers.polycube.solving.problem.NODES_OF_TINY_SEARCH", 0)
    expected = puzzle("pack", "solve", "soma", "--count", "--json").data
    assert not list((tmp_path / "state").rglob("*.json"))
    counting = solver.count_job

    def interrupted(*arguments: Any, **options: Any) -> Any:
        job = counting(*arguments, **options)
        for _ in range(100):
            yield next(job)
        job.throw(KeyboardInterrupt)

    monkeypatch.setattr(solver, "count_job", interrupted)
    stopped = puzzle("pack", "solve", "soma", "--count")
    assert stopped.code == 1
    assert "puzzle pack solve soma --count --resume" in " ".join(stopped.err.split())
    saved = list((tmp_path / "state").rglob("*.json"))
    assert len(saved) == 1
    monkeypatch.setattr(solver, "count_job", counting)
    resumed = puzzle("pack", "solve", "soma", "--count", "--resume", "--json")
    assert resumed.code == 0
    assert untimed(resumed.data) == untimed(expected)
    assert not saved[0].exists()


def test_ctrl_c_keeps_the_solutions_found_so_far(
    puzzle: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = puzzle("pack", "solve", "soma", "--all", "--json").json_lines
    listing = solver.list_job

    def interrupted(*arguments: Any, **options: Any) -> Any:
        job = listing(*arguments, **options)
        for _ in range(100):
            yield next(job)
        job.throw(KeyboardInterrupt)

    monkeypatch.setattr(solver, "list_job", interrupted)
    stopped = puzzle("pack", "solve", "soma", "--all", "--json")
    assert stopped.code == 1
    *found, last = stopped.json_lines
    assert 0 < len(found) < len(everything) - 1
    assert found == everything[: len(found)]
    assert (last["stopped"], last["count"]) == (True, len(found))
    assert "these are the ones so far" in stopped.err


def told_in_two(monkeypatch: pytest.MonkeyPatch, between: Callable[[], None]) -> None:
    """Let a search bring its first three solutions, and then do something else."""
    first = list(islice(solver.solutions(library.load("soma")), 3))

    def listing(*_arguments: Any, **_options: Any) -> Any:
        yield Found("", 0.5, 1.0, solutions=tuple(first))
        between()
        return Count(7, 5, 3)

    monkeypatch.setattr(solver, "list_job", listing)


def test_solutions_are_printed_as_they_are_found(
    puzzle: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    so_far: list[str] = []
    told_in_two(monkeypatch, lambda: so_far.append(capsys.readouterr().out))
    assert puzzle("pack", "solve", "soma", "--all").out.startswith("\nSoma cube: 5 solutions, 7")
    assert so_far[0].count("\n\n") == 2
    puzzle("pack", "solve", "soma", "--all", "--json")
    assert [len(json.loads(line)["solution"]) for line in so_far[1].splitlines()] == [7, 7, 7]


def test_a_lost_worker_leaves_what_was_found_and_says_so(
    puzzle: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose() -> None:
        raise LostWorkerError("A worker ended.")

    told_in_two(monkeypatch, lose)
    stopped = puzzle("pack", "solve", "soma", "--all", "--json")
    assert stopped.code == 1
    *found, last = stopped.json_lines
    assert (len(found), last["count"]) == (3, 3)
    assert (last["stopped"], last["error"]) == (True, "A worker ended.")
    assert "A worker ended. Stopped before all solutions were found" in stopped.err


def test_a_page_shows_the_first_solutions_and_says_so(
    puzzle: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(viewer, "MAX_SOLUTIONS", 2)
    told_in_two(monkeypatch, lambda: None)
    outcome = puzzle("pack", "solve", "soma", "--all", "--html", "page.html")
    assert "page.html shows the first 2 of 3 solutions." in outcome.err
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count('"ending"') == 2


def test_what_cannot_be_searched_is_one_object(
    puzzle: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def listing(*_arguments: Any, **_options: Any) -> Any:
        yield from ()
        raise PuzzleError("Too many ways.")

    monkeypatch.setattr(solver, "list_job", listing)
    outcome = puzzle("pack", "solve", "soma", "--all", "--json")
    assert (outcome.code, outcome.data["error"]) == (2, "Too many ways.")


def test_ctrl_c_before_the_first_solution_says_so(
    puzzle: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_puzzle: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(solver, "find_first_job", interrupted)
    stopped = puzzle("pack", "solve", "soma")
    assert (stopped.code, stopped.out) == (1, "")
    assert "Stopped before a solution was found." in stopped.err


def test_a_cluster_counts_the_same(puzzle: Run) -> None:
    distributed = pytest.importorskip("distributed", reason="needs the cluster extra")
    with distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        processes=False,
        protocol="tcp://",
        dashboard_address=None,
        scheduler_port=0,
    ) as cluster:
        outcome = puzzle(
            "pack", "solve", "soma", "--count", "--json", "--scheduler", cluster.scheduler_address
        )
    assert outcome.data["count_total"] == 11520


def test_a_missing_scheduler_ends_in_a_sentence(
    puzzle: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed", reason="needs the cluster extra")
    monkeypatch.setattr("solvers.search.executors.CONNECT_TIMEOUT_S", 0.2)
    monkeypatch.setattr("solvers.polycube.solving.problem.NODES_OF_TINY_SEARCH", 0)
    outcome = puzzle("pack", "solve", "soma", "--count", "--scheduler", "tcp://127.0.0.1:1")
    assert outcome.code == 1
    assert "no dask scheduler" in " ".join(outcome.err.split())


def test_the_advice_to_go_on_means_the_same_count() -> None:
    assert asked_for("soma", None) == "soma"
    assert asked_for("my puzzle.toml", False) == "'my puzzle.toml' --no-reflections"
    assert asked_for("bedlam", True) == "bedlam --reflections"
