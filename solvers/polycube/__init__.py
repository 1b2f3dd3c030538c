"""Packing puzzles of unit cubes: shapes, puzzles, their files, and all their solutions."""
