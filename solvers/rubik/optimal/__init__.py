"""Solutions that are proven to be the shortest."""
