"""No file takes more than 300 MB: what is too large, deep or endless is refused in a sentence."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile_files import MOST_BYTES, READERS

# By format, so that what one format needs is fed once.
TOML = [name for name, (ending, _) in READERS.items() if ending == ".toml"]
OTHERS = [name for name in READERS if name not in TOML]
# What there is to read is passed on as it comes, is a copy that may be lost, or fits in the end.
MAY_READ = {
    "cubes", "history", "journal", "finished parts", "manifest", "packing target",
    "place of a journal", "program", "ROM", "simulated image", "typed lines",
}  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/zero, /proc and limits")
@pytest.mark.parametrize("names", [TOML, OTHERS], ids=["TOML", "others"])
def test_every_reader_refuses_files_that_take_memory_or_time(
    names: list[str], tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "tests.hostile_files", "--once", str(tmp_path), *names]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=root)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, f"ended after {found[-1:]}: {done.stderr[-2000:]}"
    assert {each["reader"] for each in found} == set(names)
    for each in found:
        allowed = ("refused", "read") if each["reader"] in MAY_READ else ("refused",)
        assert each["came"] in allowed, each
        assert each["megabytes"] << 20 <= MOST_BYTES, each
