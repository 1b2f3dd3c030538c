"""The `puzzle` command."""

from typing import NoReturn

from solvers.cli import cube, pack, slide, tiles, ubongo
from solvers.foundation.command_line.app import new_app, run

app = new_app("Solve cubes, sliding tiles, packing puzzles and edge-matching puzzles.")
app.add_typer(cube.app, name="cube")
app.add_typer(pack.app, name="pack")
app.add_typer(slide.app, name="slide")
app.add_typer(tiles.app, name="tiles")
app.add_typer(ubongo.app, name="ubongo")


@app.callback()
def puzzle() -> None:
    """Group of subcommands; see their own help."""


def main() -> NoReturn:
    """Entry point of the `puzzle` command."""
    run(app)
