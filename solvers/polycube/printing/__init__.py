"""Pieces as solids for a 3D printer: bevelled, with clearance, as STL and 3MF files."""
