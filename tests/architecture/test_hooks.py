"""The git hooks run the checks of CI."""

import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CI = ROOT / ".ci" / "run"
HOOKS = [ROOT / ".ci" / "hooks" / name for name in ("pre-commit", "pre-push")]


def test_git_can_run_the_hooks() -> None:
    assert all(os.access(hook, os.X_OK) for hook in HOOKS)


def test_the_hooks_run_what_ci_runs() -> None:
    goals = [re.findall(r"make (\w+)", path.read_text(encoding="utf-8")) for path in HOOKS]
    ci = re.findall(r"^make (\w+)$", CI.read_text(encoding="utf-8"), re.MULTILINE)
    assert [goal for each in goals for goal in each] == ci
