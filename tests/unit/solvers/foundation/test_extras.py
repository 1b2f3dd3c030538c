"""What works without the extras, and the sentence where one is missing."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from solvers.foundation.extras import EXTRA_OF, explained_imports

ROOT = Path(__file__).resolve().parents[4]
DISTRIBUTION_OF = {
    "cv2": "opencv-python-headless",
    "fpdf": "fpdf2",
    "nxt": "nxt-python",
    "usb": "nxt-python",  # which brings pyusb
}
WITHOUT_EXTRAS = f"""
import sys
for name in {sorted(EXTRA_OF)}:
    sys.modules[name] = None
from importlib import import_module
program, sys.argv = sys.argv[1], sys.argv[1:]
packages = {{
    "puzzle": "solvers",
    "aksen": "firmware_tools",
    "cuberobot": "controller",
    "hwsim": "hardware_sims",
}}
import_module(packages[program] + ".cli.main").main()
"""


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a command in an interpreter that finds no module of any extra."""
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_EXTRAS, *words], capture_output=True, text=True, check=False
    )


def test_each_module_comes_with_the_extra_that_is_named() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    always = {Requirement(each).name for each in project["dependencies"]}
    for module, extra in EXTRA_OF.items():
        distribution = DISTRIBUTION_OF.get(module, module)
        assert distribution in {Requirement(each).name for each in extras[extra]}
        assert distribution not in always
    assert set(EXTRA_OF.values()) == set(extras)


@pytest.mark.parametrize(
    "words",
    [
        ("puzzle", "pack", "list"),
        ("puzzle", "slide", "solve", "gaefdboch", "doefgbcah"),
        ("aksen", "--help"),
        ("hwsim", "aksen", "--help"),
    ],
    ids=" ".join,
)
def test_what_needs_no_extra_works_without(words: tuple[str, ...]) -> None:
    outcome = run(*words)
    assert outcome.returncode == 0, outcome.stderr


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        (("cuberobot", "demo", "--seed", "1"), "robot"),
        (("cuberobot", "scan", "read", str(ROOT / "docs" / "images")), "robot"),
        (("cuberobot", "dashboard", "--no-open", "--port", "0"), "dashboard"),
        (("hwsim", "nxt", "--camera"), "robot"),
        (("puzzle", "ubongo", "generate", "--pdf", "cards.pdf"), "pdf"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value[:2]),
)
def test_a_missing_extra_is_named(words: tuple[str, ...], extra: str, tmp_path: Path) -> None:
    outcome = subprocess.run(
        [sys.executable, "-c", WITHOUT_EXTRAS, *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert outcome.returncode == 2, outcome.stderr
    assert re.search(r"-py3-none-any\.whl\[(\w+)\]", outcome.stderr)
    assert f"the extra `{extra}`" in outcome.stderr
    assert "Traceback" not in outcome.stderr
    assert list(tmp_path.iterdir()) == []


def test_another_missing_module_stays_a_bug() -> None:
    with pytest.raises(ModuleNotFoundError), explained_imports():
        raise ModuleNotFoundError("No module named 'typo'", name="typo")
