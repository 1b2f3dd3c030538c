"""How every command of the suite ends: exit codes, sentences, JSON."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from solvers.foundation.command_line.app import visible

APP = """
import logging
from typing import Annotated
import typer
from solvers.foundation.command_line.app import JsonOption, new_app, print_json, run
from solvers.foundation.errors import InvalidInputError, PuzzlerigError

app = new_app("Things that end.")

@app.command()
def work(how: str, number: int = 1, as_json: JsonOption = False) -> None:
    if how == "bad input":
        raise InvalidInputError("The [red]cube[/red] is impossible.")
    if how == "failure":
        raise PuzzlerigError("The brick is gone.")
    if how == "bug":
        raise KeyError("x")
    if how == "exit":
        raise typer.Exit(1)
    if how == "wait":
        print("waiting", flush=True)
        import time
        time.sleep(60)
    if how == "talk":
        for line in range(200_000):
            print(line)
    logging.getLogger("brick").debug("a telegram")
    print_json({"number": number})

@app.command()
def other() -> None:
    pass

run(app)
"""


@pytest.fixture
def app(tmp_path: Path) -> list[str]:
    """Return the command that starts a small application."""
    path = tmp_path / "app.py"
    path.write_text(APP)
    return [sys.executable, str(path)]


def _run(app: list[str], *arguments: str) -> tuple[int, str, str]:
    result = subprocess.run([*app, *arguments], capture_output=True, text=True, check=False)
    return result.returncode, result.stdout, result.stderr


@pytest.mark.parametrize(
    ("arguments", "exit_code", "kind", "sentence"),
    [
        (["work", "bad input"], 2, "InvalidInputError", "The [red]cube[/red] is impossible."),
        (["work", "failure"], 1, "PuzzlerigError", "The brick is gone."),
        (["work", "bug"], 1, "InternalError", "Internal error: KeyError: 'x'."),
        (["work"], 2, "UsageError", "Missing argument 'how'."),
        (["work", "x", "--number", "y"], 2, "UsageError", "Invalid value for '--number'"),
        (["work", "x", "--colour"], 2, "UsageError", "No such option: --colour"),
        (["play"], 2, "UsageError", "No such command 'play'."),
    ],
)
def test_errors_are_sentences_and_objects(
    app: list[str], arguments: list[str], exit_code: int, kind: str, sentence: str
) -> None:
    code, out, err = _run(app, *arguments)
    assert (code, out) == (exit_code, "")
    assert sentence in err
    assert "Traceback" not in err
    code, out, _ = _run(app, *arguments, "--json")
    told = json.loads(out)
    assert (code, told["kind"]) == (exit_code, kind)
    assert sentence in told["error"]


def test_an_exit_code_of_the_command_is_kept(app: list[str]) -> None:
    assert _run(app, "work", "exit")[0] == 1
    assert _run(app, "work", "fine") == (0, '{"number": 1}\n', "")


def test_debug_shows_where(app: list[str]) -> None:
    code, _, err = _run(app, "work", "bug", "--debug")
    assert code == 1
    assert "Traceback" in err


def test_verbose_shows_what_is_logged(app: list[str]) -> None:
    _, out, err = _run(app, "work", "fine", "--verbose")
    assert "brick: a telegram" in err
    assert json.loads(out) == {"number": 1}


def test_ctrl_c_ends_with_a_sentence(app: list[str]) -> None:
    with subprocess.Popen(
        [*app, "work", "wait"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "waiting\n"
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        err = process.stderr.read()
    assert process.returncode == 130
    assert err == "Error: Stopped by you.\n"


def test_a_reader_that_has_seen_enough_is_no_error(app: list[str]) -> None:
    with subprocess.Popen(
        [*app, "work", "talk"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        err = process.stderr.read()
    assert err == ""


def test_help_has_a_short_form_too(app: list[str]) -> None:
    code, out, _ = _run(app, "work", "-h")
    assert code == 0
    assert "--number" in out


def test_what_a_sentence_quotes_does_not_steer_the_terminal() -> None:
    assert visible("no\x1b[31m \udcff [bold]\nü") == "no\\x1b[31m \\udcff [bold]\nü"
