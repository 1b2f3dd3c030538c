"""What a script in a page has found out, in the system's Chromium without a window."""

import html
import json
import re
import subprocess
from pathlib import Path
from typing import Any

from tests.browser import chromium


def dumped_result(page: Path, *options: str) -> dict[str, Any]:
    """Open a page and return the JSON object that its script has put into `<pre id="result">`."""
    browser = chromium()
    assert browser is not None, "no Chromium here: `make browser` installs it"
    command = [
        browser,
        "--headless",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--host-resolver-rules=MAP * ~NOTFOUND",
        f"--user-data-dir={page.parent / 'profile'}",
        *options,
        "--dump-dom",
        page.as_uri(),
    ]
    environment = {"HOME": str(page.parent), "PATH": "/usr/bin:/bin"}
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    match = re.search(r'<pre id="result">(.*?)</pre>', run.stdout)
    assert match, run.stderr[-2000:]
    found: dict[str, Any] = json.loads(html.unescape(match[1]))
    return found
