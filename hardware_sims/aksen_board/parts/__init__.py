"""What hangs on the board: display, servos, wheels, light, the CAN controller."""
