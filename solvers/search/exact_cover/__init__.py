"""Exact cover: problems, their symmetries and parts, and the compiled search for all solutions."""
