"""How the brick compares file names: without case, and with three kinds of wildcards."""

from collections.abc import Callable
from typing import Final

LONGEST_NAME: Final = 19  # 15.3 characters as the menu shows them; the loader takes any 19


def matcher(pattern: bytes) -> Callable[[bytes], bool]:
    """Return a test of names: `*.*` is all, `name.*` a beginning, `*.ext` anything with that in it.

    Only these forms are wildcards; any other pattern is a whole name (dLoaderInsertSearchStr).
    """
    wanted = pattern.upper()
    if b"*.*" in pattern:
        return lambda name: True  # noqa: ARG005
    if b".*" in pattern:
        beginning = wanted[:-1]
        return lambda name: name.upper().startswith(beginning)
    if b"*." in pattern:
        part = wanted[1:5]
        return lambda name: part in name.upper()
    return lambda name: name.upper() == wanted
