"""What the rig does to the cube: primitives, plans, their price and their execution."""
