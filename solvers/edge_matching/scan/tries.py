"""Lists of tiles by what the known sides of a cell ask for."""

from collections import defaultdict
from collections.abc import Sequence

Choice = tuple[int, list[int]]
"""A placed tile and the numbers of the labels it shows."""


class Tries:
    """Leads from known labels, side after side, to the span of the placed tiles that show them.

    A row has an entry for each label: where the next row begins, or at the last side the number of
    a span. Span 0 is empty. Cells with the same choices and known sides share their trie.
    """

    def __init__(self, labels: int) -> None:
        self.rows: list[int] = []
        self.spans: list[tuple[int, int]] = [(0, 0)]
        self.candidates: list[int] = []
        self._labels = labels
        self._dead: dict[int, int] = {0: 0}
        self._known: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}

    def root(self, choices: list[Choice], sides: Sequence[int]) -> int:
        """Return where the trie for these choices begins."""
        key = tuple(placed for placed, _ in choices), tuple(sides)
        if key not in self._known:
            self._known[key] = self._branch(choices, sides)
        return self._known[key]

    def _branch(self, choices: list[Choice], sides: Sequence[int]) -> int:
        if not choices:
            return self._dead_end(len(sides))
        if not sides:
            start = len(self.candidates)
            self.candidates += [placed for placed, _ in choices]
            self.spans.append((start, len(self.candidates)))
            return len(self.spans) - 1
        groups: dict[int, list[Choice]] = defaultdict(list)
        for choice in choices:
            groups[choice[1][sides[0]]].append(choice)
        at = self._row(self._dead_end(len(sides) - 1))
        for label, group in groups.items():
            self.rows[at + label] = self._branch(group, sides[1:])
        return at

    def _dead_end(self, sides: int) -> int:
        """Return where a trie of that many sides begins that leads to the empty span."""
        if sides not in self._dead:
            self._dead[sides] = self._row(self._dead_end(sides - 1))
        return self._dead[sides]

    def _row(self, entry: int) -> int:
        self.rows += [entry] * self._labels
        return len(self.rows) - self._labels
