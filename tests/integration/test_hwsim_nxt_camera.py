"""`hwsim nxt --camera` beside the brick, and `cuberobot scan` turning the cube below it."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.forked import Command

SPEED = "20"


@contextmanager
def simulator(*arguments: str) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Run `hwsim nxt` and yield its first line; the list holds its last one afterwards."""
    ending: list[dict[str, Any]] = []
    with Command("hwsim", "nxt", "--json", *arguments) as process:
        yield json.loads(process.stdout.readline()), ending
        process.terminate()
        output, _ = process.communicate(timeout=60)
    ending.append(json.loads(output.splitlines()[-1]))


def robot_scan(greeting: dict[str, Any], *arguments: str) -> subprocess.CompletedProcess[str]:
    words = ("scan", "--camera", greeting["camera"], *arguments, "--json")
    with Command("cuberobot", *words) as process:
        out, err = process.communicate(timeout=300)
    return subprocess.CompletedProcess(words, process.returncode or 0, out, err)


def test_the_robot_scans_the_cube_that_lies_in_the_simulated_rig() -> None:
    with simulator("--camera", "--seed", "3", "--speed", SPEED) as (greeting, ending):
        assert greeting["camera"].startswith("http://127.0.0.1:")
        done = robot_scan(greeting, "--brick", greeting["address"], "--speed", SPEED)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["facelets"] == ending[0]["facelets"]
    assert ending[0]["tilts"] == 5
    assert ending[0]["jams"] == []


def test_a_camera_that_is_unplugged_ends_the_scan_with_a_sentence(tmp_path: Path) -> None:
    faults = tmp_path / "faults.toml"
    faults.write_text('[[camera]]\nkind = "unplugged"\ntime = 30.0\n', encoding="utf-8")
    with simulator("--camera", "2", "--faults", str(faults), "--speed", "5") as (greeting, _):
        done = robot_scan(greeting)
    assert done.returncode == 1
    # On a slow machine it may be unplugged before it was opened.
    error = json.loads(done.stdout)["error"]
    assert "gives no frames any more" in error or "does not open" in error
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments", [["--camera", "4"], ["--camera", "0"], ["--camera", "evening.toml"]]
)
def test_a_camera_that_does_not_exist_is_refused(arguments: list[str]) -> None:
    done = Command("hwsim", "nxt", *arguments)
    out, err = done.communicate(timeout=30)
    assert (done.returncode, out) == (2, "")
    assert "camera" in err
    assert "Traceback" not in err
