"""Scanning a cube by robot or by hand, and saved scans."""
