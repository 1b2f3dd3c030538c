"""A reader who follows one page: a folder of files, command after command, simulators beside.

A command line that needs no shell is run in this process, which spares its start-up.
"""

import io
import os
import re
import shlex
import signal
import subprocess
import sys
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Final, Self

import pytest

from tests.integration.documented.data import APPS
from tests.integration.documented.examples import Example

BIN: Final = Path(sys.executable).parent
DOCUMENTED_SDCC: Final = " 4.2.0 "
LIMIT_S: Final = 120
"""Nothing that a page shows takes a fraction of it; a command that hangs ends the test."""

_NEEDS_A_SHELL: Final = re.compile(r"[|<>&;$`*()]|--install-completion")
_ADDRESS: Final = re.compile(r'"(\w+)": "(?:ip:|\w+://)?(127\.0\.0\.1:\d+)')
_LISTEN: Final = re.compile(r"--listen (127\.0\.0\.1:\d+)")
_SIZE: Final = re.compile(r"\b[0-9A-F]{3,8}h?\b")
_VARYING: Final = re.compile(r"\d+(?:\.\d+)? m?s\b|127\.0\.0\.1:\d+|scan-[\d-]+")


class PageError(AssertionError):
    """A page shows something else than what happens."""


class Reader:
    """Runs the examples of one page in a folder; stops its simulators at the end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.simulators: list[subprocess.Popen[str]] = []
        self.addresses: dict[str, str] = {}
        home = folder / "home"
        home.mkdir()
        self.settings = {
            "HOME": str(home),
            "SHELL": "/bin/bash",
            "XDG_STATE_HOME": str(folder / "STATE"),
            "XDG_CONFIG_HOME": str(folder / "CONFIG"),
            # What is compiled and computed is shared: a reader's second command finds it too.
            "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache"),
            "PATH": os.pathsep.join([str(BIN), os.environ["PATH"]]),
            "COLUMNS": "80",
        }
        self.environment = {**os.environ, **self.settings}

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
        """Run one command line as a shell does, and look at its end and at its output."""
        command = example.command
        for shown, actual in self.addresses.items():
            command = command.replace(shown, actual)
        words = shlex.split(command, comments=True)
        if words[0] in APPS and not _NEEDS_A_SHELL.search(shlex.join(words)):
            code, printed = self._run_here(words)
        else:
            code, printed = self._run_in_a_shell(command)
        refused = any(line.startswith("Error: ") for line in example.shown)
        if (code != 0) != refused:
            raise PageError(f"{example}\nended with {code}:\n{printed}")
        shown = "\n".join(example.shown)
        if example.command.startswith("aksen ") and not is_documented_compiler():
            shown, printed = _SIZE.sub("#", shown), _SIZE.sub("#", printed)
        if shown and not comes(shown, printed):
            raise PageError(f"{example}\nshows\n{shown}\nbut prints\n{printed}")

    def _run_in_a_shell(self, command: str) -> tuple[int, str]:
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
        return result.returncode, result.stdout

    def _run_here(self, words: list[str]) -> tuple[int, str]:
        main = import_module(f"{APPS[words[0]]}.cli.main").main
        output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
        with pytest.MonkeyPatch.context() as patched, Path(os.devnull).open() as nothing:
            patched.chdir(self.folder)
            for name, value in self.settings.items():
                patched.setenv(name, value)
            patched.setattr(sys, "argv", words)
            patched.setattr(sys, "stdin", nothing)
            patched.setattr(sys, "stdout", output)
            patched.setattr(sys, "stderr", output)
            with pytest.raises(SystemExit) as ended:
                main()
        output.seek(0)
        return int(ended.value.code or 0), output.read()


@cache
def is_documented_compiler() -> bool:
    """Tell whether sizes come out as in the pages, which another version of sdcc changes."""
    version = subprocess.run(["sdcc", "--version"], capture_output=True, text=True, check=True)
    return DOCUMENTED_SDCC in version.stdout


def comes(shown: str, output: str) -> bool:
    """Tell whether the output has what a page shows; `...` stands for any text.

    Where lines are broken does not count, nor does what differs from run to run.
    """
    parts = (re.escape(part.strip()) for part in plain(shown).split("..."))
    pattern = rf"(?<!\S){'.*?'.join(parts)}(?!\S)"
    return re.search(pattern, plain(output)) is not None


def plain(text: str) -> str:
    """Return a text in one line, without seconds, ports and names with a date."""
    return _VARYING.sub("#", " ".join(text.split()))
