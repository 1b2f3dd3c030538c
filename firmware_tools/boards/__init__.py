"""Boards as data: one TOML file each, read into typed facts."""
