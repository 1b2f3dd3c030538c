"""Layer by layer, as a person solves the cube: many moves, each of which has a reason."""
