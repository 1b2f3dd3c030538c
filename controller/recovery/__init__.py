"""Recovery of a job from faults, within bounds."""
