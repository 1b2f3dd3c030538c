"""Two commands on one brick, and a demo that is killed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.integration.test_cuberobot_commands import (
    BIN,
    LOOK_INTERVAL_S,
    SPEED,
    cuberobot,
    one_object,
    simulator,
    wait_for_primitives,
)

PATIENCE_S = 60.0


def test_a_second_command_on_a_brick_is_refused_with_the_first_ones_name(tmp_path: Path) -> None:
    journal = tmp_path / "run.journal"
    with simulator("--seed", "6") as (_, greeting):
        brick = ("--brick", greeting["address"], "--speed", SPEED)
        run = subprocess.Popen(
            [BIN / "cuberobot", "run", *brick, "--state", greeting["facelets"], "--time", "0",
             "--journal", str(journal)],
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            text=True,
        )  # fmt: skip
        wait_for_primitives(journal, run, count=1)
        jog = cuberobot("jog", "arm", "5", *brick, "--json", home=tmp_path)
        assert jog.returncode == 1
        assert f"in use by process {run.pid} (cuberobot run" in one_object(jog.stdout)["error"]
        run.send_signal(signal.SIGHUP)
        assert run.wait(PATIENCE_S) == 1
        again = cuberobot("jog", "arm", "-5", *brick, "--json", home=tmp_path)
        assert again.returncode == 0, again.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGHUP, signal.SIGTERM])
def test_a_demo_that_is_ended_leaves_no_simulator(number: signal.Signals, tmp_path: Path) -> None:
    demo = subprocess.Popen(
        [BIN / "cuberobot", "demo", "--seed", "3", "--speed", "1", "--time", "0"],
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path)},
    )
    (simulated,) = _wait_for_children(demo)
    demo.send_signal(number)
    demo.wait(PATIENCE_S)
    while not _is_gone(simulated):  # for ever, were it left behind
        time.sleep(LOOK_INTERVAL_S)


def _wait_for_children(process: "subprocess.Popen[bytes]") -> list[str]:
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while not (found := children.read_text().split()):
        assert process.poll() is None
        time.sleep(LOOK_INTERVAL_S)
    return found


def _is_gone(pid: str) -> bool:
    """Say whether a process has ended; nobody may have asked for its exit code yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True
