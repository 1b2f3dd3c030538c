"""Simulated rigs: what may hang on the motors of the brick."""
