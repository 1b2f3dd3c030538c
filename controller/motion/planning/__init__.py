"""From moves to the primitives that a rig plays, and what they cost."""
