"""`puzzle slide`: sliding-tile puzzles."""

from solvers.cli import slide_solve
from solvers.foundation.command_line.app import new_app

app = new_app("Solve sliding-tile puzzles: the 8-puzzle, the 15-puzzle and other sizes.")


@app.callback()
def slide() -> None:
    """Group of subcommands; see their own help."""


app.command("solve")(slide_solve.solve)
