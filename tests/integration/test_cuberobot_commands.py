"""The `cuberobot` command line as a user meets it, each command in a process of its own."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.forked import Command

BIN = Path(sys.executable).parent
SOLVED = "".join(face * 9 for face in "URFDLB")
SPEED = "20"
SCRAMBLE = "R U2 F L'"  # its drive is a fifth of a random cube's
LOOK_INTERVAL_S = 0.02  # of the computer: a busy wait would cost as much as the run


def cuberobot(*arguments: str, home: Path) -> "subprocess.CompletedProcess[str]":
    homes = {"XDG_STATE_HOME": str(home), "XDG_CONFIG_HOME": str(home)}
    with Command("cuberobot", *arguments, environment=homes) as process:
        out, err = process.communicate(timeout=180)
    return subprocess.CompletedProcess(arguments, process.returncode or 0, out, err)


@contextmanager
def simulator(*arguments: str, speed: str = SPEED) -> Iterator[tuple[Command, dict[str, Any]]]:
    with Command("hwsim", "nxt", "--json", "--speed", speed, *arguments) as process:
        yield process, json.loads(process.stdout.readline())


def one_object(text: str) -> dict[str, Any]:
    (line,) = text.splitlines()
    result: dict[str, Any] = json.loads(line)
    return result


def wait_for_primitives(journal: Path, run: "subprocess.Popen[str]", count: int = 6) -> None:
    """Return when some primitives of a run are finished and others are not."""
    while not (journal.exists() and journal.read_text().count('"finished"') >= count):
        assert run.poll() is None
        time.sleep(LOOK_INTERVAL_S)


def test_without_a_camera_nothing_is_called_solved(tmp_path: Path) -> None:
    demo = cuberobot("demo", "--seed", "3", "--speed", SPEED, "--time", "0", home=tmp_path)
    assert demo.returncode == 0, demo.stderr
    ours = demo.stdout.partition("The simulator says")
    assert ours[0].startswith("Driven: ")
    assert "olved" not in ours[0]
    assert ours[2].strip() == "that its cube is solved."
    with simulator("--scramble", SCRAMBLE) as (_, greeting):
        run = cuberobot(
            "run", "--brick", greeting["address"], "--speed", SPEED, "--time", "0",
            "--state", greeting["facelets"], home=tmp_path,
        )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("Driven: ")
    assert "was not verified" in run.stdout
    assert "olved" not in run.stdout


def test_the_demo_solves_its_cube(tmp_path: Path) -> None:
    settings = tmp_path / "camera.toml"
    settings.write_text('noise = 4\ncube = "stickerless"\nlogo = true\n', encoding="utf-8")
    flags = ("--camera", str(settings), "--seed", "3", "--speed", SPEED, "--time", "0", "--json")
    result = cuberobot("demo", *flags, home=tmp_path)
    assert result.returncode == 0, result.stderr
    demo = one_object(result.stdout)
    assert demo["simulator"] == {"solved": True, "jams": []}
    assert demo["verified"] is True
    assert {"scramble", "moves", "htm", "primitives", "robot_seconds", "wall_seconds"} <= set(demo)
    assert set(demo["stages"]) >= {"search", "drive"}
    assert demo["scan"]["verdict"] == "accepted"
    assert demo["seen"]["target_reached"] is True


def test_a_cube_is_solved_in_real_time(tmp_path: Path) -> None:
    with simulator("--scramble", "R F", "--link", "bluetooth", speed="1") as (process, greeting):
        # The first solution found has eight moves, the next two.
        arguments = ("--brick", greeting["address"], "--time", "0.5", "--json")
        for _ in range(2):  # the brick stays on, and its program goes on running
            result = cuberobot("run", "--state", greeting["facelets"], *arguments, home=tmp_path)
            assert result.returncode == 0, result.stderr
            assert one_object(result.stdout)["retries"] == 0
            greeting["facelets"] = SOLVED
        process.send_signal(signal.SIGTERM)
        last_word, _ = process.communicate(timeout=180)
    end = json.loads(last_word.splitlines()[-1])
    assert end["solved"] is True
    assert end["jams"] == []


def test_a_killed_simulator_ends_the_run_and_resume_solves(tmp_path: Path) -> None:
    rig = str(tmp_path / "rig.json")
    journal = tmp_path / "run.journal"
    with simulator("--scramble", SCRAMBLE, "--rig-file", rig) as (process, greeting):
        run = subprocess.Popen(
            [BIN / "cuberobot", "run", "--brick", greeting["address"], "--speed", SPEED,
             "--state", greeting["facelets"], "--journal", str(journal), "--time", "0"],
            stderr=subprocess.PIPE,
            text=True,
        )  # fmt: skip
        wait_for_primitives(journal, run)
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
        last_word, _ = process.communicate(timeout=180)
    assert json.loads(last_word.splitlines()[-1])["solved"] is True


def test_ctrl_c_stops_the_motors_and_resume_solves(tmp_path: Path) -> None:
    journal = tmp_path / "run.journal"
    with simulator("--scramble", SCRAMBLE) as (process, greeting):
        run = subprocess.Popen(
            [BIN / "cuberobot", "run", "--brick", greeting["address"], "--speed", SPEED,
             "--state", greeting["facelets"], "--journal", str(journal), "--time", "0"],
            stderr=subprocess.PIPE,
            text=True,
        )  # fmt: skip
        wait_for_primitives(journal, run)
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
        last_word, _ = process.communicate(timeout=180)
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
