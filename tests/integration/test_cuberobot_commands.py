"""The `cuberobot` command line as a user meets it, each command in a process of its own."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

BIN = Path(sys.executable).parent
SOLVED = "".join(face * 9 for face in "URFDLB")
# One corner of the solved cube twisted by hand; one sticker swapped; one missing; a strange one.
TWISTED = "UUUUUUUUR" + "FRRRRRRRR" + "FFUFFFFFF" + SOLVED[27:]
BAD_STATES = [
    (TWISTED, "URF"),
    ("RUUUUUUUU" + "URRRRRRRR" + SOLVED[18:], "corner|edge"),
    (SOLVED[:-1], "53"),
    ("X" + SOLVED[1:], "X"),
]
SPEED = "20"


def cuberobot(*arguments: str, home: Path) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "XDG_STATE_HOME": str(home), "XDG_CONFIG_HOME": str(home)}
    return subprocess.run(
        [BIN / "cuberobot", *arguments],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
        timeout=180,
    )


@contextmanager
def simulator(
    *arguments: str, speed: str = SPEED
) -> Iterator[tuple["subprocess.Popen[str]", dict[str, Any]]]:
    process = subprocess.Popen(
        [BIN / "hwsim", "nxt", "--json", "--speed", speed, *arguments],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process, json.loads(process.stdout.readline())
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def one_object(text: str) -> dict[str, Any]:
    (line,) = text.splitlines()
    result: dict[str, Any] = json.loads(line)
    return result


def test_plan_prices_both_planners(tmp_path: Path) -> None:
    prices = {}
    for planner in ("paper", "optimal"):
        result = cuberobot("plan", "R U2 F'", "--planner", planner, "--json", home=tmp_path)
        assert result.returncode == 0
        plan = one_object(result.stdout)
        assert plan["tilts"] == plan["primitives"].count("tilt")
        prices[planner] = plan["robot_seconds"]
    assert prices["optimal"] <= prices["paper"]


def test_plan_takes_slices_and_tells_how_the_cube_would_be_held(tmp_path: Path) -> None:
    plan = one_object(cuberobot("plan", "Rw M' // both", "--json", home=tmp_path).stdout)
    assert (plan["moves"], plan["rotation"]) == ("R' L2", "x2")


def test_a_dry_run_takes_colours_as_the_cube_lies(tmp_path: Path) -> None:
    solved = "".join(9 * colour for colour in "grwbyo")  # green up, white in front
    result = cuberobot(
        "run",
        "--state",
        solved,
        "--target",
        "R2 L2",
        "--dry-run",
        "--time",
        "0.1",
        "--json",
        home=tmp_path,
    )
    plan = one_object(result.stdout)
    assert plan["moves"] in ("R2 L2", "L2 R2")


def test_plan_solves_a_2x2x2_cube_of_24_stickers(tmp_path: Path) -> None:
    after_r = "WGWG RRRR GYGY YBYB OOOO WBWB"
    plan = one_object(cuberobot("plan", after_r, "--json", home=tmp_path).stdout)
    assert plan["moves"] == "R'"
    refused = cuberobot("plan", after_r.replace("WG", "GW", 1), home=tmp_path)
    assert refused.returncode == 2
    assert "Traceback" not in refused.stderr


def test_plan_reads_german_only_when_asked(tmp_path: Path) -> None:
    assert cuberobot("plan", "V O' H2", home=tmp_path).returncode == 2
    german = cuberobot("plan", "V O' H2", "--german", "--json", home=tmp_path)
    assert one_object(german.stdout)["moves"] == "F U' B2"


@pytest.mark.parametrize(("state", "names"), BAD_STATES)
def test_a_cube_that_cannot_be_is_refused_by_name(tmp_path: Path, state: str, names: str) -> None:
    result = cuberobot("run", "--state", state, "--dry-run", home=tmp_path)
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
    assert any(name in result.stderr for name in names.split("|"))


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
    tmp_path: Path, arguments: tuple[str, ...], exit_code: int, sentence: str
) -> None:
    result = cuberobot(*arguments, "--json", home=tmp_path)
    assert result.returncode == exit_code, result.stderr
    assert sentence in one_object(result.stdout)["error"]
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("state", [SOLVED, "UUFUUFUUF" + "RRRRRRRRR" + "FFDFFDFFD" + "DDBDDBDDB"
                                   + "LLLLLLLLL" + "UBBUBBUBB"])  # fmt: skip
def test_a_dry_run_of_simple_cubes(tmp_path: Path, state: str) -> None:
    result = cuberobot("run", "--state", state, "--dry-run", "--time", "0", "--json", home=tmp_path)
    assert result.returncode == 0, result.stderr
    plan = one_object(result.stdout)
    assert plan["htm"] == (0 if state == SOLVED else 1)
    assert (plan["dry_run"], plan["verified"]) == (True, False)
    assert not {"measured_seconds", "journal", "retries"} & set(plan)
    assert not list(tmp_path.rglob("*.journal"))
    assert "driving" not in result.stderr


def test_a_dry_run_says_that_it_moved_nothing(tmp_path: Path) -> None:
    result = cuberobot("run", "--state", SOLVED, "--dry-run", "--time", "0", home=tmp_path)
    assert result.returncode == 0, result.stderr
    assert "Nothing was moved." in result.stdout


def test_no_journal_takes_the_place_of_another_file(tmp_path: Path) -> None:
    diary = tmp_path / "diary"
    diary.write_text("Dear diary\n")
    result = cuberobot("run", "--state", SOLVED, "--journal", str(diary), "--json", home=tmp_path)
    assert result.returncode == 2
    assert "not overwritten" in one_object(result.stdout)["error"]
    assert diary.read_text() == "Dear diary\n"


def test_without_a_camera_nothing_is_called_solved(tmp_path: Path) -> None:
    demo = cuberobot("demo", "--seed", "3", "--speed", SPEED, "--time", "0", home=tmp_path)
    assert demo.returncode == 0, demo.stderr
    ours = demo.stdout.partition("The simulator says")
    assert ours[0].startswith("Driven: ")
    assert "olved" not in ours[0]
    assert ours[2].strip() == "that its cube is solved."
    with simulator("--seed", "4") as (_, greeting):
        run = cuberobot(
            "run", "--brick", greeting["address"], "--speed", SPEED, "--time", "0",
            "--state", greeting["facelets"], home=tmp_path,
        )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("Driven: ")
    assert "Nobody has looked" in run.stdout
    assert "olved" not in run.stdout


@pytest.mark.parametrize("camera", [False, True])
def test_the_demo_solves_its_cube(tmp_path: Path, camera: bool) -> None:
    flag = "--camera" if camera else "--no-camera"
    result = cuberobot("demo", flag, "--seed", "3", "--speed", SPEED, "--json", home=tmp_path)
    assert result.returncode == 0, result.stderr
    demo = one_object(result.stdout)
    assert demo["simulator"] == {"solved": True, "jams": []}
    assert demo["verified"] is camera
    assert {"scramble", "moves", "htm", "primitives", "robot_seconds", "wall_seconds"} <= set(demo)
    assert set(demo["stages"]) >= {"search", "drive"}
    if camera:
        assert demo["scan"]["verdict"] == "accepted"
        assert demo["seen"]["target_reached"] is True


def test_a_cube_is_solved_in_real_time(tmp_path: Path) -> None:
    with simulator("--scramble", "R F", "--link", "bluetooth", speed="1") as (process, greeting):
        arguments = ("--brick", greeting["address"], "--time", "0", "--json")
        for _ in range(2):  # the brick stays on, and its program goes on running
            result = cuberobot("run", "--state", greeting["facelets"], *arguments, home=tmp_path)
            assert result.returncode == 0, result.stderr
            assert one_object(result.stdout)["retries"] == 0
            greeting["facelets"] = SOLVED
        process.send_signal(signal.SIGTERM)
        last_word, _ = process.communicate()
    end = json.loads(last_word.splitlines()[-1])
    assert end["solved"] is True
    assert end["jams"] == []


def test_a_killed_simulator_ends_the_run_and_resume_solves(tmp_path: Path) -> None:
    rig = str(tmp_path / "rig.json")
    journal = tmp_path / "run.journal"
    with simulator("--seed", "5", "--rig-file", rig) as (process, greeting):
        run = subprocess.Popen(
            [BIN / "cuberobot", "run", "--brick", greeting["address"], "--speed", SPEED,
             "--state", greeting["facelets"], "--journal", str(journal), "--time", "0"],
            stderr=subprocess.PIPE,
            text=True,
        )  # fmt: skip
        while not (journal.exists() and journal.read_text().count('"finished"') > 5):
            assert run.poll() is None
        process.kill()
        _, errors = run.communicate()
        assert run.returncode == 1
        assert "cuberobot resume" in errors
        assert "Traceback" not in errors
    with simulator("--rig-file", rig) as (process, greeting):
        result = cuberobot(
            "resume", str(journal), "--brick", greeting["address"], "--speed", SPEED,
            "--state", greeting["facelets"], "--json", home=tmp_path,
        )  # fmt: skip
        assert result.returncode == 0, result.stderr
        process.send_signal(signal.SIGTERM)
        last_word, _ = process.communicate()
    assert json.loads(last_word.splitlines()[-1])["solved"] is True


def test_ctrl_c_stops_the_motors_and_resume_solves(tmp_path: Path) -> None:
    journal = tmp_path / "run.journal"
    with simulator("--seed", "6") as (process, greeting):
        run = subprocess.Popen(
            [BIN / "cuberobot", "run", "--brick", greeting["address"], "--speed", SPEED,
             "--state", greeting["facelets"], "--journal", str(journal), "--time", "0"],
            stderr=subprocess.PIPE,
            text=True,
        )  # fmt: skip
        while not (journal.exists() and journal.read_text().count('"finished"') > 5):
            assert run.poll() is None
        run.send_signal(signal.SIGINT)
        _, errors = run.communicate()
        assert run.returncode == 1
        assert "Stopped by you after" in errors
        assert f"cuberobot resume {journal}" in errors
        result = cuberobot("resume", str(journal), "--speed", SPEED, "--json", home=tmp_path)
        assert result.returncode == 0, result.stderr
        resumed = one_object(result.stdout)
        assert resumed["resumed_at"] > 5
        assert resumed["verified"] is False
        assert f"{journal}: {resumed['resumed_at']} of" in result.stderr
        process.send_signal(signal.SIGTERM)
        last_word, _ = process.communicate()
    assert json.loads(last_word.splitlines()[-1])["solved"] is True


def test_jog_doctor_and_calibrate_talk_to_a_brick(tmp_path: Path) -> None:
    with simulator() as (_, greeting):
        brick = ("--brick", greeting["address"])
        # First, while the rig still stands exactly at home: a jog comes back only roughly.
        calibrate = cuberobot(
            "calibrate", *brick, "--rounds", "1", "--speed", SPEED, "--json", home=tmp_path
        )
        assert calibrate.returncode == 0, calibrate.stderr
        assert Path(one_object(calibrate.stdout)["file"]).is_relative_to(tmp_path)
        jog = cuberobot("jog", "arm", "-30", *brick, "--speed", SPEED, "--json", home=tmp_path)
        moved = one_object(jog.stdout)
        assert abs(moved["after"] - moved["before"] + 30) <= 2
        back = cuberobot("jog", "B", "30", *brick, "--speed", SPEED, "--json", home=tmp_path)
        assert back.returncode == 0
        trace = tmp_path / "trace.txt"
        again = cuberobot(
            "jog", "C", "20", *brick, "--speed", SPEED, "--trace", str(trace), home=tmp_path
        )
        assert again.returncode == 0, again.stderr
        assert "-> 80 04 02" in trace.read_text()
        doctor = cuberobot("doctor", *brick, "--json", home=tmp_path)
        assert doctor.returncode == 0
        assert any(finding["ok"] for finding in one_object(doctor.stdout)["bricks"])
