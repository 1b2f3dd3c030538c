"""On which line of a TOML text a key stands, which the standard library's parser does not tell."""

import re

TABLE = re.compile(r"\s*\[\[?\s*(\w+)\s*\]")
KEY = re.compile(r"\s*[\"']?(\w[\w-]*)[\"']?\s*=\s*(.*)")


class TomlLines:
    """Finds keys by table name, the table's number among those of its name, and key.

    The text outside all tables is the table "". It looks at one line at a time, which is enough
    for puzzle files: their texts of several lines are drawings, which look like no key.
    """

    def __init__(self, text: str) -> None:
        self._found: dict[tuple[str, int, str], int] = {("", 0, ""): 1}
        self._drawing_starts_below: set[int] = set()
        seen: dict[str, int] = {}
        name = ""
        for number, line in enumerate(text.splitlines(), start=1):
            if table := TABLE.match(line):
                name = table[1]
                seen[name] = seen.get(name, -1) + 1
                self._found[name, seen[name], ""] = number
            elif key := KEY.match(line):
                self._found.setdefault((name, seen.get(name, 0), key[1]), number)
                if key[2].strip() in ("'''", '"""'):
                    self._drawing_starts_below.add(number)

    def of(self, name: str, index: int, key: str) -> int:
        """Return the line of a key, or else of its table, or else 1; lines count from 1."""
        for place in ((name, index, key), (name, index, ""), ("", 0, name), ("", 0, "")):
            if place in self._found:
                return self._found[place]
        return 1

    def row(self, name: str, index: int, key: str, row: int) -> int:
        """Return the line of row `row`, from 0, of the drawing under a key."""
        line = self.of(name, index, key)
        return line + row + (line in self._drawing_starts_below)
