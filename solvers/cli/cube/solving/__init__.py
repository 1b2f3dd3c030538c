"""The ways to solve on the command line: few moves, the fewest, in stages, many cubes, 2x2x2."""
