"""What the motors do for each primitive, and what takes it back."""
