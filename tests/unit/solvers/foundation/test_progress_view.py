"""Bars on a screen, and what is printed while one is there."""

import io
import os
import signal
import sys
import threading

import pytest

from solvers.foundation.command_line import progress_view
from solvers.foundation.command_line.app import _LateConsole
from solvers.foundation.command_line.progress_view import show_progress, show_waiting, shown_items
from solvers.foundation.progress import Job, Progress

TITLE = "Counting sheep"
DEADLINE_S = 10


class Screen(io.StringIO):
    """What is a terminal to those who ask, and tells when something is on it."""

    def __init__(self) -> None:
        super().__init__()
        self.has_title = threading.Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        written = super().write(text)
        if TITLE in self.getvalue():
            self.has_title.set()
        return written


def screen_for_bars(monkeypatch: pytest.MonkeyPatch) -> Screen:
    """Take the place of stderr, which pytest gives to each test; bars appear at once."""
    shown = Screen()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", shown)
    # A console finds out when it is made whether it has a screen.
    monkeypatch.setattr(progress_view, "stderr", _LateConsole())
    monkeypatch.setattr(progress_view, "PATIENCE_S", 0.0)
    return shown


def counting(screen: Screen) -> Job[Progress, str]:
    """Bring two sheep, each when the bar is there."""
    for number in (1, 2):
        screen.has_title.clear()
        yield Progress("", number, 3)
        assert screen.has_title.wait(DEADLINE_S), "there is no bar"
        yield Progress("sheep", number, 3)
    return "asleep"


def sheep(event: Progress) -> tuple[str, ...]:
    return (f"{event.task} {event.done}",) if event.task else ()


def nobody_draws(before: set[threading.Thread]) -> bool:
    """Tell whether no thread goes on that was not there before."""
    others = set(threading.enumerate()) - before
    for thread in others:
        thread.join(DEADLINE_S)  # one that is told to end may take a moment
    return not any(thread.is_alive() for thread in others)


def test_the_bar_makes_room_for_what_is_printed_on_its_screen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen = screen_for_bars(monkeypatch)
    monkeypatch.setattr(sys, "stdout", screen)
    before = set(threading.enumerate())
    told: list[str] = []
    job = shown_items(counting(screen), TITLE, sheep)
    for batch in job:
        told += batch
        assert sys.stdout is screen
        assert nobody_draws(before)
        screen.truncate(0)
    assert told == ["sheep 1", "sheep 2"]
    assert nobody_draws(before)


def test_what_is_printed_into_a_pipe_is_not_drawn_by_the_bar(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen, pipe = screen_for_bars(monkeypatch), io.StringIO()
    monkeypatch.setattr(sys, "stdout", pipe)
    for batch in shown_items(counting(screen), TITLE, sheep):
        print(*batch)
        screen.truncate(0)
    assert pipe.getvalue() == "sheep 1\nsheep 2\n"
    assert "sheep 1" not in screen.getvalue()


class Log(io.StringIO):
    """Stderr of a command in a pipe, and signals when it has a number of lines."""

    def __init__(self) -> None:
        super().__init__()
        self.has_two_lines = threading.Event()

    def write(self, text: str) -> int:
        written = super().write(text)
        if self.getvalue().count("\n") >= 2:
            self.has_two_lines.set()
        return written


def test_where_there_is_no_screen_long_work_gets_a_line_now_and_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = Log()
    monkeypatch.setattr(sys, "stderr", log)
    monkeypatch.setattr(progress_view, "PATIENCE_WITHOUT_SCREEN_S", 0.0)
    monkeypatch.setattr(progress_view, "LINES_EVERY_S", 0.01)
    before = set(threading.enumerate())

    def counting() -> Job[Progress, str]:
        yield Progress("sheep", 1, 4)
        assert log.has_two_lines.wait(DEADLINE_S), "there are no lines"
        return "asleep"

    assert show_progress(counting(), TITLE) == "asleep"
    assert nobody_draws(before)
    assert f"{TITLE}: sheep: 25%, 0 s\n" in log.getvalue()


def test_short_work_says_nothing_where_there_is_no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    log = Log()
    monkeypatch.setattr(sys, "stderr", log)
    monkeypatch.setattr(progress_view, "PATIENCE_WITHOUT_SCREEN_S", 3600.0)
    assert show_waiting(lambda: "asleep", TITLE) == "asleep"
    assert log.getvalue() == ""


@pytest.mark.usefixtures("hears_ctrl_c")
def test_ctrl_c_waits_until_what_was_found_is_printed() -> None:
    closed = []

    def finding() -> Job[Progress, None]:
        try:
            yield Progress("sheep", 1, 3)
            yield Progress("sheep", 2, 3)
        finally:
            closed.append(True)

    printed: list[str] = []
    job = shown_items(finding(), TITLE, sheep)
    printed += next(job)
    os.kill(os.getpid(), signal.SIGINT)
    printed.append("whole")
    with pytest.raises(KeyboardInterrupt):
        next(job)
    assert (printed, closed) == (["sheep 1", "whole"], [True])
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
