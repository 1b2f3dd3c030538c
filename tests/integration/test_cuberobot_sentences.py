"""What `cuberobot` says to what it is asked, where no robot has to move."""

from pathlib import Path

import pytest

from tests.in_process import Run

SOLVED = "".join(face * 9 for face in "URFDLB")
# One corner of the solved cube twisted by hand; one sticker swapped; one missing; a strange one.
TWISTED = "UUUUUUUUR" + "FRRRRRRRR" + "FFUFFFFFF" + SOLVED[27:]
BAD_STATES = [
    (TWISTED, "URF"),
    ("RUUUUUUUU" + "URRRRRRRR" + SOLVED[18:], "corner|edge"),
    (SOLVED[:-1], "53"),
    ("X" + SOLVED[1:], "X"),
]

# nxt-python leaves sockets and files to the garbage collector when its handshake fails.
pytestmark = pytest.mark.filterwarnings(
    "ignore:Exception ignored in. <(socket|_io):pytest.PytestUnraisableExceptionWarning"
)


def test_plan_prices_both_planners(cuberobot: Run) -> None:
    prices = {}
    for planner in ("paper", "optimal"):
        result = cuberobot("plan", "R U2 F'", "--planner", planner, "--json")
        assert result.code == 0
        plan = result.data
        assert plan["tilts"] == plan["primitives"].count("tilt")
        prices[planner] = plan["robot_seconds"]
    assert prices["optimal"] <= prices["paper"]


def test_plan_takes_slices_and_tells_how_the_cube_would_be_held(cuberobot: Run) -> None:
    plan = cuberobot("plan", "Rw M' // both", "--json").data
    assert (plan["moves"], plan["rotation"]) == ("R' L2", "x2")


def test_a_dry_run_takes_colours_as_the_cube_lies(cuberobot: Run) -> None:
    solved = "".join(9 * colour for colour in "grwbyo")  # green up, white in front
    options = ("--target", "R2 L2", "--dry-run", "--time", "0.1", "--json")
    assert cuberobot("run", "--state", solved, *options).data["moves"] in ("R2 L2", "L2 R2")


def test_plan_solves_a_2x2x2_cube_of_24_stickers(cuberobot: Run) -> None:
    after_r = "WGWG RRRR GYGY YBYB OOOO WBWB"
    assert cuberobot("plan", after_r, "--json").data["moves"] in ("R'", "L'")
    refused = cuberobot("plan", after_r.replace("WG", "GW", 1))
    assert refused.code == 2
    assert "Traceback" not in refused.err


def test_a_2x2x2_cube_is_planned_for_a_run_without_camera_and_target(cuberobot: Run) -> None:
    pocket = "WGWG RRRR GYGY YBYB OOOO WBWB"
    planned = cuberobot("run", "--state", pocket, "--dry-run", "--json")
    assert planned.data["moves"] in ("R'", "L'")
    for more in (("--camera", "0"), ("--target", "R")):
        refused = cuberobot("run", "--state", pocket, "--dry-run", *more)
        assert (refused.code, "2x2x2" in refused.err) == (2, True)


def test_plan_reads_german_only_when_asked(cuberobot: Run) -> None:
    assert cuberobot("plan", "V O' H2").code == 2
    german = cuberobot("plan", "V O' H2", "--german", "--json")
    assert german.data["moves"] == "F U' B2"


@pytest.mark.parametrize(("state", "names"), BAD_STATES)
def test_a_cube_that_cannot_be_is_refused_by_name(cuberobot: Run, state: str, names: str) -> None:
    result = cuberobot("run", "--state", state, "--dry-run")
    assert result.code == 2
    assert "Traceback" not in result.err
    assert any(name in result.err for name in names.split("|"))


@pytest.mark.parametrize(
    ("arguments", "exit_code", "sentence"),
    [
        (("run", "--state", SOLVED, "--brick", "carrier pigeon"), 2, "no brick address"),
        (("run", "--state", SOLVED, "--brick", "ip:127.0.0.1:1"), 1, "hwsim nxt"),
        (("run", "--state", SOLVED, "--brick", "devfile:/dev/null"), 1, "devfile"),
        (("run", "--state", SOLVED, "--rig", "arms"), 2, "The rigs are nxt-cradle"),
        (("run", "--state", SOLVED, "--drive", "horse"), 2, "Its drives are auto, program, direct"),
        (("resume", "/nowhere/at/all"), 2, "cannot be read"),
        (("resume",), 2, "no journal"),
        (("jog", "wheel", "5"), 2, "no motor"),
        (("jog", "cradle", "-99999"), 2, "too far"),
        (("plan", "R Q"), 2, "'Q'"),
        (("calibrate", "--calibration", "/nowhere.toml"), 2, "cannot be read"),
    ],
)
def test_errors_are_sentences(
    cuberobot: Run, arguments: tuple[str, ...], exit_code: int, sentence: str
) -> None:
    result = cuberobot(*arguments, "--json")
    assert result.code == exit_code, result.err
    assert sentence in result.data["error"]
    assert "Traceback" not in result.err


@pytest.mark.parametrize("state", [SOLVED, "UUFUUFUUF" + "RRRRRRRRR" + "FFDFFDFFD" + "DDBDDBDDB"
                                   + "LLLLLLLLL" + "UBBUBBUBB"])  # fmt: skip
def test_a_dry_run_of_simple_cubes(cuberobot: Run, tmp_path: Path, state: str) -> None:
    result = cuberobot("run", "--state", state, "--dry-run", "--time", "0", "--json")
    assert result.code == 0, result.err
    plan = result.data
    assert plan["htm"] == (0 if state == SOLVED else 1)
    assert (plan["dry_run"], plan["verified"]) == (True, False)
    assert not {"measured_seconds", "journal", "retries"} & set(plan)
    assert not list(tmp_path.rglob("*.journal"))
    assert "driving" not in result.err


def test_a_dry_run_says_that_it_moved_nothing(cuberobot: Run) -> None:
    result = cuberobot("run", "--state", SOLVED, "--dry-run", "--time", "0")
    assert result.code == 0, result.err
    assert "Nothing was moved." in result.out


def test_no_journal_takes_the_place_of_another_file(cuberobot: Run, tmp_path: Path) -> None:
    diary = tmp_path / "diary"
    diary.write_text("Dear diary\n")
    result = cuberobot("run", "--state", SOLVED, "--journal", str(diary), "--json")
    assert result.code == 2
    assert "not overwritten" in result.data["error"]
    assert diary.read_text() == "Dear diary\n"


def test_a_home_that_cannot_be_written_is_told_before_anything_else(
    cuberobot: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before tables are built, and before a brick is looked for: nobody answers at this address."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "file"))
    nobody = ("--brick", "ip:127.0.0.1:1", "--json")
    run = cuberobot("run", "--state", SOLVED, *nobody)
    assert run.code == 1
    assert "No journal can be written" in run.data["error"]
    assert "--journal" in run.data["error"]
    calibrated = cuberobot("calibrate", *nobody)
    assert calibrated.code == 2
    assert "cannot be written" in calibrated.data["error"]


def test_prices_are_not_measured_for_a_file_that_cannot_take_them(
    cuberobot: Run, tmp_path: Path
) -> None:
    diary = tmp_path / "diary.toml"
    diary.write_text("Dear diary\n")
    refused = cuberobot("calibrate", "--brick", "ip:127.0.0.1:1", "--output", str(diary), "--json")
    assert refused.code == 2
    assert str(diary) in refused.data["error"]
    assert diary.read_text() == "Dear diary\n"
