"""Packings of marked pieces by trying everything, with a reader and a geometry of its own.

It reads a puzzle file in which every piece is used once and every cell of a box is filled. Pieces
are put where they fit, one after another, and the rules are looked at for all of them each time.
Points are in halves of a cell: a cell's middle is even, a mark is a step away from it.
"""

import tomllib
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

Point = tuple[int, int, int]
# The middle of a cell, the step to a marked face or 0, 0, 0, the kind of the mark and its sign; of
# each cell itself, too, with no kind.
Atom = tuple[Point, Point, str, str]
Placed = frozenset[Atom]

# For each kind of marks its rule and its pairs.
Rules = dict[str, tuple[str, set[tuple[str, str]]]]

HERE: Point = (0, 0, 0)
STEPS = {
    "right": (1, 0, 0), "left": (-1, 0, 0), "front": (0, 1, 0), "back": (0, -1, 0),
    "top": (0, 0, 1), "bottom": (0, 0, -1),
}  # fmt: skip


class MarkedPuzzle:
    """A puzzle file, read independently of the product."""

    def __init__(self, text: str) -> None:
        file: dict[str, Any] = tomllib.loads(text)
        self.rules: Rules = {"bores": ("through", set()), "colours": ("fit", set())}
        for kind, said in file.get("marks", {}).items():
            self.rules[kind] = (
                said["rule"],
                {(pair[0], pair[1]) for pair in said.get("pairs", [])},
            )
        self.rules["colours"][1].update((str(a), str(b)) for a, b in file.get("colour_pairs", []))
        self.target = _atoms(file["target"], self.rules)
        self.pieces = [_atoms(piece, self.rules) for piece in file["piece"]]
        self.cells = {at for at, _, kind, _ in self.target if not kind}

    @cached_property
    def solutions(self) -> frozenset[frozenset[Placed]]:
        """All fillings that obey the rules, as sets of placed pieces."""
        lying = [[at for at in set(self._places(p)) if self._obeys([at])] for p in self.pieces]
        return frozenset(map(frozenset, self._fillings(lying, [])))

    def classes(self, *, reflections: bool) -> int:
        """Return the number of solutions that no rotation of the target maps to each other.

        With `reflections`, no rotation or reflection does.
        """
        left, number = set(self.solutions), 0
        while left:
            one = next(iter(left))
            number += 1
            whole = self.target.union(*one)
            # The target is rotated together with its solution, so that both stay together.
            bodies = [self.target, *sorted(one, key=sorted), whole]
            for turned in _turns(bodies, reflections=reflections):
                target, *pieces, _ = turned
                if target == self.target:
                    left.discard(frozenset(pieces))
        return number

    def _places(self, piece: Placed) -> Iterator[Placed]:
        for (turned,) in _turns([piece]):
            for cell in self.cells:
                moved = _moved(turned, [a - b for a, b in zip(cell, _low(turned), strict=True)])
                if {at for at, *_ in moved} <= self.cells:
                    yield moved

    def _fillings(self, lying: list[list[Placed]], there: list[Placed]) -> Iterator[list[Placed]]:
        free = self.cells - {at for piece in there for at, *_ in piece}
        if not free or not lying:
            if not free and not lying:
                yield there
            return
        for number, places in enumerate(lying):
            for each in places:
                cells = {at for at, *_ in each}
                if min(free) in cells and cells <= free and self._obeys([*there, each]):
                    rest = [*lying[:number], *lying[number + 1 :]]
                    yield from self._fillings(rest, [*there, each])

    def _obeys(self, filling: list[Placed]) -> bool:
        """Return whether pieces, which need not fill the target, break no rule."""
        owner = {at: number for number, piece in enumerate(filling) for at, *_ in piece}
        marks = {(at, step, kind): sign for piece in filling for at, step, kind, sign in piece}
        wanted = {(at, step, kind): sign for at, step, kind, sign in self.target}
        for kind, (rule, pairs) in self.rules.items():
            if not any(key[2] == kind for key in (*marks, *wanted)):
                continue
            for at, step in ((at, step) for at in owner for step in STEPS.values()):
                beyond = (at[0] + 2 * step[0], at[1] + 2 * step[1], at[2] + 2 * step[2])
                back = (-step[0], -step[1], -step[2])
                one, asked = marks.get((at, step, kind)), wanted.get((at, step, kind))
                middle, field = marks.get((at, HERE, kind)), wanted.get((at, HERE, kind))
                other = marks.get((beyond, back, kind))
                is_outside, is_joint = (
                    beyond not in self.cells,
                    owner.get(beyond, owner[at]) != owner[at],
                )
                broken = {
                    "fit": middle and field and (middle, field) not in pairs,
                    "through": beyond in owner and (one is None) != (other is None),
                    "show": is_outside and asked and one != asked,
                    "match": (is_outside and not _match(one, asked, pairs))
                    or (is_joint and not _match(one, other, pairs)),
                }
                if broken[rule]:
                    return False
        return True


def _match(one: str | None, other: str | None, pairs: set[tuple[str, str]]) -> bool:
    a, b = one or ".", other or "."
    return a == b == "." or (a, b) in pairs or (b, a) in pairs


def _atoms(table: dict[str, Any], rules: Rules) -> Placed:
    """Return a piece or a target, its first cell's middle at 0, 0, 0 of the drawing."""
    if "box" in table:
        width, depth, height = table["box"]
        cells = {(x, y, z) for x in range(width) for y in range(depth) for z in range(height)}
    else:
        cells = set(_drawn(table["layers"]))
    found = {(_double(cell), HERE, "", "") for cell in cells}
    marks = {key: table[key] for key in ("bores", "colours") if key in table}
    for kind, drawn in (marks | table.get("marks", {})).items():
        if rules[kind][0] == "fit":
            found |= {(_double(at), HERE, kind, sign) for at, sign in _drawn(drawn).items()}
        elif rules[kind][0] == "through":
            for letter, places in drawn.items():
                axis = "xyz".index(letter)
                step = tuple(int(other == axis) for other in range(3))
                for cell in cells:
                    if [cell[other] for other in range(3) if other != axis] in places:
                        back = tuple(-part for part in step)
                        found.add((_double(cell), step, kind, "o"))  # type: ignore[arg-type]
                        found.add((_double(cell), back, kind, "o"))  # type: ignore[arg-type]
        else:
            for face, drawing in drawn.items():
                signs = _drawn(drawing).items()
                found |= {(_double(at), STEPS[face], kind, sign) for at, sign in signs}
    return frozenset(found)


def _drawn(text: str) -> dict[Point, str]:
    return {
        (x, y, z): sign
        for y, row in enumerate(text.strip("\n").split("\n"))
        for z, block in enumerate(row.split())
        for x, sign in enumerate(block)
        if sign != "."
    }


def _double(cell: Point) -> Point:
    return 2 * cell[0], 2 * cell[1], 2 * cell[2]


def _turns(bodies: list[Placed], *, reflections: bool = False) -> list[list[Placed]]:
    """Return bodies rotated together in every way, the last one's low corner where it was."""
    found = [bodies]
    seen = {tuple(bodies)}
    for each in found:  # grows while it is read
        for turn in (_about_x, _about_z, _mirrored)[: 3 if reflections else 2]:
            moved = [
                frozenset((turn(at), turn(step), kind, sign) for at, step, kind, sign in body)
                for body in each
            ]
            shift = [a - b for a, b in zip(_low(bodies[-1]), _low(moved[-1]), strict=True)]
            back = [_moved(body, shift) for body in moved]
            if tuple(back) not in seen:
                seen.add(tuple(back))
                found.append(back)
    return found


def _moved(body: Placed, shift: Sequence[int]) -> Placed:
    dx, dy, dz = shift
    return frozenset(
        ((x + dx, y + dy, z + dz), step, kind, sign) for (x, y, z), step, kind, sign in body
    )


def _low(body: Placed) -> list[int]:
    return [min(at[axis] for at, *_ in body) for axis in range(3)]


def _about_x(point: Point) -> Point:
    return point[0], -point[2], point[1]


def _mirrored(point: Point) -> Point:
    return -point[0], point[1], point[2]


def _about_z(point: Point) -> Point:
    return -point[1], point[0], point[2]
