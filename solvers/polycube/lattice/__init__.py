"""What a packing puzzle is cut out of: cells, how they are turned, moved and drawn."""
