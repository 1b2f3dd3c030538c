"""A program's variables in memory: scalars, arrays by dope vectors, and their types."""
