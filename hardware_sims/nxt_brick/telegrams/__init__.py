"""The communication module: what each telegram asks for, and what the brick answers."""
