"""Sliding-tile puzzles: boards, heuristics, optimal search, and the policy table of the 8-puzzle."""
