"""`make audit` finds what is wrong with a lock file, also without a network."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HASH = "--hash=sha256:" + "0" * 64


def audit(lock: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(ROOT / ".ci" / "audit.py"), str(lock), "--offline"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_lock_file_is_what_is_installed() -> None:
    result = audit(ROOT / "requirements-dev.lock")
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize(
    ("entry", "finding"),
    [
        (f"pytest==0.1 \\\n    {HASH}", "and 0.1 is pinned"),
        ("nowhere==1.0", "nowhere has no hash"),
        (f"nowhere>=1.0 {HASH}", "not pinned to one version"),
    ],
)
def test_what_is_wrong_is_found(tmp_path: Path, entry: str, finding: str) -> None:
    lock = tmp_path / "some.lock"
    lock.write_text(f"# a comment\n{entry}\n    # via nothing\n")
    result = audit(lock)
    assert result.returncode == 1
    assert finding in result.stdout
