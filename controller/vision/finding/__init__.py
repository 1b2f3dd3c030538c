"""The nine stickers of a face in a frame, and their colours."""
