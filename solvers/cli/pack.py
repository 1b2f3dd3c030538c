"""`puzzle pack`: packing puzzles of unit cubes."""

from solvers.cli import pack_convert, pack_list, pack_solve
from solvers.foundation.command_line.app import new_app

app = new_app("Solve packing puzzles: pieces of unit cubes that fill a target.")
app.command("solve")(pack_solve.solve)
app.command("list")(pack_list.list_puzzles)
app.command("convert")(pack_convert.convert)
