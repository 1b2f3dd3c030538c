"""`aksen` and `hwsim aksen` in processes of their own, as a user starts them."""

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

BIN = Path(sys.executable).parent
TIMEOUT_S = 120.0


class SimulatedBoard:
    """`hwsim aksen` in a process of its own; its boot loader answers as fast as it can."""

    def __init__(self, *arguments: str) -> None:
        command = [str(BIN / "hwsim"), "aksen", *arguments, "--free-running", "--json"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._watchdog = threading.Timer(TIMEOUT_S, self.process.kill)
        self._watchdog.start()
        self.port: str = self.wait_for(lambda state: "address" in state)["address"]

    def wait_for(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Return the next state of the board that is wanted."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            state = dict(json.loads(line))
            if wanted(state):
                return state
        raise AssertionError("the simulated board ended")

    def type(self, command: str) -> None:
        """Type a command of the simulator, such as `red`."""
        assert self.process.stdin is not None
        self.process.stdin.write(command + "\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.communicate(timeout=TIMEOUT_S)
        self._watchdog.cancel()


def aksen_command(*arguments: str | Path) -> dict[str, Any]:
    command = [str(BIN / "aksen"), *map(str, arguments), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT_S)
    return {"exit_code": done.returncode, **json.loads(done.stdout)}
