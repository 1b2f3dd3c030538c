"""Stickers set by hand, as people write them: F3=R."""

from collections.abc import Iterable

from controller.vision.errors import InvalidScanError
from solvers.rubik.facelets import CENTRE_FACELETS, FACE_LETTERS, facelet_name

_FACELET_OF_NAME = {facelet_name(index): index for index in range(54)}


def parse_corrections(texts: Iterable[str]) -> dict[int, str]:
    """Return facelet indices and letters for texts such as "F3=R".

    Raises InvalidScanError for anything else, and for a centre, which gives its face the name.
    """
    corrections: dict[int, str] = {}
    for text in texts:
        name, _, letter = text.strip().upper().partition("=")
        facelet = _FACELET_OF_NAME.get(name)
        if facelet is None or len(letter) != 1 or letter not in FACE_LETTERS:
            raise InvalidScanError(
                f"{text!r} sets no sticker. Write a face and a number 1 to 9, then the face whose "
                "colour the sticker has: F3=R."
            )
        if facelet in CENTRE_FACELETS:
            raise InvalidScanError(
                f"{text!r} sets a centre, but a face is named after its centre. Set other stickers."
            )
        corrections[facelet] = letter
    return corrections
