"""The 2x2x2 cube: read from 24 stickers, solved in the fewest moves."""
