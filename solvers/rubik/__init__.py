"""Rubik's cube: notation, facelets, cubies, coordinates and two-phase search."""
