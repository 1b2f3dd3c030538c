"""Every command's help has examples, and each does what it says or cannot be run here."""

import shlex
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click
import pytest

from tests.command_tree import subcommands
from tests.integration.documented.data import APPS, HELP_NOT_RUN
from tests.integration.documented.examples import ROOT


def commands(group: click.Command, path: tuple[str, ...]) -> Iterator[tuple[str, click.Command]]:
    """Yield every command below a group, with its words."""
    for name, command in subcommands(group).items():
        if command.epilog or not isinstance(command, click.Group):
            yield " ".join((*path, name)), command
        yield from commands(command, (*path, name))


def examples(command: click.Command) -> list[str]:
    lines = (command.epilog or "").splitlines()
    return [line.strip() for line in lines[2:]]


def of_app(name: str) -> dict[str, list[str]]:
    group = import_module(f"{APPS[name]}.cli.main").app
    return {words: examples(command) for words, command in commands(group, (name,))}


@pytest.mark.parametrize("app", APPS)
def test_every_command_has_an_example_of_its_own(app: str) -> None:
    told = of_app(app)
    assert told
    for words, found in told.items():
        assert found, f"{words} --help has no examples"
        assert all(each.startswith(words) for each in found), words


@pytest.mark.parametrize("app", [name for name in APPS if name != "hwsim"])
def test_the_examples_work_one_after_the_other(
    app: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    monkeypatch.chdir(tmp_path)
    main = import_module(f"{APPS[app]}.cli.main").main
    for found in of_app(app).values():
        for example in found:
            if example in HELP_NOT_RUN:
                continue
            monkeypatch.setattr(sys, "argv", shlex.split(example))
            with pytest.raises(SystemExit) as ended:
                main()
            assert not ended.value.code, f"{example}\n{capsys.readouterr().err}"


def test_what_is_not_run_stands_in_a_help() -> None:
    shown = {each for app in APPS for found in of_app(app).values() for each in found}
    assert set(HELP_NOT_RUN) <= shown
