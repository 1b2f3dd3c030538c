"""MindCuber for NXT: a turntable, a tilt arm, a colour sensor on an arm, an ultrasonic sensor."""
