"""How every command of the suite ends: exit codes, sentences, JSON."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from importlib.metadata import entry_points, version
from pathlib import Path
from types import ModuleType

import pytest

from solvers.foundation.command_line.app import run as start
from solvers.foundation.command_line.app import visible
from tests.in_process import Run, runner

APP = '''
import logging
import click
from solvers.foundation.command_line.app import (
    App, Command, LazyGroup, json_option, print_json, run
)
from solvers.foundation.errors import InvalidInputError, PuzzlerigError

@click.command("work", cls=Command)
@click.argument("how")
@click.option("--number", type=int, default=1)
@json_option
def work(how: str, number: int, as_json: bool) -> None:
    """Work in one of several ways, and say in a sentence that is longer than a line what came out.

    The second paragraph is not in the list.

    Examples:
      app work fine --number 2
    """
    if how == "bad input":
        raise InvalidInputError("The [red]cube[/red] is impossible.")
    if how == "failure":
        raise PuzzlerigError("The brick is gone.")
    if how == "bug":
        raise KeyError("x")
    if how == "exit":
        raise click.exceptions.Exit(1)
    if how == "wait":
        print("waiting", flush=True)
        import time
        time.sleep(60)
    if how == "foreign":
        print("\u00fcber")
        print_json({"name": "\u00fcber"})
    if how == "talk":
        for line in range(200_000):
            print(line)
    logging.getLogger("controller.brick").debug("a telegram")
    logging.getLogger("numba").debug("a kernel")
    print_json({"number": number})

@click.command("lamp", cls=Command)
@click.option("--light", is_flag=False, flag_value="dim")
@click.option("--on", is_flag=True)
def lamp(light: str | None, on: bool) -> None:
    print(light, on)

@click.group("more", cls=LazyGroup, invoke_without_command=True, lazy_commands={"work": "APP:work"})
@click.pass_context
def other(context: click.Context) -> None:
    """Further things."""
    print("alone" if context.invoked_subcommand is None else "with one")

app = App(
    "Things that end.",
    [LazyGroup("plain", help="Things that need a word.", lazy_commands={"work": "APP:work"})],
    {
        "work": "APP:work",
        "lamp": "APP:lamp",
        "more": "APP:other",
        "gone": "no.such.module:work",
    },
)
if __name__ == "__main__":
    run(app)
'''
HERE = "a_command_line"


@pytest.fixture
def app(tmp_path: Path) -> list[str]:
    """Return the command that starts a small application."""
    path = tmp_path / "app.py"
    path.write_text(APP.replace("APP:", "__main__:"))
    return [sys.executable, str(path)]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return what runs the same application in this process."""
    module = ModuleType(HERE)
    exec(APP.replace("APP:", f"{HERE}:"), vars(module))
    monkeypatch.setitem(sys.modules, HERE, module)
    return runner("app.py", lambda: start(module.app), monkeypatch, capsys)


def _run(app: list[str], *arguments: str) -> tuple[int, str, str]:
    result = subprocess.run([*app, *arguments], capture_output=True, text=True, check=False)
    return result.returncode, result.stdout, result.stderr


def ended(run: Run, *arguments: str) -> tuple[int, str, str]:
    """Run it in this process, and return as `_run` does."""
    done = run(*arguments)
    return done.code, done.out, done.err


@pytest.mark.parametrize(
    ("arguments", "exit_code", "kind", "sentence"),
    [
        (["work", "bad input"], 2, "InvalidInputError", "The [red]cube[/red] is impossible."),
        (["work", "failure"], 1, "PuzzlerigError", "The brick is gone."),
        (["work", "bug"], 1, "InternalError", "Internal error: KeyError: 'x'."),
        (["work"], 2, "UsageError", "Missing argument 'HOW'."),
        (["work", "x", "--number", "y"], 2, "UsageError", "Invalid value for '--number'"),
        (["work", "x", "--colour"], 2, "UsageError", "No such option '--colour'."),
        (["play"], 2, "UsageError", "No such command 'play'."),
        (
            ["worc"],
            2,
            "UsageError",
            "No such command 'worc'. Did you mean 'work'? See `app.py --help`.",
        ),
    ],
)
def test_errors_are_sentences_and_objects(
    run: Run, arguments: list[str], exit_code: int, kind: str, sentence: str
) -> None:
    code, out, err = ended(run, *arguments)
    assert (code, out) == (exit_code, "")
    assert sentence in err
    assert "Traceback" not in err
    code, out, _ = ended(run, *arguments, "--json")
    told = json.loads(out)
    assert (code, told["kind"]) == (exit_code, kind)
    assert sentence in told["error"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "None False"),
        (("--light",), "dim False"),
        (("--light", "--on"), "dim True"),
        (("--on", "--light"), "dim True"),
        (("--light", "bright", "--on"), "bright True"),
        (("--light=bright",), "bright False"),
    ],
)
def test_an_option_may_stand_alone(run: Run, words: tuple[str, ...], said: str) -> None:
    assert ended(run, "lamp", *words)[:2] == (0, f"{said}\n")


def test_an_exit_code_of_the_command_is_kept(run: Run) -> None:
    assert ended(run, "work", "exit")[0] == 1
    assert ended(run, "work", "fine") == (0, '{"number": 1}\n', "")


def test_debug_shows_where(app: list[str]) -> None:
    code, _, err = _run(app, "work", "bug", "--debug")
    assert code == 1
    assert "Traceback" in err


def test_verbose_shows_what_the_suite_logs_and_nothing_else(app: list[str]) -> None:
    _, out, err = _run(app, "work", "fine", "--verbose")
    assert "controller.brick: a telegram" in err
    assert "a kernel" not in err
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


def test_a_reader_that_reads_nothing_is_no_error(app: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        result = subprocess.run(
            [*app, "work", "fine"], stdout=pipe, stderr=subprocess.PIPE, check=False
        )
    assert (result.returncode, result.stderr) == (1, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("how", [("fine",), ("fine", "--json"), ("talk",)])
def test_an_output_that_takes_no_more_is_told(app: list[str], how: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(
            [*app, "work", *how], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    told = "Error: The output cannot be written: No space left on device. Make room, or send it "
    assert (result.returncode, result.stderr) == (1, told + "elsewhere.\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_an_error_is_told_though_the_output_takes_no_more(app: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(
            [*app, "work", "failure", "--json"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (result.returncode, result.stderr) == (1, "Error: The brick is gone.\n")


@pytest.mark.parametrize(
    ("how", "code", "said"),
    [("fine", 0, ""), ("x --colour --json", 2, "Error: "), ("bug 2>&-", 1, "")],
)
def test_an_output_that_was_closed_is_written_nowhere(
    app: list[str], how: str, code: int, said: str
) -> None:
    result = subprocess.run(
        ["sh", "-c", f'"$@" work {how} >&-', "sh", *app],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stdout) == (code, "")
    assert result.stderr.startswith(said)
    assert "Internal" not in result.stderr


def test_a_terminal_that_knows_few_letters_is_told_all(app: list[str]) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    result = subprocess.run(
        [*app, "work", "foreign"], capture_output=True, env=environment, check=False
    )
    assert result.returncode == 0, result.stderr
    text, first, _ = result.stdout.decode("ascii").splitlines()
    assert text == r"\xfcber"
    assert json.loads(first) == {"name": "über"}


def test_help_has_a_short_form_and_the_examples(run: Run) -> None:
    code, out, _ = ended(run, "work", "-h")
    assert code == 0
    assert "--number" in out
    assert "The second paragraph" in out
    assert out.endswith("\n  Examples:\n    app work fine --number 2\n")


def test_a_group_is_listed_whole_and_works_alone(run: Run) -> None:
    _code, out, _ = ended(run, "more", "--help")
    told = " ".join(out.split())
    assert "in a sentence that is longer than a line what came out. " in f"{told} "
    assert "..." not in out.partition("Commands:")[2]
    assert "second paragraph" not in out
    assert ended(run, "more")[:2] == (0, "alone\n")
    assert ended(run, "more", "work", "fine")[:2] == (0, 'with one\n{"number": 1}\n')


def test_half_an_order_shows_the_help(run: Run) -> None:
    code, out, err = ended(run, "plain")
    assert (code, out) == (2, "")
    assert "Usage:" in err
    assert "Error" not in err


def test_a_command_is_imported_when_it_is_asked_for(run: Run) -> None:
    assert ended(run, "work", "fine")[0] == 0
    assert "No module named 'no'" in ended(run, "gone")[2]


@pytest.mark.parametrize("arguments", [(), ("more",), ("plain", "work")])
def test_every_command_tells_the_version(run: Run, arguments: tuple[str, ...]) -> None:
    assert ended(run, *arguments, "--version") == (0, f"puzzlerig {version('puzzlerig')}\n", "")


def test_a_shell_completes_names_and_options(app: list[str]) -> None:
    def completed(words: str) -> str:
        settings = {"_APP_PY_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": "2"}
        environment = {**os.environ, **settings}
        return subprocess.run(
            app, capture_output=True, text=True, env=environment, check=True
        ).stdout

    assert completed("app more w").split() == ["plain,work"]
    assert "--number" in completed("app work --n")


def test_what_a_sentence_quotes_does_not_steer_the_terminal() -> None:
    assert visible("no\x1b[31m \udcff [bold]\nü") == "no\\x1b[31m \\udcff [bold]\nü"


def started(
    folder: Path, source: str, environment: Mapping[str, str], *options: str
) -> "subprocess.CompletedProcess[str]":
    """Return what became of a module of this source, started as a command is."""
    (folder / "started.py").write_text(source)
    start = "from solvers.foundation.command_line.start import start; start('started')"
    command = [sys.executable, "-c", start, *options]
    environment = {**environment, "PYTHONPATH": str(folder)}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_ctrl_c_is_heard_while_a_command_is_imported(tmp_path: Path, options: list[str]) -> None:
    source = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n"
    done = started(tmp_path, source, os.environ, *options)
    assert (done.returncode, done.stderr) == (130, "Error: Stopped by you.\n")
    said = {"error": "Stopped by you.", "kind": "Stopped"}
    assert [json.loads(line) for line in done.stdout.splitlines()] == [said] * len(options)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted by Linux")
def test_numpy_starts_no_threads_in_a_command_unless_the_user_wishes(tmp_path: Path) -> None:
    threads = "OPENBLAS_NUM_THREADS"
    plain = {name: value for name, value in os.environ.items() if name != threads}
    counts = "import numpy, os\ndef main(): print(len(os.listdir('/proc/self/task')))"
    done = started(tmp_path, counts, plain)
    assert (done.returncode, done.stdout) == (0, "1\n")
    tells = f"import os\ndef main(): print(os.environ['{threads}'])"
    done = started(tmp_path, tells, {**plain, threads: "2"})
    assert (done.returncode, done.stdout) == (0, "2\n")


def test_entry_points_import_next_to_nothing_before_they_hear_ctrl_c() -> None:
    scripts = {each.name: each for each in entry_points(group="console_scripts")}
    for name in ("puzzle", "aksen", "cuberobot", "hwsim"):
        module, function = scripts[name].value.split(":")
        look = f"import sys; from {module} import {function}; print(*sorted(sys.modules))"
        command = [sys.executable, "-c", look]
        loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        assert not {"click", "typing", "importlib", "logging", f"{module}.main"} & set(loaded)


@pytest.mark.parametrize(("shell", "marker"), [("bash", "complete"), ("fish", "complete")])
def test_a_shell_is_shown_what_it_would_be_taught(run: Run, shell: str, marker: str) -> None:
    code, out, _ = ended(run, "--show-completion", shell)
    assert code == 0
    assert f"_APP_PY_COMPLETE={shell}_{marker}" in out


def test_completion_is_installed_once(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SHELL", "/bin/bash")
    (tmp_path / ".bashrc").write_text("alias l=ls")
    for _ in range(2):
        assert ended(run, "--install-completion")[0] == 0
    assert (tmp_path / ".bashrc").read_text() == "alias l=ls\n. ~/.app.py-complete.bash\n"
    assert "_APP_PY_COMPLETE" in (tmp_path / ".app.py-complete.bash").read_text()


def test_completion_is_not_made_up_for_other_shells(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    code, _, err = ended(run, "--show-completion")
    assert code == 2
    assert "no completion for the shell 'tcsh'. Name one of bash, zsh, fish" in err
    monkeypatch.delenv("SHELL")
    code, _, err = ended(run, "--show-completion")
    assert code == 2
    assert "SHELL is not set. Name one of bash, zsh, fish, such as" in err
