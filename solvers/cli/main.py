"""The `puzzle` command."""

from typing import NoReturn

from solvers.cli.command_line import new_app, run

app = new_app("Solve cubes, sliding tiles, packing puzzles and edge-matching puzzles.")


@app.callback()
def puzzle() -> None:
    """Group of subcommands; see their own help."""


def main() -> NoReturn:
    """Entry point of the `puzzle` command."""
    run(app)
