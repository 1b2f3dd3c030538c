"""The line to the board: what opens it, what writes it down, and listening to it."""
