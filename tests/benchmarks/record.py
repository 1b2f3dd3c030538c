"""RESULTS.md: sections that name their command, the commit they measured, the date and the machine.

A section is written by its benchmark alone. Whatever a reader has to know belongs into the text
that `run()` returns, since the next run replaces the whole section.
"""

import importlib
import os
import platform
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Final

from solvers.foundation.files import write_text

HERE: Final = Path(__file__).resolve().parent
RESULTS: Final = HERE / "RESULTS.md"

STAMP: Final = re.compile(
    r"`(?P<command>[^`]*python -m tests\.benchmarks (?P<name>\w+))` "
    r"(measured|recorded in) commit `(?P<commit>[0-9a-f]{10})`( with uncommitted changes)? "
    r"on (?P<date>\d{4}-\d\d-\d\d): "
)
"""The start of every section's second paragraph; the machine follows.

Sections from before the commit was written have the one that brought their figures ("recorded in").
"""

_SECTION_START: Final = "\n## "
_VARIABLE: Final = re.compile(r'environ\.get\("(\w+)"')


class MissingRivalError(Exception):
    """A program that a benchmark compares with cannot be run; says how to get it."""


def import_rival(name: str) -> ModuleType:
    """Return a Python package that is measured in the same run.

    Raises MissingRivalError if it is not installed.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingRivalError(
            f"{name} is not installed, so there is nothing to compare with. Install it by "
            "`pip install --group bench`, as `make bench` does."
        ) from error


def write_section(name: str, module: ModuleType) -> str:
    """Run a benchmark, put its section into RESULTS.md, and return the section.

    Raises MissingRivalError, and then RESULTS.md stays as it is.
    """
    stamp = make_stamp(name, module)  # before the run: the load is that at the start
    title = (module.__doc__ or name).splitlines()[0].rstrip(".")
    section = f"{title}\n\n{stamp}\n\n{module.run().strip()}\n"
    write_text(RESULTS, replace_section(RESULTS.read_text(encoding="utf-8"), title, section))
    return section


def make_stamp(name: str, module: ModuleType) -> str:
    """Return the line with the command, the commit, the date and the machine."""
    command = f"{_settings(module)}python -m tests.benchmarks {name}"
    today = datetime.now(UTC).date().isoformat()
    return f"`{command}` measured commit {commit()} on {today}: {_machine()}."


def commit() -> str:
    """Return the commit that is checked out, and whether files differ from it."""
    others = (":/", ":(top,exclude)tests/benchmarks/RESULTS.md")  # earlier benchmarks wrote that
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", *others)
    suffix = " with uncommitted changes" if changed else ""
    return f"`{_git('rev-parse', '--short=10', 'HEAD')[:10]}`{suffix}"


def replace_section(text: str, title: str, section: str) -> str:
    """Return the text of RESULTS.md with the section called `title` replaced, or appended."""
    head, *sections = text.rstrip().split(_SECTION_START)
    by_title = {each.splitlines()[0]: each.rstrip() + "\n" for each in sections}
    by_title[title] = section
    return _SECTION_START.join([head.rstrip() + "\n", *by_title.values()])


def sections(text: str) -> dict[str, str]:
    """Return the sections of RESULTS.md by title."""
    _, *found = text.rstrip().split(_SECTION_START)
    return {each.splitlines()[0]: each for each in found}


def _settings(module: ModuleType) -> str:
    """Return the environment variables that this run of a benchmark was given; paths as dots."""
    source = Path(module.__file__ or "").read_text(encoding="utf-8")
    given = {name: os.environ[name] for name in _VARIABLE.findall(source) if name in os.environ}
    return "".join(
        f"{name}={'...' if os.sep in value else value} " for name, value in given.items()
    )


def _machine() -> str:
    return (
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}, load {os.getloadavg()[0]:.1f} at the start"
    )


def _git(*words: str) -> str:
    command = ["git", *words]
    return subprocess.run(
        command, cwd=HERE, capture_output=True, text=True, check=True
    ).stdout.strip()
