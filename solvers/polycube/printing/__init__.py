"""Pieces as solids for a 3D printer: bevelled, with room between them, as STL and 3MF files."""
