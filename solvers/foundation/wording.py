"""Numbers in text: counted nouns, and whole numbers as people and files write them."""


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
