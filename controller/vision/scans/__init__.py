"""Scanning a cube by robot or by hand, and scans that are kept."""
