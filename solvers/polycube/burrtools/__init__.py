"""BurrTools' .xmpuzzle files, read and written."""
