"""What bounds the search: classes under symmetry, distances in them, the graph near the goal."""
