"""Puzzles as TOML files, and those that come with the program."""
