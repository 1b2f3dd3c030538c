"""A webcam above the rig: renders what it would see, and serves it as MJPEG."""
