"""A simulator's process, at its end."""

import subprocess
import sys

import pytest

from controller import simulator_process
from controller.errors import RobotError

DEAF = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print('{"address": "ip:127.0.0.1:1"}', flush=True)
time.sleep(600)
"""


def test_a_simulator_that_ignores_its_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", DEAF],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    monkeypatch.setattr(simulator_process, "start_simulator", lambda *_: process)
    monkeypatch.setattr(simulator_process, "STOP_TIMEOUT_S", 0.1)
    with simulator_process.running_simulator([]) as simulator:
        assert simulator.address == "ip:127.0.0.1:1"
        with pytest.raises(RobotError, match="did not end within"):
            simulator.stop()
    assert process.poll() is not None
