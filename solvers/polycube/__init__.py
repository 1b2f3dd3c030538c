"""Packing puzzles: pieces of cubes and other cells, their files, solutions and pictures."""
