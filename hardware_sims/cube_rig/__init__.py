"""The mechanics around the brick: cradle, tilt arm, pusher, and the cube that they turn."""
