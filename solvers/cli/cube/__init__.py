"""`puzzle cube`: Rubik's cube."""
