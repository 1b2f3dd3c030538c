"""Commands run in the test's own process: as true as one of their own, without its start-up."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

import pytest


@dataclass(frozen=True)
class Outcome:
    """What a command has printed, and the code it ended with."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> dict[str, Any]:
        """What it has printed with `--json`: one object on one line."""
        (line,) = self.out.splitlines()
        found: dict[str, Any] = json.loads(line)
        return found

    @property
    def json_lines(self) -> list[dict[str, Any]]:
        """Return the objects printed with `--json`, one on each line."""
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Outcome]


def runner(
    name: str,
    main: Callable[[], NoReturn],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Run:
    """Return what runs the command `name` with the arguments it is called with."""

    def run(*arguments: str) -> Outcome:
        monkeypatch.setattr(sys, "argv", [name, *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capsys.readouterr()
        code = ended.value.code
        assert code is None or isinstance(code, int)
        return Outcome(code or 0, captured.out, captured.err)

    return run
