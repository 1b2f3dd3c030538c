"""The console keeps the last of what was said, and a page fetches what it lacks."""

import pytest

from controller.dashboard.board.devices import CONSOLE, MOST_ENTRIES, Console, encoded
from controller.dashboard.hub import Hub
from hardware_sims.clock import VirtualClock
from solvers.foundation.errors import InvalidInputError


def test_a_page_is_told_how_much_there_is_and_fetches_the_rest() -> None:
    hub, clock = Hub(), VirtualClock()
    console = Console(hub, clock)
    console.add_received(b"caf\xe9\r")
    clock.sleep(1.5)
    console.add_sent(b"?\n")
    console.mark("reset")
    assert hub.value(CONSOLE) == 3
    assert [(each.kind, each.text, each.at_s) for each in console.since(0)] == [
        ("in", "caf\xe9\r", 0.0),
        ("out", "?\n", 1.5),
        ("mark", "reset", 1.5),
    ]
    assert [each.n for each in console.since(2)] == [3]
    assert console.since(3) == []


def test_only_the_last_is_kept() -> None:
    console = Console(Hub(), VirtualClock())
    for _ in range(MOST_ENTRIES + 5):
        console.warn("again")
    assert [console.since(0)[0].n, len(console.since(0))] == [6, MOST_ENTRIES]


@pytest.mark.parametrize(
    ("end", "data"), [("lf", b"a\n"), ("cr", b"a\r"), ("crlf", b"a\r\n"), ("none", b"a")]
)
def test_lines_end_as_asked(end: str, data: bytes) -> None:
    assert encoded("a", end) == data


def test_what_no_byte_holds_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="'€' is no letter"):
        encoded("5 €", "lf")
