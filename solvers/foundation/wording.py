"""Text: counted nouns, names that were nearly right, and whole numbers as people write them."""

from collections.abc import Iterable

_ALIKE = 0.6
"""How alike a word and a name are, from 0 to 1, for the name to be suggested."""


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """Return a question about the name that is most like a word, "" if none is."""
    from difflib import get_close_matches

    found = get_close_matches(word.lower(), names, n=1, cutoff=_ALIKE)
    return f" Did you mean {found[0]}?" if found else ""


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number of things in words: `1 solution`, `240 solutions`."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def whole_number(text: str, largest: int) -> int | None:
    """Return the number that a text writes in the digits 0 to 9, None for anything else.

    Python's own `int` also takes other scripts' digits, spaces and underscores, `isdigit` takes
    superscripts that `int` then refuses, and from 4,300 digits on `int` gives up.
    """
    if not (text.isascii() and text.isdecimal()):
        return None
    digits = text.lstrip("0") or "0"
    number = int(digits) if len(digits) <= len(str(largest)) else largest + 1
    return number if number <= largest else None
