"""`puzzle cube`: Rubik's cube."""

from solvers.cli import cube_prepare, cube_scramble, cube_show, cube_solve
from solvers.foundation.command_line.app import new_app

app = new_app("Solve, scramble and show Rubik's cube.")
app.command("solve")(cube_solve.solve)
app.command("scramble")(cube_scramble.scramble)
app.command("show")(cube_show.show)
app.command("prepare")(cube_prepare.prepare)
