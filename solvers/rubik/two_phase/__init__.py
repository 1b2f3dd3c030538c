"""Kociemba's two-phase search: coordinates, pruning tables, compiled search."""
