"""Ubongo 3-D: cards with a base area, a height and some of sixteen numbered pieces."""
