"""The ways to bring the brick's motors to their angles."""
