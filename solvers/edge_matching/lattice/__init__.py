"""Kinds of cells and how they touch: triangles, squares, hexagons, cubes."""
