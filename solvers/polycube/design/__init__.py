"""Design of sets of pieces: with one solution, hard to take apart, or long to search."""
