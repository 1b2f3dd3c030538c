"""Looks things up in a file's tree, with sentences about what is missing or wrong."""

from dataclasses import dataclass
from xml.etree.ElementTree import Element

from solvers.foundation.numbers import whole_number
from solvers.polycube.errors import PuzzleFileError

LARGEST_NUMBER = 10**9


@dataclass(frozen=True, slots=True)
class Tree:
    """A file's elements; `where` starts every message."""

    root: Element
    where: str

    def only(self, parent: Element, tag: str) -> Element:
        """Return the one element of this name that `parent` must hold."""
        found = parent.findall(tag)
        if len(found) != 1:
            raise self.error(f"<{parent.tag}> must hold one <{tag}>, not {len(found)}")
        return found[0]

    def attribute(self, element: Element, key: str) -> str:
        """Return an attribute that must be there."""
        value = element.get(key)
        if value is None:
            raise self.error(f"<{element.tag}> lacks the attribute {key}")
        return value

    def number(self, element: Element, key: str, least: int, most: int) -> int:
        """Return an attribute that must be a number within bounds."""
        text = self.attribute(element, key)
        value = int_or(text, least - 1)
        if not least <= value <= most:
            raise self.error(
                f"{key} of <{element.tag}> must be a number from {least} to {most}, not {text!r}"
            )
        return value

    def error(self, message: str) -> PuzzleFileError:
        """Return an error that names the file."""
        return PuzzleFileError(f"{self.where}: {message.removesuffix('.')}.")


def int_or(text: str | None, otherwise: int) -> int:
    """Return the decimal number in a text of ordinary length, or `otherwise`."""
    number = whole_number(text, LARGEST_NUMBER) if text else None
    return otherwise if number is None else number
