"""The brick's three outputs: the firmware's control of them, and the motors behind it."""
