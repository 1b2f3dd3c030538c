"""The Cube page: positions, readings of a camera, and searches."""
