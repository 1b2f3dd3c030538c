"""How jobs look on a terminal, and their reports as text and JSON."""
