"""The screen as programs draw on it: 100 x 64 pixels, y = 0 at the bottom."""
