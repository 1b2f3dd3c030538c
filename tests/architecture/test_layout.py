"""The project's top-level folders are fixed."""

import subprocess
from pathlib import PurePosixPath

from tests.architecture.sources import ROOT

FOLDERS = {
    ".ci",
    ".github",
    "controller",
    "docs",
    "firmware_tools",
    "hardware_sims",
    "solvers",
    "tests",
}


def test_the_top_folders_are_the_agreed_ones() -> None:
    listing = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    paths = map(PurePosixPath, listing.stdout.splitlines())
    assert {path.parts[0] for path in paths if len(path.parts) > 1} == FOLDERS
