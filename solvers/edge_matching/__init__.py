"""Edge-matching puzzles: tiles with signed edge labels on boards of triangles or of squares."""
