"""From the colours of 54 stickers to the cube that shows them, and how sure that is."""
