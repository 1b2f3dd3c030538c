"""The user's browser is opened where there is a screen for it, by Python's own choice of one."""

import subprocess
import sys
from pathlib import Path

import pytest

from controller.cli.options import SCREENS

OPEN = "from controller.cli.options import open_page; open_page('http://127.0.0.1:1/')"


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="there is always a screen")
@pytest.mark.parametrize(("screen", "opened"), [(None, False), *((name, True) for name in SCREENS)])
def test_a_page_is_opened_where_there_is_a_screen(
    tmp_path: Path, screen: str | None, opened: bool
) -> None:
    seen = tmp_path / "seen"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {seen}\n', encoding="utf-8")
    browser.chmod(0o755)
    environment = {"BROWSER": str(browser)} | ({screen: ":0"} if screen else {})
    subprocess.run([sys.executable, "-c", OPEN], env=environment, check=True)
    assert seen.exists() == opened
    if opened:
        assert seen.read_text(encoding="utf-8") == "http://127.0.0.1:1/\n"
