"""The brick's four sensor ports, and the sensors that can be plugged into them."""
