"""Finds sets of pieces for a target: with one solution, hard to take apart, or long to search."""
