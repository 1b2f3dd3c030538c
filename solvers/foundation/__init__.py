"""What all four packages share and no puzzle, device or protocol is in; imports nothing of them."""
