"""Where in a frame the nine stickers of a face lie, and the colours they have there."""
