"""The hooks before commit and push are the checks of CI."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).resolve().parents[2]
HOOKS = ROOT / ".pre-commit-config.yaml"


def test_the_hooks_are_valid() -> None:
    command = [sys.executable, "-m", "pre_commit", "validate-config", str(HOOKS)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout + result.stderr) == (0, "")


def test_the_hooks_run_what_ci_runs() -> None:
    ci = re.findall(r"^make \w+$", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)
    (local,) = msgspec.yaml.decode(HOOKS.read_bytes(), type=dict[str, Any])["repos"]
    assert [hook["entry"] for hook in local["hooks"]] == ci
    assert not any(hook["pass_filenames"] for hook in local["hooks"])
