"""Every course's Python blocks, run one after the other in an empty folder as a reader runs them.

The block of text below a block is what that prints, to the letter, and the course's pictures are
those that its blocks draw.
"""

import io
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from tests.integration.documented.examples import COURSES, ROOT, tokens
from tests.integration.documented.session import is_documented_compiler

NEEDS_SDCC = "docs/course/iterative-deepening.md"
NUMBER = re.compile(r"\d[\d,.]*")
PICTURE = re.compile(r"!\[.*?\]\(images/(.*?)\)")


def blocks(page: str) -> Iterator[tuple[int, str, str]]:
    """Yield the line of each Python block, its code and the text shown below it."""
    fenced = [token for token in tokens(page) if token.type == "fence" and token.map]
    for token, following in zip(fenced, [*fenced[1:], None], strict=True):
        if token.info == "python":
            shown = following.content if following and following.info == "text" else ""
            yield (token.map or [0])[0] + 2, token.content, shown


@pytest.mark.parametrize(
    "page",
    [pytest.param(NEEDS_SDCC, marks=pytest.mark.needs_sdcc), *sorted({*COURSES} - {NEEDS_SDCC})],
)
def test_a_course_prints_and_draws_what_it_shows(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    sizes_vary = page == NEEDS_SDCC and not is_documented_compiler()
    for line, code, shown in blocks(page):
        printed = io.StringIO()
        with redirect_stdout(printed):
            exec(compile("\n" * (line - 1) + code, page, "exec"), names)
        text = printed.getvalue()
        if sizes_vary:
            shown, text = NUMBER.sub("#", shown), NUMBER.sub("#", text)
        assert text == shown, f"{page}:{line}"
    pictures = PICTURE.findall((ROOT / page).read_text(encoding="utf-8"))
    assert sorted(path.name for path in tmp_path.glob("*.svg")) == sorted(pictures)
    for name in () if sizes_vary else pictures:
        drawn, kept = tmp_path / name, ROOT / "docs" / "course" / "images" / name
        assert drawn.read_text() == kept.read_text(), f"{page} draws {drawn}, another {name}"


def test_every_course_has_blocks_and_is_listed() -> None:
    listed = (ROOT / "docs" / "course" / "index.md").read_text(encoding="utf-8")
    for page in COURSES:
        assert any(shown for _, _, shown in blocks(page))
        assert f"({Path(page).name})" in listed
