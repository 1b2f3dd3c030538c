"""Edge-matching puzzles: tiles with labels on their sides, on boards of equal cells."""
