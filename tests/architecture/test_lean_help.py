"""Help is there at once, because no command's module loads what only its work needs."""

import subprocess
import sys

import pytest

HEAVY = ("numpy", "numba", "rich", "msgspec", "serial", "nxt", "cv2", "pydantic")

HELP = """
import sys
from {module} import app
app(sys.argv[1:], standalone_mode=False)
loaded = [name for name in {heavy!r} if name in sys.modules]
assert not loaded, loaded
"""


@pytest.mark.parametrize(
    ("module", "groups"),
    [
        ("solvers.cli.main", ("", "cube", "slide", "pack", "tiles", "ubongo")),
        ("controller.cli.main", ("", "scan")),
        ("firmware_tools.cli.main", ("",)),
        ("hardware_sims.cli.main", ("",)),
    ],
)
def test_help_loads_nothing_heavy(module: str, groups: tuple[str, ...]) -> None:
    source = HELP.format(module=module, heavy=HEAVY)
    for group in groups:
        command = [sys.executable, "-c", source, *group.split(), "--help"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert "Commands" in done.stdout
