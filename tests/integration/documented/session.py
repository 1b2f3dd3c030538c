"""A reader who follows one page: a folder of files, command after command, simulators beside."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from tests.integration.documented.examples import Example

BIN: Final = Path(sys.executable).parent
LIMIT_S: Final = 120
"""Nothing that a page shows takes a fraction of it; a command that hangs ends the test."""

_ADDRESS: Final = re.compile(r'"(\w+)": "(?:ip:|\w+://)?(127\.0\.0\.1:\d+)')
_LISTEN: Final = re.compile(r"--listen (127\.0\.0\.1:\d+)")
_VARYING: Final = re.compile(r"\d+(?:\.\d+)? m?s\b|127\.0\.0\.1:\d+|scan-[\d-]+")


class PageError(AssertionError):
    """A page shows something else than what happens."""


class Reader:
    """Runs the examples of one page in a folder; stops its simulators at the end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.simulators: list[subprocess.Popen[str]] = []
        self.addresses: dict[str, str] = {}
        state = {f"XDG_{kind}_HOME": str(folder / kind) for kind in ("STATE", "CONFIG", "RUNTIME")}
        path = os.pathsep.join([str(BIN), os.environ["PATH"]])
        self.environment = {**os.environ, **state, "PATH": path, "COLUMNS": "80"}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        for process in self.simulators:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            process.communicate(timeout=LIMIT_S)

    def follow(self, example: Example) -> None:
        """Do what the example says and compare what comes with what it shows."""
        if example.command.startswith("hwsim "):
            self.start(example)
        else:
            self.run(example)

    def start(self, example: Example) -> None:
        """Start a simulator on a free port, and note which of the page's addresses it has."""
        command = _LISTEN.sub("--listen 127.0.0.1:0", example.command)
        process = subprocess.Popen(
            ["bash", "-c", f"exec {command} --json"],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        self.simulators.append(process)
        assert process.stdout is not None
        actual = dict(_ADDRESS.findall(process.stdout.readline()))
        if not actual:
            raise PageError(f"{example}\nended with {process.wait(LIMIT_S)} or told no address")
        shown = dict(_ADDRESS.findall("\n".join(example.shown)))
        if listen := _LISTEN.search(example.command):
            shown["address"] = listen[1]
        if missing := shown.keys() - actual.keys():
            raise PageError(f"{example}\ntells no {missing}")
        self.addresses |= {shown[key]: actual[key] for key in shown}

    def run(self, example: Example) -> None:
        """Run one command line as bash does, and look at its end and at its output."""
        command = example.command
        for shown, actual in self.addresses.items():
            command = command.replace(shown, actual)
        result = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
        refused = any(line.startswith("Error: ") for line in example.shown)
        if (result.returncode != 0) != refused:
            raise PageError(f"{example}\nended with {result.returncode}:\n{result.stdout}")
        if missing := next(self.lines_missing(example, result.stdout), None):
            raise PageError(f"{example}\nshows\n{missing}\nbut prints\n{result.stdout}")

    @staticmethod
    def lines_missing(example: Example, output: str) -> Iterator[str]:
        """Yield the shown lines that do not come in this order; `...` stands for any lines."""
        printed = iter([plain(line) for line in output.splitlines()])
        for line in example.shown:
            if line.strip() not in {"", "..."} and plain(line) not in printed:
                yield line


def plain(line: str) -> str:
    """Return a line without what differs from run to run: seconds, ports, names with a date."""
    return _VARYING.sub("#", line).strip()
