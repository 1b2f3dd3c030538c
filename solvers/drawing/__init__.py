"""Flat drawings of polygons, lines and text, written as SVG or PDF."""
