"""How the `puzzle ubongo` commands show a solved card."""

from typing import TYPE_CHECKING, Any

from solvers.foundation.wording import counted

if TYPE_CHECKING:
    from solvers.polycube.puzzle import PackingSolution
    from solvers.polycube.ubongo.card import Card
    from solvers.polycube.ubongo.solve import Solved


def card_as_json(card: "Card") -> dict[str, Any]:
    """Return the card's own keys."""
    return {
        "name": card.name,
        "pieces": list(card.pieces),
        "board": list(card.rows),
        "height": card.height,
    }


def solution_as_json(solution: "PackingSolution") -> list[dict[str, Any]]:
    """Return each piece's number and cubes [x, y, z]: column, row and layer from 0."""
    return [
        {"piece": int(placement.piece), "cells": sorted(map(list, placement.cells))}
        for placement in solution.placements
    ]


def solved_as_json(solved: "Solved", *, only_count: bool) -> dict[str, Any]:
    """Return a card with its solutions, or their number."""
    found = solved.solutions
    return {
        **card_as_json(solved.card),
        "solutions": [] if only_count else [solution_as_json(s) for s in found],
        "count": len(found),
        "count_up_to_symmetry": solved.count_up_to_symmetry,
        "count_total": len(found),
        "nodes": solved.nodes,
    }


def print_solved(solved: "Solved", *, only_count: bool) -> None:
    """Print the solutions layer by layer, and how many there are."""
    from solvers.polycube.pictures.layers import to_text

    if not only_count:
        for number, solution in enumerate(solved.solutions, start=1):
            print(f"Solution {number}, layers from below:\n\n{to_text(solution)}\n")
    found = counted(len(solved.solutions), "solution") if solved.solutions else "no solution"
    print(f"{card_title(solved.card)}: {found}.")


def card_title(card: "Card") -> str:
    """Return the card in one line."""
    pieces = ", ".join(map(str, card.pieces))
    return f"{card.name}, pieces {pieces} on {' '.join(card.rows)}, {card.height} high"
