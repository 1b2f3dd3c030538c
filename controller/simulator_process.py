"""Starts simulators (`hwsim nxt`, `hwsim aksen`) as processes of their own.

Only its command line, its address and the JSON lines it prints are known here.
"""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from threading import Event, Thread
from typing import Any, Final

from controller.errors import RobotError

STOP_TIMEOUT_S = 10
PRESSES_EVERY_S: Final = 1.0  # at 50 times real time, a brick sleeps after 12 s
SIMULATORS: Final = "hardware_sims.cli"  # a process of their own: nothing of them is imported


class SimulatorProcess:
    """A starting or running simulator: what it says first, and what it says at the end."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    @cached_property
    def greeting(self) -> dict[str, Any]:
        """What it says when it is ready, waited for: address, facelets, camera."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.startswith("{"):
            raise RobotError("The simulator did not start; run `hwsim nxt` to see why.")
        greeting: dict[str, Any] = json.loads(line)
        if "error" in greeting:
            raise RobotError(f"The simulator did not start: {greeting['error']}")
        return greeting

    @property
    def address(self) -> str:
        """Address of the simulated brick."""
        return str(self.greeting["address"])

    @contextmanager
    def kept_awake(self) -> Iterator[None]:
        """Press the brick's orange button again and again, so that it does not fall asleep."""
        done = Event()

        def press() -> None:
            assert self._process.stdin is not None
            with suppress(OSError, ValueError):  # it has ended; the greeting says why
                while not done.wait(PRESSES_EVERY_S):
                    self._process.stdin.write("on\n")
                    self._process.stdin.flush()

        presses = Thread(target=press, daemon=True)
        presses.start()
        try:
            yield
        finally:
            done.set()
            presses.join()

    def stop(self) -> dict[str, Any]:
        """Stop the simulator and return its last line: the cube's facelets, and `solved`."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        try:
            output, _ = self._process.communicate(timeout=STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            raise RobotError(f"The simulator did not end within {STOP_TIMEOUT_S} s.") from None
        lines = [line for line in output.splitlines() if line.startswith("{")]
        if not lines:
            raise RobotError("The simulator ended without its last line.")
        last: dict[str, Any] = json.loads(lines[-1])
        return last


def start_simulator(kind: str, arguments: Sequence[str]) -> "subprocess.Popen[str]":
    """Start `hwsim KIND` with `arguments`; it says what it does in lines of JSON."""
    return subprocess.Popen(
        # As a module: the script `hwsim` may be anywhere, or nowhere. `-P`: never from the
        # working directory.
        # Its input ends with this process, however that ends, and the simulator with its input.
        [sys.executable, "-P", "-m", SIMULATORS, kind, "--json", "--end-with-input", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        # Ctrl-C in the terminal is for the robot; the simulator is stopped after it.
        start_new_session=True,
    )


@contextmanager
def running_simulator(arguments: Sequence[str]) -> Iterator[SimulatorProcess]:
    """Start `hwsim nxt` with `arguments` and end it afterwards, whatever happens."""
    process = start_simulator("nxt", arguments)
    try:
        yield SimulatorProcess(process)
    finally:
        if process.poll() is None:
            process.terminate()
        if process.stdout is not None and not process.stdout.closed:
            try:
                process.communicate(timeout=STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
