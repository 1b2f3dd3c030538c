"""Sliding-tile puzzles: boards, heuristics, optimal search, the 8-puzzle's policy table."""
