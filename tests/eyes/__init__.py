"""What eyes have to bear: disturbed pictures, and cubes that a hand shows to a camera."""
