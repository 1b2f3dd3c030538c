"""What is packed and published agrees with pyproject.toml, which has it first."""

import importlib.util
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOW = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
RELEASE = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
MAIN = "import sys; from solvers.foundation.command_line.one_file import main; main()"


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def try_installation() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "try_installation", ROOT / ".ci" / "try_installation.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_citation_names_this_version() -> None:
    assert f"\nversion: {PROJECT['version']}\n" in read("CITATION.cff")
    released = re.search(r'date-released: "(\S+)"', read("CITATION.cff"))
    assert released is not None
    assert f"## {PROJECT['version']} - {released[1]}" in read("CHANGELOG.md")


def test_pages_name_the_wheel_of_this_version() -> None:
    versions = set(re.findall(r"puzzlerig-([\d.]+)-py3", read("docs/install.md")))
    assert versions == {PROJECT["version"]}


def test_every_extra_is_explained() -> None:
    for extra in PROJECT["optional-dependencies"]:
        assert f"\n| `{extra}` |" in read("docs/install.md")


def test_nothing_is_published_unasked() -> None:
    assert re.search(r"^on:\n  workflow_dispatch:\n", RELEASE, re.MULTILINE)
    assert re.search(r"publish:\n +description: .*\n +type: boolean\n +default: false", RELEASE)
    assert "if: inputs.publish" in RELEASE


def test_ci_runs_its_script_on_every_python() -> None:
    pythons = [
        each.rpartition(" ")[2]
        for each in PROJECT["classifiers"]
        if re.search(r"Python :: 3\.\d+$", each)
    ]
    (matrix,) = re.findall(r"linux:.*?python: (\[.*?\])", WORKFLOW, re.DOTALL)
    assert json.loads(matrix) == pythons
    assert re.search(r"^ +- run: \.ci/run$", WORKFLOW, re.MULTILINE)


def test_the_container_has_every_file_and_a_line_to_try() -> None:
    text = read("Containerfile")
    assert "\nCOPY . .\n" in text
    assert re.search(r"^RUN (?!apt-get)", text, re.MULTILINE)


def test_the_one_file_packs_what_is_tried() -> None:
    extras = re.search(r"\.whl \| head -1\)\[(\S+)\]", read("Makefile"))
    assert extras is not None
    assert extras[1] == try_installation().EXTRAS
    assert set(extras[1].split(",")) == set(PROJECT["optional-dependencies"]) - {"cluster"}


@pytest.mark.parametrize("program", sorted(PROJECT["scripts"]))
def test_the_one_file_starts_each_program(program: str) -> None:
    command = [sys.executable, "-c", MAIN, program, "--help"]
    outcome = subprocess.run(command, capture_output=True, text=True, check=False)
    assert outcome.returncode == 0
    assert f"Usage: {program} " in outcome.stdout


@pytest.mark.parametrize("words", [[], ["no-such-program"]])
def test_the_one_file_names_its_programs(words: list[str]) -> None:
    command = [sys.executable, "-c", MAIN, *words]
    outcome = subprocess.run(command, capture_output=True, text=True, check=False)
    assert outcome.returncode == 2
    assert "aksen, cuberobot, hwsim, puzzle" in outcome.stderr


def test_the_simulators_start_as_a_module() -> None:
    command = [sys.executable, "-P", "-m", "hardware_sims.cli", "nxt", "--help"]
    outcome = subprocess.run(command, capture_output=True, text=True, check=False)
    assert outcome.returncode == 0
    assert "Usage: hwsim nxt " in outcome.stdout
