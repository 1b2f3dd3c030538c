"""Runs that are ended early in every way, and what the page and the journal tell then."""
