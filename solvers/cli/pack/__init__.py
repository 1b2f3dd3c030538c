"""`puzzle pack`: packing puzzles."""
