"""Shell completion, by click's own scripts."""

import os
from pathlib import Path
from typing import Final

import click
from click.shell_completion import ShellComplete, get_completion_class, shell_complete

from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.foundation.files import read_text, write_text

SHELLS: Final = ("bash", "zsh", "fish")


def answer_shell(app: click.Command, name: str) -> None:
    """Print the completions that a shell asks for by a variable, and end; return if none asks."""
    variable = _variable(name)
    if instruction := os.environ.get(variable):
        raise SystemExit(shell_complete(app, {}, name, variable, instruction))


def completion_script(context: click.Context, shell: str | None) -> str:
    """Return what a shell, the user's if None, reads to complete the commands of `context`."""
    return _completer(context, _known(shell)).source()


def install_completion(context: click.Context, shell: str | None) -> str:
    """Write the script where the shell reads it when it starts; return a sentence about it."""
    shell = _known(shell)
    name = context.find_root().info_name or ""
    script = _completer(context, shell).source()
    if shell == "fish":  # it reads all files of this folder
        target = Path.home() / ".config/fish/completions" / f"{name}.fish"
        target.parent.mkdir(parents=True, exist_ok=True)
        write_text(target, script)
    else:
        target = Path.home() / f".{name}-complete.{shell}"
        write_text(target, script)
        _add_line(Path.home() / f".{shell}rc", f". ~/{target.name}")
    return f"Wrote {target}. Start a new {shell} to complete `{name}` with the Tab key."


def _completer(context: click.Context, shell: str) -> ShellComplete:
    found = get_completion_class(shell)
    assert found is not None
    root = context.find_root()
    name = root.info_name or ""
    return found(root.command, {}, name, _variable(name))


def _variable(name: str) -> str:
    """Return the variable's name that click derives from a program's."""
    return f"_{name.replace('-', '_').replace('.', '_')}_COMPLETE".upper()


def _known(shell: str | None) -> str:
    name = Path(os.environ.get("SHELL", "")).name if shell is None else shell
    if name not in SHELLS:
        problem = f"There is no completion for the shell {name!r}." if name else "SHELL is not set."
        raise InvalidInputError(
            f"{problem} Name one of {', '.join(SHELLS)}, such as --show-completion bash."
        )
    return name


def _add_line(path: Path, line: str) -> None:
    """Append a line to a shell's start file unless it is there."""
    text = read_text(path, PuzzlerigError, "The file") if path.exists() else ""
    if line not in text.splitlines():
        with path.open("a") as file:
            file.write(f"{'' if not text or text.endswith(chr(10)) else chr(10)}{line}\n")
