"""Says how a solution comes apart: in words, and as JSON data."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solvers.polycube.lattice.lattice import Lattice
    from solvers.polycube.puzzle import PackingSolution
    from solvers.polycube.taking_apart.collection import Collection
    from solvers.polycube.taking_apart.disassembly import Disassembly

MOST_LEVELS = 12


def disassembly_as_text(
    solution: "PackingSolution", found: "Disassembly", lattice: "Lattice"
) -> str:
    """Return level and moves; pieces have the letters they have in the text picture."""
    from solvers.polycube.pictures.layers import symbols
    from solvers.polycube.taking_apart.disassembly import Hindrance

    letters = symbols(solution)
    if found.separation is None:
        stuck = ", ".join(letters[number] for number in found.stuck)
        if found.hindrance is Hindrance.LOCKED:
            if found.positions == 1:
                return f"It does not come apart: of {stuck} no set can move at all."
            return (
                f"It does not come apart: {stuck} stay together in all {found.positions} positions "
                "that they can reach."
            )
        return (
            f"Whether it comes apart is not known: {found.positions} positions of {stuck} fill the "
            "room there is."
        )
    lines = [f"Level {found.level}. Taken apart:"]
    number = 0
    for separation in found.separation.every():
        if number:
            names = ", ".join(letters[piece] for piece in separation.pieces)
            lines.append(f"     then {names}:")
        for move in separation.moves:
            number += 1
            names = ", ".join(letters[piece] for piece in move.pieces)
            lines.append(f"{number:3}. {names}: {move.words(lattice)}")
    return "\n".join(lines)


def disassembly_as_json(
    solution: "PackingSolution", found: "Disassembly", lattice: "Lattice"
) -> dict[str, Any]:
    """Return the object that docs/pictures.md describes."""
    from solvers.polycube.taking_apart.disassembly import way_words

    separations = []
    for separation in found.separation.every() if found.separation else ():
        moves = [
            {
                "pieces": list(move.pieces),
                "direction": way_words(move.way, lattice),
                "steps": move.steps,
            }
            for move in separation.moves
        ]
        separations.append({"pieces": list(separation.pieces), "moves": moves})
    return {
        "level": found.level,
        "pieces": [placement.piece for placement in solution.placements],
        "separations": separations,
        "hindrance": found.hindrance.value if found.hindrance else None,
        "stuck": list(found.stuck),
        "positions": found.positions,
    }


def collection_as_json(collection: "Collection") -> dict[str, Any]:
    """Return how many solutions come apart, and their levels."""
    from solvers.polycube.taking_apart.disassembly import Hindrance

    return {
        "come_apart": collection.come_apart,
        "locked": collection.hindered[Hindrance.LOCKED],
        "given_up": collection.hindered[Hindrance.GIVEN_UP],
        "levels": dict(collection.hardest_levels()),
    }


def collection_as_text(collection: "Collection") -> str:
    """Return a sentence about how many solutions come apart and how hard they are."""
    from solvers.polycube.taking_apart.disassembly import Hindrance

    levels = list(collection.hardest_levels())
    given_up = collection.hindered[Hindrance.GIVEN_UP]
    told = f"{collection.come_apart} of {collection.solutions} come apart"
    if levels:
        listed = [f"{level} ({count})" for level, count in levels[:MOST_LEVELS]]
        more = ", ..." if len(levels) > MOST_LEVELS else ""
        told += f"; levels, hardest first: {', '.join(listed)}{more}"
    return f"{told}. Of {given_up} nobody knows." if given_up else f"{told}."
