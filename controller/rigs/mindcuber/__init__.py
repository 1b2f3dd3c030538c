"""MindCuber for NXT: a turntable, a tilt arm, and a colour sensor on an arm."""
