"""Whole numbers as people and files write them."""


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
