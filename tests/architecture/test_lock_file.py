"""The lock files have everything that pyproject.toml asks for; `make lock` renews them."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
GROUPS = ("build", "dev", "docs")
"""The group `bench` is left out: it measures what a user would install today."""

PYTHONS = ("3.11", "3.12", "3.13")


def pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def declared() -> Iterator[Requirement]:
    project = pyproject()
    lists = [
        project["build-system"]["requires"],
        project["project"]["dependencies"],
        *project["project"]["optional-dependencies"].values(),
        *(project["dependency-groups"][name] for name in GROUPS),
    ]
    for each in lists:
        yield from map(Requirement, each)


def entries(name: str = "requirements-dev.lock") -> list[str]:
    """Return one text a pinned package: requirement and hashes."""
    text = (ROOT / name).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    return "\n".join(lines).replace("\\\n", "").splitlines()


def pinned(python: str) -> dict[str, str]:
    """Return name and version of each package that is installed for a version of Python."""
    environment = {"python_version": python, "python_full_version": f"{python}.5"}
    requirements = (Requirement(entry.partition("--hash")[0]) for entry in entries())
    return {
        canonicalize_name(each.name): str(each.specifier).removeprefix("==")
        for each in requirements
        if each.marker is None or each.marker.evaluate(environment)
    }


@pytest.mark.parametrize("python", PYTHONS)
def test_every_dependency_is_pinned_to_a_version_that_fits(python: str) -> None:
    versions = pinned(python)
    wrong = [
        str(each)
        for each in declared()
        if not each.specifier.contains(versions.get(canonicalize_name(each.name), "0"))
    ]
    assert not wrong, f"{wrong} not in requirements-dev.lock; run `make lock`"


def test_the_versions_of_python_are_those_the_project_names() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert tuple(re.findall(r"Python :: (\d+\.\d+)", text)) == PYTHONS


def test_every_entry_is_one_version_with_hashes() -> None:
    assert entries()
    for entry in entries():
        assert re.match(r"[\w.\[\],-]+==\S+ .*--hash=sha256:[0-9a-f]{64}", entry), entry


def test_what_the_programs_need_is_pinned_as_it_is_tested() -> None:
    needed = {each.split()[0] for each in entries("requirements.lock")}
    tested = {each.split()[0] for each in entries()}
    assert needed < tested, "another version than the tests have; run `make lock`"
    names = {canonicalize_name(Requirement(each).name) for each in needed}
    project = pyproject()
    extras = project["project"]["optional-dependencies"]
    for each in (
        *project["project"]["dependencies"],
        *extras["dashboard"],
        *extras["print"],
        *project["dependency-groups"]["build"],
    ):
        assert canonicalize_name(Requirement(each).name) in names
