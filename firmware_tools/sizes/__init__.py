"""What a linked program takes of the board: code, data and the worst case of its stack."""
