"""Lower bounds on the number of moves, one module each; `registry` lists them."""
