"""Lines that somebody types into a running simulator."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

BACKSPACES: Final = "\b\x7f"
END_OF_INPUT: Final = "\x04"


def lines_of_input(show: Callable[[str], None] | None) -> Iterator[str]:
    """Yield the lines of standard input.

    With `show`, a terminal does not echo them: what is being typed is told to `show`, which draws
    it where it disturbs nothing.
    """
    if show is None or not sys.stdin.isatty():
        yield from sys.stdin
        return
    typed = ""
    while key := sys.stdin.read(1):
        if key == END_OF_INPUT:
            return
        if key in "\r\n":
            yield typed
            typed = ""
        elif key in BACKSPACES:
            typed = typed[:-1]
        elif key.isprintable():
            typed += key
        show(typed)


@contextmanager
def quiet_keyboard() -> Iterator[None]:
    """Have the terminal give each key at once and echo none; Ctrl-C goes on to work."""
    if not sys.stdin.isatty():
        yield
        return
    import termios

    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    changed = termios.tcgetattr(descriptor)
    changed[3] &= ~(termios.ICANON | termios.ECHO)
    termios.tcsetattr(descriptor, termios.TCSANOW, changed)
    try:
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSANOW, before)
