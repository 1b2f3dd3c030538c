"""Puzzles as TOML files; docs/packing.md describes the format."""
