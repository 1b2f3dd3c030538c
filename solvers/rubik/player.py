"""A page that plays a solution in the browser: self-contained, stage by stage, move by move."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources

from solvers.rubik.held_cube import HeldCube, sticker_colours
from solvers.rubik.notation import Move, Notation, format_moves


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a solution: its name, what it is for (or nothing), and its moves."""

    name: str
    purpose: str
    moves: tuple[Move, ...]


def to_html(
    held: HeldCube, parts: Sequence[Part], title: str, letters: Notation = Notation.STANDARD
) -> str:
    """Return a complete page on which `held` is turned by the moves of all parts.

    The page loads nothing from elsewhere. `#move=12` in its address starts after 12 moves.
    """
    data = json.dumps(
        {
            "stickers": held.stickers,
            "colours": sticker_colours(held.centres),
            "parts": [
                {
                    "name": part.name,
                    "purpose": part.purpose,
                    "moves": [
                        {
                            "face": move.face.name,
                            "quarters": -1 if move.quarter_turns == 3 else move.quarter_turns,
                            "text": format_moves((move,), letters),
                        }
                        for move in part.moves
                    ],
                }
                for part in parts
            ],
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )
    page = resources.files("solvers.rubik") / "player.html"
    text = page.read_text(encoding="utf-8").replace("__TITLE__", escape(title))
    # Without a literal "<" in the data no letter of the cube can end the script element.
    return text.replace("__DATA__", data.replace("<", "\\u003c"))
