"""What surrounds the processor core: timers, serial port, converter, pins, interrupts."""
