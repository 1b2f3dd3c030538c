"""The robot's eye: frames, the grid of stickers in them, and the cube that the stickers show."""
