"""How Sphinx makes the site from the pages and the docstrings; see `make docs`.

The project's folder is the source, so that the pages' links are the same here and in the site.
With the tag `pages` (`sphinx-build -t pages`) the docstrings are left out: links alone are checked.
"""

import os
import re
import sys
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from sphinx.application import Sphinx

ROOT: Final = Path(__file__).resolve().parents[1]
PACKAGES: Final = ("solvers", "firmware_tools", "controller", "hardware_sims")
PAGES_ALONE: Final = tags.has("pages")  # type: ignore[name-defined] # noqa: F821 - Sphinx puts it here

project = "puzzlerig"
extensions = ["myst_parser"]
root_doc = "docs/index"
include_patterns = ["*.md", "docs/**", "tests/benchmarks/RESULTS.md"]
html_theme = "furo"
html_title = "puzzlerig"
html_extra_path = ["index.html"]
myst_heading_anchors = 4  # `page.md#a-heading`, as on GitHub
suppress_warnings = [
    "ref.python"
]  # a name in a signature that two packages have: no link, no error

if PAGES_ALONE:
    exclude_patterns = ["docs/api"]
    suppress_warnings += ["toc.excluded", "toc.not_readable"]
else:
    extensions += ["sphinx.ext.apidoc", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
    sys.path.insert(0, str(ROOT))
    os.environ["NUMBA_DISABLE_JIT"] = "1"  # a compiled function hides its signature

# One page a folder; the guides describe the commands.
apidoc_modules = [
    {
        "path": str(ROOT / name),
        "destination": f"docs/api/{name}",
        "exclude_patterns": [str(ROOT / name / "cli")],
        "module_first": True,
        "max_depth": 1,
    }
    for name in PACKAGES
]
autodoc_member_order = "bysource"
default_role = "literal"  # the docstrings mark code as Markdown does, by single backticks
toc_object_entries = False  # thousands of entries next to each page would take half the time

_LIST_OR_SECTION: Final = re.compile(r"\s*(?:[-*] |\d+\. |\w+:$)")


def setup(app: Sphinx) -> None:
    """Hang the project's own step into the reading of docstrings, before napoleon's."""
    if not PAGES_ALONE:
        app.connect("autodoc-process-docstring", keep_layout, priority=100)


def keep_layout(
    _app: Sphinx, _kind: str, _name: str, _object: Any, _options: Any, lines: list[str]
) -> None:
    """Mark the paragraphs that are laid out for the eye: trees, tables, drawings, formulas.

    Such a paragraph has indented lines and is neither a list nor a section such as `Args:`.
    """
    result: list[str] = []
    for blank, paragraph in groupby(lines, key=lambda line: not line.strip()):
        block = list(paragraph)
        indented = any(line.startswith("  ") for line in block)
        if not blank and indented and not _LIST_OR_SECTION.match(block[0]):
            block = ["::", "", *(f"   {line}" for line in block)]
        result += block
    lines[:] = result
