"""All solutions of a puzzle: placements, symmetries, parts, workers, an independent check."""
