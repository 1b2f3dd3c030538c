"""Solutions of packing puzzles: placements, symmetries, proofs, parts and workers."""
