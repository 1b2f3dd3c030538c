"""Counts a BurrTools file's assemblies as BurrTools does, read and searched by plain rules.

Cubes alone. It shares nothing with the product: neither the reading nor the turning of shapes, nor
the search, nor the symmetries. The rules are those of BurrTools' documentation and of what its
assembler does: voxels of the result that are `+` may stay empty, `maxHoles` of them if the number
of some piece is open; a coloured voxel fits neutral ones and on those its colour is paired
with; two placements differ where colours do; turns that leave the result as it is, colours and
all, make no new assembly, and reflections make none where the image can be built from the pieces.
Shapes that are equal are one, as here, where BurrTools keeps them apart.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product
from xml.etree.ElementTree import Element, fromstring

Spot = tuple[int, int, int]
Body = frozenset[tuple[Spot, str]]
"""Voxels with their marks, `#` or `+` and the colour's number."""
Placed = frozenset[tuple[int, Body]]


class BurrToolsCount:
    """One problem of a file; `assemblies` is BurrTools' count."""

    def __init__(self, text: str, number: int = 1) -> None:
        root = fromstring(text)
        bodies = [_body(voxel) for voxel in root.iterfind("shapes/voxel")]
        problem = root.findall("problems/problem")[number - 1]
        result = problem.find("result")
        assert result is not None
        self.target = dict(bodies[int(result.attrib["id"])])
        self.pairs = {
            (int(each.attrib["piece"]) + 1, int(each.attrib["result"]) + 1)
            for each in problem.iterfind("bitmap/pair")
        }
        self.kinds: list[Body] = []
        self.least: list[int] = []
        self.most: list[int] = []
        for use in problem.iterfind("shapes/shape"):
            once = use.get("count", "1")
            self._add(bodies[int(use.attrib["id"])], use.get("min", once), use.get("max", once))
        open_numbers = self.least != self.most
        self.holes = int(problem.get("maxHoles", len(self.target)))
        self.holes = self.holes if open_numbers else len(self.target)

    def _add(self, body: Body, least: str, most: str) -> None:
        kind = self._kind_of(body)
        if kind is None:
            kind = len(self.kinds)
            self.kinds.append(body)
            self.least.append(0)
            self.most.append(0)
        self.least[kind] += int(least)
        self.most[kind] += int(most)

    def assemblies(self) -> int:
        """Return the number of classes of assemblies."""
        maps = list(self._symmetries())
        return len({min(map(_order, self._images(found, maps))) for found in self._found()})

    def _found(self) -> Iterator[Placed]:
        by_spot: dict[Spot, list[tuple[int, Body]]] = {spot: [] for spot in self.target}
        for kind, body in enumerate(self.kinds):
            for placed in self._placements(body):
                by_spot[min(spot for spot, _ in placed)].append((kind, placed))
        yield from self._filled(sorted(self.target), by_spot, frozenset(), frozenset(), 0)

    def _filled(
        self,
        spots: list[Spot],
        by_spot: dict[Spot, list[tuple[int, Body]]],
        taken: frozenset[Spot],
        chosen: Placed,
        holes: int,
    ) -> Iterator[Placed]:
        """Decide spot by spot which placement starts there."""
        if not spots:
            used = Counter(kind for kind, _ in chosen)
            if all(low <= used[kind] for kind, low in enumerate(self.least)):
                yield chosen
            return
        spot, rest = spots[0], spots[1:]
        if spot in taken:
            yield from self._filled(rest, by_spot, taken, chosen, holes)
            return
        for kind, placed in by_spot[spot]:
            cells = {each for each, _ in placed}
            if not cells & taken and sum(k == kind for k, _ in chosen) < self.most[kind]:
                more = chosen | {(kind, placed)}
                yield from self._filled(rest, by_spot, taken | cells, more, holes)
        if self.target[spot][0] == "+" and holes < self.holes:
            yield from self._filled(rest, by_spot, taken, chosen, holes + 1)

    def _placements(self, body: Body) -> set[Body]:
        found = set()
        low = [min(spot[axis] for spot in self.target) for axis in range(3)]
        high = [max(spot[axis] for spot in self.target) for axis in range(3)]
        for turned in {_at_zero(each) for each in _turned(body)}:
            for shift in product(*(range(a, b + 1) for a, b in zip(low, high, strict=True))):
                moved = _moved(turned, (shift[0], shift[1], shift[2]))
                if all(where in self.target and self._fits(where, mark) for where, mark in moved):
                    found.add(moved)
        return found

    def _fits(self, spot: Spot, mark: str) -> bool:
        above, below = int(mark[1:] or 0), int(self.target[spot][1:] or 0)
        return not above or not below or (above, below) in self.pairs

    def _symmetries(self) -> Iterator[tuple[dict[Spot, Spot], bool]]:
        """Yield where the spots of the target go, and whether that reflects it."""
        own = _at_zero(frozenset(self.target.items()))
        low = tuple(min(spot[axis] for spot in self.target) for axis in range(3))
        for order, signs in product(permutations(range(3)), product((1, -1), repeat=3)):
            turned = {spot: _turn(spot, order, signs) for spot in self.target}
            corner = [min(spot[axis] for spot in turned.values()) for axis in range(3)]
            images = {
                spot: _sum(to, tuple(a - b for a, b in zip(low, corner, strict=True)))
                for spot, to in turned.items()
            }
            marked = frozenset((images[spot], mark) for spot, mark in self.target.items())
            if _at_zero(marked) == own:
                yield images, _reflects(order, signs)

    def _images(self, found: Placed, maps: list[tuple[dict[Spot, Spot], bool]]) -> Iterator[Placed]:
        for images, reflects in maps:
            placed = [
                (kind, frozenset((images[spot], mark) for spot, mark in body))
                for kind, body in found
            ]
            if reflects:
                kinds = [self._kind_of(body) for _, body in placed]
                used = Counter(kinds)
                if None in used or not all(
                    low <= used[kind] <= high
                    for kind, (low, high) in enumerate(zip(self.least, self.most, strict=True))
                ):
                    continue
                placed = [
                    (kind, body)
                    for kind, (_, body) in zip(kinds, placed, strict=True)
                    if kind is not None
                ]
            yield frozenset(placed)

    def _kind_of(self, body: Body) -> int | None:
        for kind, known in enumerate(self.kinds):
            if _at_zero(body) in {_at_zero(turned) for turned in _turned(known)}:
                return kind
        return None


def _body(voxel: Element) -> Body:
    width, depth = int(voxel.attrib["x"]), int(voxel.attrib["y"])
    marks: list[str] = []
    for sign in "".join((voxel.text or "").split()):
        if sign.isdigit():
            marks[-1] += sign
        else:
            marks.append(sign)
    return frozenset(
        ((at % width, at // width % depth, at // (width * depth)), mark)
        for at, mark in enumerate(marks)
        if mark[0] != "_"
    )


def _turned(body: Body) -> Iterator[Body]:
    for order, signs in product(permutations(range(3)), product((1, -1), repeat=3)):
        if not _reflects(order, signs):
            yield frozenset((_turn(spot, order, signs), mark) for spot, mark in body)


def _reflects(order: tuple[int, ...], signs: tuple[int, ...]) -> bool:
    swaps = sum(order[i] > order[j] for i in range(3) for j in range(i + 1, 3))
    return (swaps + signs.count(-1)) % 2 == 1


def _turn(spot: Spot, order: tuple[int, ...], signs: tuple[int, ...]) -> Spot:
    x, y, z = (signs[axis] * spot[order[axis]] for axis in range(3))
    return x, y, z


def _sum(spot: Spot, way: tuple[int, ...]) -> Spot:
    return spot[0] + way[0], spot[1] + way[1], spot[2] + way[2]


def _moved(body: Body, way: Spot) -> Body:
    return frozenset((_sum(spot, way), mark) for spot, mark in body)


def _at_zero(body: Body) -> Body:
    low = [min(spot[axis] for spot, _ in body) for axis in range(3)]
    return _moved(body, (-low[0], -low[1], -low[2]))


def _order(placed: Placed) -> tuple[tuple[int, tuple[tuple[Spot, str], ...]], ...]:
    return tuple(sorted((kind, tuple(sorted(body))) for kind, body in placed))
