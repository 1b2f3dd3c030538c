"""RESULTS.md: each section says which command wrote it, and which commit it measured when."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.benchmarks import __main__ as command
from tests.benchmarks import record
from tests.benchmarks.record import STAMP

TEXT = """# Measurements

Read this first.

## One thing

old figures

A note by hand.

## Another thing

other figures
"""


def module_called(name: str, folder: Path, body: str) -> ModuleType:
    """Return a benchmark with this body, as a file in a folder."""
    module = ModuleType(name)
    module.__file__ = str(folder / f"{name}.py")
    Path(module.__file__).write_text(body, encoding="utf-8")
    exec(compile(body, module.__file__, "exec"), module.__dict__)
    return module


def test_every_section_has_command_commit_date_and_machine() -> None:
    found = record.sections(record.RESULTS.read_text(encoding="utf-8"))
    assert set(found) <= titles()
    for title, section in found.items():
        stamp = section.split("\n\n")[1]
        match = STAMP.match(stamp)
        assert match, f"{title}: {stamp}"
        assert stamp.endswith("."), title
        assert title == title_of(match["name"]), stamp


def titles() -> set[str]:
    """Return the titles of all benchmarks."""
    return {title_of(name) for name in command.benchmark_names()}


def title_of(name: str) -> str:
    """Return the first line of a benchmark's docstring, without importing it."""
    source = (record.HERE / f"bench_{name}.py").read_text(encoding="utf-8")
    return source.splitlines()[0].removeprefix('"""').removesuffix('"""').rstrip(".")


def test_a_run_replaces_its_section_alone_and_stamps_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = tmp_path / "RESULTS.md"
    results.write_text(TEXT, encoding="utf-8")
    monkeypatch.setattr(record, "RESULTS", results)
    monkeypatch.setenv("THING_KEEP", "/home/owner/folder")
    monkeypatch.setenv("THINGS", "3")
    body = (
        '"""One thing."""\nimport os\n'
        'SETTINGS = os.environ.get("THINGS"), os.environ.get("THING_KEEP"), os.environ.get("NOT")\n'
        'def run():\n    return "new figures"\n'
    )
    record.write_section("thing", module_called("bench_thing", tmp_path, body))
    text = results.read_text(encoding="utf-8")
    head, one, another = text.split("\n## ")
    assert head == TEXT.split("\n## ")[0]
    assert another == TEXT.split("\n## ")[2]
    title, stamp, figures = one.strip().split("\n\n")
    assert (title, figures) == ("One thing", "new figures")
    match = STAMP.match(stamp)
    assert match
    assert match["command"] == "THINGS=3 THING_KEEP=... python -m tests.benchmarks thing"
    assert match["commit"] == record.commit()[1:11]


def test_a_missing_rival_fails_its_benchmark_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "RESULTS.md"
    results.write_text(TEXT, encoding="utf-8")
    monkeypatch.setattr(record, "RESULTS", results)
    body = (
        '"""One thing."""\nfrom tests.benchmarks.record import import_rival\n'
        'def run():\n    return import_rival("no_such_rival").figures()\n'
    )
    module = module_called("bench_thing", tmp_path, body)
    monkeypatch.setitem(sys.modules, "tests.benchmarks.bench_thing", module)
    monkeypatch.setattr(command, "benchmark_names", lambda: ["thing"])
    monkeypatch.setattr(sys, "argv", ["benchmarks", "thing"])
    assert command.main() == 1
    error = capsys.readouterr().err
    assert "Error: thing: no_such_rival is not installed" in error
    assert "pip install --group bench" in error
    assert results.read_text(encoding="utf-8") == TEXT
