"""`puzzle cube` answers, refuses and explains, with the right exit codes."""

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from solvers.cli.main import main
from solvers.foundation.progress import Job, Progress
from solvers.rubik.cubies import SOLVED
from solvers.rubik.facelets import format_facelets, parse_facelets
from solvers.rubik.notation import Notation, parse_moves
from solvers.rubik.optimal import large_table
from solvers.rubik.optimal import solver as optimal_solver
from solvers.rubik.optimal.solver import Better, OptimalSolution
from solvers.rubik.scramble import random_state
from tests.in_process import runner

SOLVED_LETTERS = format_facelets(SOLVED)
SUPERFLIP = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def cube(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Return a function that runs `puzzle cube` and gives exit code, stdout and stderr."""

    puzzle = runner("puzzle", main, monkeypatch, capsys)

    def run(*arguments: str) -> tuple[int, str, str]:
        outcome = puzzle("cube", *arguments)
        return outcome.code, outcome.out, outcome.err

    return run


def solved_json(cube: Command, *arguments: str) -> dict[str, Any]:
    code, out, _ = cube("solve", *arguments, "--json")
    assert code == 0
    result: dict[str, Any] = json.loads(out)
    return result


def test_solve_facelets(cube: Command) -> None:
    start = random_state(1)
    result = solved_json(cube, format_facelets(start), "--time", "0.05")
    moves = parse_moves(result["moves"])
    assert start.apply(moves).is_solved
    assert result["htm"] == len(moves) <= 21
    assert result["replayed"] is True
    assert result["cpu_seconds"] >= 0
    assert result["wall_seconds"] >= 0
    assert result["start"] == format_facelets(start)
    assert result["target"] == SOLVED_LETTERS


@pytest.mark.parametrize(("scramble", "htm"), [("", 0), ("R", 1), ("R U", 2), ("y F2", 1)])
def test_solve_trivial_scrambles(cube: Command, scramble: str, htm: int) -> None:
    result = solved_json(cube, "--scramble", scramble)
    assert result["htm"] == htm
    # The solution is for the cube as it is held after the scramble.
    assert SOLVED.apply(parse_moves(f"{scramble} {result['moves']}")).is_solved


def test_solve_colours_as_the_cube_is_held(cube: Command) -> None:
    stickers = "".join(9 * colour for colour in "grwbyo")  # green up, white in front
    code, out, _ = cube("apply", "R U2 F'", "--to", stickers)
    assert code == 0
    code, out, _ = cube("solve", out.splitlines()[-1].lower())
    assert code == 0
    assert out.splitlines()[:2] == ["For the cube held with G up, W in front:", "F U2 R'"]
    result = solved_json(cube, "--scramble", "R U2 F' x")
    assert result["centres"] == "FRDBLU"
    assert result["moves"] == "U B2 R'"


def test_a_target_held_differently_is_the_same_cube(cube: Command) -> None:
    result = solved_json(cube, "R U", "--target", "(R U) D2 z")
    assert result["moves"] == "D2"


def test_apply_writes_out_what_moves_do(cube: Command) -> None:
    code, out, _ = cube("apply", "(R U R' U')2 Rw // sexy")
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == "R U R' U' R U R' U' L"
    assert "held with F up, D in front (rotated by x)" in lines[1]
    result = json.loads(cube("apply", "[R, U]6 M2 M2", "--json")[1])
    assert result["solved"] is True
    assert result["rotation"] == ""


@pytest.mark.parametrize("moves", ["R U F'", "Rw U", "M' [R: S] y", "x y' z2"])
def test_invert_undoes_moves_and_rotations(cube: Command, moves: str) -> None:
    undone = cube("invert", moves)[1].strip()
    after = json.loads(cube("apply", f"{moves} {undone}", "--json")[1])
    assert after["solved"] is True
    assert after["rotation"] == ""


def test_show_names_colours_and_hold(cube: Command) -> None:
    _, out, _ = cube("show", "".join(9 * colour for colour in "WRGYOB"))
    assert out.splitlines()[0].split() == ["W", "W", "W"]
    assert out.splitlines()[-1] == "Held with W up, G in front."


def test_solve_superflip(cube: Command) -> None:
    result = solved_json(cube, "--scramble", SUPERFLIP, "--max-moves", "22")
    assert result["htm"] <= 22
    assert SOLVED.apply(parse_moves(f"{SUPERFLIP} {result['moves']}")).is_solved


def test_solve_from_anywhere_to_anywhere(cube: Command) -> None:
    start, target = random_state(2), random_state(3)
    result = solved_json(
        cube, format_facelets(start), "--target", format_facelets(target), "--max-moves", "20"
    )
    assert start.apply(parse_moves(result["moves"])) == target
    assert result["htm"] <= 20


def test_german_notation_is_read_and_written(cube: Command) -> None:
    result = solved_json(cube, "--scramble", "V O2 H'", "--notation", "german")
    assert result["moves"] == "H O2 V'"
    start = SOLVED.apply(parse_moves("F U2 B'"))
    assert start.apply(parse_moves(result["moves"], Notation.GERMAN)).is_solved


def test_solve_text_says_how_many_moves(cube: Command) -> None:
    code, out, _ = cube("solve", "--scramble", "R U R' U'")
    assert code == 0
    assert out.splitlines()[0] == "U R U' R'"
    assert "4 moves" in out
    assert "Nothing to do" in cube("solve", SOLVED_LETTERS)[1]


def test_out_of_reach_is_exit_1_with_a_sentence(cube: Command) -> None:
    facelets = format_facelets(random_state(1))
    code, out, err = cube("solve", facelets, "--max-moves", "14", "--time", "0.05")
    assert (code, out) == (1, "")
    assert "No solution of at most 14 moves was found in 0.05 s." in " ".join(err.split())


def test_too_few_moves_are_refused_without_a_search(cube: Command) -> None:
    code, out, err = cube("solve", "--scramble", "R U", "--max-moves", "1")
    assert (code, out) == (1, "")
    assert "There is no solution of at most 1 move:" in err
    _, _, err = cube("solve", format_facelets(random_state(1)), "--max-moves", "3")
    assert "this position needs at least" in " ".join(err.split())


def test_the_beginners_method_names_its_stages(cube: Command) -> None:
    start = random_state(4)
    result = solved_json(cube, format_facelets(start), "--method", "beginner")
    names = [stage["stage"] for stage in result["stages"]]
    assert names[0] == "cross"
    assert len(names) == 7
    moves = " ".join(stage["moves"] for stage in result["stages"])
    assert result["replayed"] is True
    assert start.apply(parse_moves(moves)).is_solved
    _, out, _ = cube("solve", "--scramble", "F y", "--method", "beginner")
    lines = out.splitlines()
    assert lines[0] == "For the cube held with U up, R in front:"
    assert lines[2:5] == [
        "   L'",
        "2. corners: the corners of D: the first layer is done (0 moves)",
        "   done already",
    ]
    assert lines[-1] == "1 move in 7 stages, checked by replaying."


def test_a_2x2x2_cube_is_solved_in_the_fewest_moves(cube: Command) -> None:
    result = solved_json(cube, "--size", "2", "--scramble", "R U F' L2")
    assert result["replayed"] is True
    assert result["htm"] <= 4
    again = solved_json(cube, result["stickers"].lower())
    assert (again["moves"], again["size"]) == (result["moves"], 2)
    _, out, _ = cube("solve", "wwwwrrrrggggyyyyoooobbbb")
    assert out.splitlines()[0] == "For the cube held with W up, G in front:"
    assert out.splitlines()[2] == "0 moves, and no solution has fewer."
    code, _, err = cube("solve", "wwwwrrrrggggyyyyoooobbbb", "--method", "beginner")
    assert code == 2
    assert "--method and --html are for 3x3x3 cubes" in err


def test_a_2x2x2_cube_is_led_to_a_target_and_may_be_too_far(cube: Command) -> None:
    after_r = "WGWG RRRR GYGY YBYB OOOO WBWB"
    assert solved_json(cube, after_r, "--target", "R")["htm"] == 0
    assert solved_json(cube, after_r, "--target", "R2")["moves"] == "R"
    code, _, err = cube("solve", after_r, "--max-moves", "0")
    assert (code, "this position needs 1" in err) == (1, True)


def test_the_shortest_solution_is_proven(cube: Command) -> None:
    result = solved_json(cube, "--optimal", "--scramble", "R U2 F' L D B2 R' U")
    assert result["htm"] == result["at_least"] == 8
    assert result["optimal"] is True
    code, out, _ = cube("solve", "--optimal", format_facelets(random_state(1)), "--time", "0.1")
    assert code == 1
    assert "are needed, and the lengths between were not searched" in out
    code, _, err = cube("solve", "--optimal", "--scramble", "R", "--max-moves", "3")
    assert code == 2
    assert "--optimal goes with --time and --target alone" in err


def test_ctrl_c_keeps_the_best_solution_so_far(
    cube: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_ends: object, **_options: object) -> Job[Better, OptimalSolution]:
        yield Better(tuple(parse_moves("U' R'")), 1)
        raise KeyboardInterrupt

    monkeypatch.setattr(optimal_solver, "solve_optimally", interrupted)
    code, out, _ = cube("solve", "--optimal", "--scramble", "R U", "--json")
    result = json.loads(out)
    assert code == 1
    assert (result["moves"], result["at_least"], result["optimal"]) == ("U' R'", 1, False)


MANY = f"""# three cubes and two mistakes
R U F'

{format_facelets(random_state(1))}
R 3Rw
{"".join(9 * colour for colour in "YBRWGO")}
{SOLVED_LETTERS[1:]}
"""


def test_many_cubes_are_solved_line_by_line(cube: Command, tmp_path: Path) -> None:
    (tmp_path / "cubes.txt").write_text(MANY, encoding="utf-8")
    code, out, err = cube("solve", str(tmp_path / "cubes.txt"))
    assert code == 2
    assert "Line 5: Move 2 ('3Rw')" in err
    assert "Line 7: A cube has 54 stickers, not 53" in err
    first, second, third = out.splitlines()
    assert first == "2: F U' R' (3 moves)"
    found = re.fullmatch(r"4: (.*) \((\d+) moves\)", second)
    assert found
    assert random_state(1).apply(parse_moves(found[1])).is_solved
    assert int(found[2]) <= 20
    assert third == "6: (0 moves)"


def test_many_cubes_from_stdin_as_json_lines(
    cube: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(MANY))
    code, out, _ = cube("solve", "-", "--json", "--max-moves", "19")
    assert code == 2
    results = [json.loads(line) for line in out.splitlines()]
    assert [result["line"] for result in results] == [2, 4, 5, 6, 7]
    assert [result.get("kind") for result in results] == [
        None,
        None,
        "NotationError",
        None,
        "WrongLengthError",
    ]
    assert results[1]["htm"] <= 19
    assert results[1]["replayed"] is True
    assert results[3]["centres"] == "YBRWGO"


def test_2x2x2_cubes_can_be_among_many(cube: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    small = "WGWG RRRR GYGY YBYB OOOO WBWB"
    large = format_facelets(SOLVED.apply(parse_moves("R")))
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{small}\n{large}"))
    code, out, err = cube("solve", "-")
    assert (code, out.splitlines(), err) == (0, ["1: R' (1 move)", "2: R' (1 move)"], "")
    monkeypatch.setattr("sys.stdin", io.StringIO(small))
    code, out, err = cube("solve", "-", "--max-moves", "0")
    assert (code, out) == (1, "")
    assert "Line 1: There is no solution of at most 0 moves: this position needs 1." in err
    monkeypatch.setattr("sys.stdin", io.StringIO(small))
    assert cube("solve", "-", "--target", "R")[1] == "1: (0 moves)\n"


def test_a_missing_file_of_cubes_is_named(cube: Command) -> None:
    code, _, err = cube("solve", "cubes.txt")
    assert code == 2
    assert "cubes.txt cannot be read as a file of cubes: No such file" in err


def stickers_swapped(first: int, second: int) -> str:
    letters = list(SOLVED_LETTERS)
    letters[first], letters[second] = letters[second], letters[first]
    return "".join(letters)


TWISTED = "UUUUUUUUR" + "FRRRRRRRR" + "FFUFFFFFF" + SOLVED_LETTERS[27:]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([TWISTED], "the corner at URF (stickers U9=R R1=F F3=U)"),
        ([stickers_swapped(8, 9)], "corner at URF has the stickers U9=R R1=U F3=F"),
        ([stickers_swapped(5, 10)], "the edge at UR (stickers U6=R R2=U)"),
        ([SOLVED_LETTERS[:-1]], "54 stickers, not 53"),
        (["X" + SOLVED_LETTERS[1:]], "Sticker 1 (U1) is 'X'"),
        (["--scramble", "R U Q2"], "Move 3 ('Q2')"),
        (["--scramble", "R 3Rw"], "turns 3 layers at once"),
        ([SOLVED_LETTERS.replace("U", "W")[:-1] + "W"], "W 10 times"),
        (["--scramble", "F", "--notation", "german"], "Move 1 ('F')"),
        ([SOLVED_LETTERS, "--target", TWISTED], "the corner at URF"),
        ([], "Give either"),
        ([SOLVED_LETTERS, "--scramble", "R"], "Give either"),
    ],
)
def test_bad_input_is_exit_2_with_a_sentence(
    cube: Command, arguments: list[str], sentence: str
) -> None:
    code, out, err = cube("solve", *arguments)
    assert (code, out) == (2, "")
    assert sentence in " ".join(err.split())
    code, out, _ = cube("solve", *arguments, "--json")
    assert code == 2
    assert sentence in json.loads(out)["error"]


def test_scramble_is_reproducible_and_leads_to_its_facelets(cube: Command) -> None:
    code, out, _ = cube("scramble", "--seed", "4", "--json")
    assert code == 0
    result = json.loads(out)
    reached = SOLVED.apply(parse_moves(result["moves"]))
    assert format_facelets(reached) == result["facelets"]
    assert reached == random_state(4)
    assert result["seed"] == 4
    assert json.loads(cube("scramble", "--seed", "4", "--json")[1]) == result


def test_scramble_without_seed_names_the_seed_it_took(cube: Command) -> None:
    _, out, _ = cube("scramble")
    moves, facelets, seed = out.splitlines()
    assert SOLVED.apply(parse_moves(moves)) == parse_facelets(facelets)
    number = re.fullmatch(r"Seed (\d+)", seed)
    assert number
    assert cube("scramble", "--seed", number[1])[1] == out


def test_show_draws_the_net(cube: Command) -> None:
    code, out, _ = cube("show", "--scramble", "F")
    assert code == 0
    lines = [line.split() for line in out.splitlines()]
    assert lines[2] == ["L", "L", "L"]
    assert lines[3] == ["L", "L", "D", "F", "F", "F", "U", "R", "R", "B", "B", "B"]
    assert len(lines) == 10


def test_show_json(cube: Command) -> None:
    _, out, _ = cube("show", SOLVED_LETTERS, "--json")
    result = json.loads(out)
    assert result["solved"] is True
    assert result["facelets"] == SOLVED_LETTERS
    assert result["faces"]["D"] == ["DDD", "DDD", "DDD"]


def test_the_large_table_is_built_when_asked_for(
    cube: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def note(name: str) -> Callable[..., Job[Progress, None]]:
        def job(*_: Any) -> Job[Progress, None]:
            asked.append(name)
            yield Progress(name, 1, 1)

        return job

    monkeypatch.setattr(large_table, "build_large_table", note("table"))
    monkeypatch.setattr(optimal_solver, "warm_up_large", note("search"))
    monkeypatch.setattr(large_table, "load_large_table", lambda: "the table")
    assert cube("prepare")[0] == 0
    assert asked == []
    assert cube("prepare", "--large")[0] == 0
    assert asked == ["table", "search"]
    monkeypatch.setattr(large_table, "load_large_table", lambda: None)  # as on a full disk
    code, _, err = cube("prepare", "--large")
    assert code == 1
    assert "needs 978 MB" in " ".join(err.split())


def test_a_proof_takes_the_large_table_if_there_is_one(
    cube: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[object] = []
    prove = optimal_solver.solve_optimally

    def note(*ends: Any, large: object, **others: Any) -> Any:
        taken.append(large)
        return prove(*ends, **others)

    monkeypatch.setattr(optimal_solver, "solve_optimally", note)
    monkeypatch.setattr(large_table, "load_large_table", lambda: "the table")
    assert solved_json(cube, "--scramble", "R U", "--optimal")["optimal"] is True
    assert taken == ["the table"]


def test_prepare_says_where_the_tables_are(cube: Command) -> None:
    code, out, _ = cube("prepare", "--json")
    assert code == 0
    assert json.loads(out)["prepared"] is True
