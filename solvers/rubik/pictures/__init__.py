"""Pictures of cubes: the colours of stickers, and a page that plays a solution."""
