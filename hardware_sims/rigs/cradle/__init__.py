"""The three-motor cradle rig: cradle, tilt arm, pusher, and the cube that they turn."""
