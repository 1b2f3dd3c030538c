"""The types that scripts share with Python; `make lint` checks and tests the scripts."""

from tests.dashboard_types import TARGET, typescript


def test_the_types_of_the_views_are_current() -> None:
    message = "run `python -m tests.dashboard_types`"
    assert TARGET.read_text(encoding="utf-8") == typescript(), message
