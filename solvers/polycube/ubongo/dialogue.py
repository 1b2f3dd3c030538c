"""Entry of a card in the thesis' order: number of pieces, piece numbers, base area row by row.

A `Dialogue` holds the next question and takes one answer after another. A wrong answer is explained
and the question stays; `back` removes the last accepted answer. It neither prints nor reads, so any
front end can drive it.
"""

from solvers.polycube.errors import PuzzleError
from solvers.polycube.ubongo.card import (
    FIELD,
    MAX_PIECES,
    MAX_SIDE,
    NO_FIELD,
    Card,
    check_pieces,
    check_rows,
    comma_list,
    volume,
)

BACK = "back"
# The thesis' program asked for 0 where a field is white, that is part of the base area.
THESIS_MARKS = str.maketrans("01", FIELD + NO_FIELD)


class Dialogue:
    """The entry of one card."""

    def __init__(self, height: int = 2) -> None:
        self.height = height
        self.number_of_pieces: int | None = None
        self.pieces: list[int] = []
        self.rows: list[str] = []

    @property
    def finished(self) -> bool:
        """Whether the card is complete."""
        return self._pieces_known and self.fields_missing == 0

    @property
    def fields_missing(self) -> int:
        """Number of fields missing from the rows for the pieces' cubes."""
        return self._area_wanted - sum(row.count(FIELD) for row in self.rows)

    @property
    def question(self) -> str:
        """The next question."""
        if self.number_of_pieces is None:
            return f"Number of pieces (1 to {MAX_PIECES}): "
        if not self._pieces_known:
            return f"Number of piece {len(self.pieces) + 1} of {self.number_of_pieces} (1 to 16): "
        return (
            f"Row {len(self.rows) + 1} of the base area, '{FIELD}' a field and '{NO_FIELD}' none "
            f"({self.fields_missing} of {self._area_wanted} fields missing): "
        )

    def answer(self, text: str) -> str | None:
        """Take an answer; return why it is not accepted, or None if it is."""
        text = text.strip()
        try:
            if text.lower() == BACK:
                self._back()
            elif not text:
                raise PuzzleError("An answer is missing.")
            elif self.number_of_pieces is None:
                self._take_number_of_pieces(text)
            elif not self._pieces_known:
                self._take_pieces(text)
            else:
                self._take_row(text)
        except PuzzleError as error:
            return str(error)
        return None

    def card(self) -> Card:
        """Return the card; PuzzleError as long as something is missing."""
        if not self.finished:
            raise PuzzleError(self.missing)
        return Card(tuple(self.pieces), tuple(self.rows), self.height)

    @property
    def missing(self) -> str:
        """What is still missing, as a sentence."""
        if self.number_of_pieces is None:
            return "The number of pieces is missing."
        if not self._pieces_known:
            return f"Piece {len(self.pieces) + 1} of {self.number_of_pieces} is missing."
        return (
            f"Row {len(self.rows) + 1} of the base area is missing: {self.fields_missing} of "
            f"{self._area_wanted} fields are not drawn yet."
        )

    @property
    def _pieces_known(self) -> bool:
        return len(self.pieces) == self.number_of_pieces

    @property
    def _area_wanted(self) -> int:
        return volume(self.pieces) // self.height

    def _back(self) -> None:
        if self.rows:
            self.rows.pop()
        elif self.pieces:
            self.pieces.pop()
        elif self.number_of_pieces is not None:
            self.number_of_pieces = None
        else:
            raise PuzzleError("There is no earlier answer to go back to.")

    def _take_number_of_pieces(self, text: str) -> None:
        numbers = _numbers(text)
        if len(numbers) != 1 or not 1 <= numbers[0] <= MAX_PIECES:
            raise PuzzleError(f"{text!r} is not a number from 1 to {MAX_PIECES}.")
        self.number_of_pieces = numbers[0]

    def _take_pieces(self, text: str) -> None:
        assert self.number_of_pieces is not None
        numbers = _numbers(text)
        check_pieces(numbers)
        pieces = [*self.pieces, *numbers]
        if len(pieces) > self.number_of_pieces:
            raise PuzzleError(
                f"That makes {len(pieces)} pieces, but {self.number_of_pieces} were announced."
            )
        if len(pieces) == self.number_of_pieces and volume(pieces) % self.height:
            raise PuzzleError(
                f"Pieces {comma_list(pieces)} have {volume(pieces)} cubes, which do not make "
                f"{self.height} equal layers; check this number, or go '{BACK}' to an earlier one."
            )
        self.pieces = pieces

    def _take_row(self, text: str) -> None:
        row = "".join(text.split()).translate(THESIS_MARKS)
        rows = [*self.rows, row]
        check_rows(rows)
        missing = self.fields_missing - row.count(FIELD)
        if missing < 0:
            raise PuzzleError(
                f"With this row the base area has {self._area_wanted - missing} fields, but the "
                f"pieces fill {self._area_wanted}; check it, or go '{BACK}' to an earlier answer."
            )
        if missing and len(rows) == MAX_SIDE:
            raise PuzzleError(f"After {MAX_SIDE} rows {missing} fields would still be missing.")
        self.rows = rows


def _numbers(text: str) -> list[int]:
    words = text.replace(",", " ").split()
    if not all(word.isascii() and word.isdigit() and len(word) < 6 for word in words):
        raise PuzzleError(f"{text!r} is not a whole number.")
    return [int(word) for word in words]
