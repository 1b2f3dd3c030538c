"""`puzzle ubongo`: cards of Ubongo 3-D, solved, asked for and made."""

from solvers.cli.ubongo_ask import ask
from solvers.cli.ubongo_generate import generate
from solvers.cli.ubongo_solve import solve
from solvers.foundation.command_line.app import new_app

app = new_app("Solve and make cards of Ubongo 3-D.")
app.command()(solve)
app.command()(ask)
app.command()(generate)
