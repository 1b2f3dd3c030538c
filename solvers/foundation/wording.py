"""Small matters of English that every command has."""


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number of things in words: `1 solution`, `240 solutions`."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
