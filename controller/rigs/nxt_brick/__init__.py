"""The NXT brick of a rig: its link, its programs, its motors, and what drives them."""
