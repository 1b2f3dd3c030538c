"""The links of all pages lead somewhere: other pages, headings, pictures, files of the project.

Sphinx follows them as `make docs` does, without the pages made from docstrings: those take half a
minute, and `.ci/run` makes them.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
INDEX = "# Pages\n\n```{toctree}\n:glob:\n*\n```\n"
PAGE = "# A page\n\n## What it says\n\n[a page](page.md#what-it-says), [file](../LICENSE)\n\n"
DEAD_LINKS = """- [page](no-page.md)
- [heading](page.md#no-heading)
- [heading](#no-heading)
- [file](../no-file.toml)
- ![picture](images/no-picture.svg)
"""

PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("*.md", "docs/*.md", "docs/course/*.md")
    for path in ROOT.glob(pattern)
)
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
PATH = re.compile(r"`((?:controller|docs|firmware_tools|hardware_sims|solvers|tests)/[\w./-]+)`")


def check_links(project: Path, scratch: Path) -> subprocess.CompletedProcess[str]:
    sphinx = [sys.executable, "-m", "sphinx", "--quiet", "-t", "pages", "-b", "dummy"]
    strict = ["--fail-on-warning", "--keep-going"]
    folders = ["-c", project / "docs", "-d", scratch / "doctrees", project, scratch / "site"]
    command = [*sphinx, *strict, *map(str, folders)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_every_link_leads_somewhere(tmp_path: Path) -> None:
    result = check_links(ROOT, tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("page", PAGES)
def test_every_path_in_a_sentence_exists(page: str) -> None:
    text = FENCE.sub("", (ROOT / page).read_text(encoding="utf-8"))
    missing = [path for path in PATH.findall(text) if not (ROOT / path).exists()]
    assert missing == []


def test_dead_links_are_found(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for name in ("conf.py", "index.html"):
        shutil.copy(ROOT / "docs" / name, docs)
    (tmp_path / "LICENSE").touch()
    (docs / "index.md").write_text(INDEX, encoding="utf-8")
    (docs / "page.md").write_text(PAGE + DEAD_LINKS, encoding="utf-8")
    result = check_links(tmp_path, tmp_path / "scratch")
    assert result.returncode == 1
    found = {
        int(line.split(":")[1]) for line in result.stderr.splitlines() if "docs/page.md:" in line
    }
    first = 1 + PAGE.count("\n")
    assert found == set(range(first, first + DEAD_LINKS.count("\n")))
