"""Options that are checked while a command line is read, before any work is done."""

from pathlib import Path
from typing import Any

import typer


def output_file(*names: str, help: str) -> Any:  # noqa: A002 - as typer calls it
    """Return an option for a file that the command writes, checked at once."""
    return typer.Option(*names, help=help, metavar="FILE", callback=_writable_file)


def output_folder(*names: str, help: str) -> Any:  # noqa: A002
    """Return an option for a folder that the command writes into, checked at once."""
    return typer.Option(*names, help=help, metavar="FOLDER", callback=_writable_folder)


def output_file_or_folder(*names: str, ending: str, help: str) -> Any:  # noqa: A002
    """Return an option for one file, told by its ending, or for a folder of files."""

    def check(path: Path | None) -> Path | None:
        is_file = path is not None and path.suffix == ending
        return _writable_file(path) if is_file else _writable_folder(path)

    return typer.Option(*names, help=help, metavar=f"FOLDER|FILE{ending}", callback=check)


def output_argument(help: str) -> Any:  # noqa: A002
    """Return an argument for a file that the command writes, checked at once."""
    return typer.Argument(help=help, callback=_writable_file)


def _writable_file(path: Path | None) -> Path | None:
    from solvers.foundation.files import check_writable

    if path is not None:
        check_writable(path)
    return path


def _writable_folder(path: Path | None) -> Path | None:
    from solvers.foundation.files import check_writable_folder

    if path is not None:
        check_writable_folder(path)
    return path
