"""`hwsim aksen` in a process of its own, and `aksen` in this one."""

import io
import json
import sys
import threading
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import pytest

from firmware_tools.cli.main import main
from tests.forked import Command

TIMEOUT_S = 120.0


class SimulatedBoard:
    """`hwsim aksen` in a process of its own; its boot loader answers as fast as it can."""

    def __init__(self, *arguments: str) -> None:
        self.process = Command(
            "hwsim", "aksen", *arguments, "--free-running", "--json", typed_at=True
        )
        self._watchdog = threading.Timer(TIMEOUT_S, self.process.kill)
        self._watchdog.start()
        self.port: str = self.wait_for(lambda state: "address" in state)["address"]

    def wait_for(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Return the next state of the board that is wanted."""
        for line in self.process.stdout:
            state = dict(json.loads(line))
            if wanted(state):
                return state
        raise AssertionError("the simulated board ended")

    def type(self, command: str) -> None:
        """Type a command of the simulator, such as `red`."""
        self.process.stdin.write(command + "\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.communicate(timeout=TIMEOUT_S)
        self._watchdog.cancel()


@dataclass(frozen=True)
class Done:
    """How a command ended, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


def run_aksen(*arguments: str | Path, folder: Path | None = None, **environment: str) -> Done:
    """Run `aksen` in this process, which saves the start of an interpreter."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        if folder is not None:
            patch.chdir(folder)
        for name, value in {"COLUMNS": "80", **environment}.items():
            patch.setenv(name, value)
        patch.setattr(sys, "stdin", io.StringIO())
        patch.setattr(sys, "argv", ["aksen", *map(str, arguments)])
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
            main()
    return Done(int(ended.value.code or 0), out.getvalue(), err.getvalue())


def aksen_command(*arguments: str | Path) -> dict[str, Any]:
    """Run `aksen` in this process and return its JSON with the exit code."""
    done = run_aksen(*arguments, "--json")
    return {"exit_code": done.returncode, **json.loads(done.stdout)}
