"""`.ci/system-packages` beside another apt-get: the real one, with locks and lists of its own.

The package asked for is one that is installed, so that nothing is fetched or changed.
"""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / ".ci" / "system-packages"
DPKG_STATUS = Path("/var/lib/dpkg/status")
LOCKS = ("state/lists/lock", "dpkg/lock-frontend")
"""What `apt-get update` and `apt-get install` take, below the folder."""

pytestmark = pytest.mark.skipif(
    os.getuid() != 0 or shutil.which("apt-get") is None,
    reason="packages are installed on Debian systems and as root alone",
)


@pytest.fixture
def apt_folder(tmp_path: Path) -> Path:
    """Return a folder that apt-get takes for its own when APT_CONFIG names the file in it."""
    for name in ("state/lists/partial", "cache/archives/partial", "dpkg"):
        (tmp_path / name).mkdir(parents=True)
    shutil.copy(DPKG_STATUS, tmp_path / "dpkg" / "status")
    (tmp_path / "apt.conf").write_text(
        f'Dir::State "{tmp_path}/state";\n'
        f'Dir::State::status "{tmp_path}/dpkg/status";\n'
        f'Dir::Cache "{tmp_path}/cache";\n'
        'Dir::Etc::sourcelist "/dev/null";\nDir::Etc::sourceparts "/dev/null";\n',
        encoding="utf-8",
    )
    return tmp_path


def start(folder: Path, *packages: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        ["bash", str(SCRIPT), *packages],
        env={**os.environ, "APT_CONFIG": str(folder / "apt.conf")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("lock", LOCKS)
def test_it_says_that_it_waits_and_goes_on_when_the_lock_is_free(
    apt_folder: Path, lock: str
) -> None:
    with (apt_folder / lock).open("w") as held:
        fcntl.lockf(held, fcntl.LOCK_EX)
        process = start(apt_folder, "no-such-command:coreutils")
        assert process.stdout is not None
        assert process.stdout.readline() == "Installing system packages: coreutils\n"
        assert process.stdout.readline() == (
            "Another package manager is at work; waiting until it has finished.\n"
        )
        assert process.poll() is None
        fcntl.lockf(held, fcntl.LOCK_UN)
        output, error = process.communicate(timeout=60)
    assert (process.returncode, output, error) == (0, "", "")


def test_any_other_failure_ends_at_once_and_is_told(apt_folder: Path) -> None:
    process = start(apt_folder, "no-such-command:no-such-package")
    _output, error = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "Unable to locate package no-such-package" in error
    assert error.endswith("failed; the lines above say why.\n")


def test_nothing_is_done_when_the_commands_are_there(apt_folder: Path) -> None:
    process = start(apt_folder, "bash:no-such-package")
    assert process.communicate(timeout=60) == ("", "")
    assert process.returncode == 0
