"""`puzzle pack list`: the puzzles that come with the program."""

from solvers.foundation.command_line.app import JsonOption, print_json


def list_puzzles(as_json: JsonOption = False) -> None:
    """List the puzzles that `puzzle pack solve` knows by name.

    Examples:
      puzzle pack list
    """
    from solvers.polycube.files import library

    puzzles = [library.named(name) for name in library.names()]
    if as_json:
        rows = [
            {
                "name": puzzle.name,
                "title": puzzle.title,
                "cells": len(puzzle.target.required),
                "pieces": [piece.name for piece in puzzle.pieces],
                "reflections": puzzle.reflections,
                "source": puzzle.source,
            }
            for puzzle in puzzles
        ]
        print_json({"puzzles": rows})
        return
    width = max(len(puzzle.name) for puzzle in puzzles)
    for puzzle in puzzles:
        print(f"{puzzle.name:<{width}}  {puzzle.title}")
