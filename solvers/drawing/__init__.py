"""Flat drawings made of polygons, lines and text; written as SVG or as PDF from the same shapes."""
