"""A webcam above the cradle rig: renders what it would see, and serves it as MJPEG."""
