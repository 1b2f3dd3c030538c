"""What lives beside the processor core: timers, serial port, converter, pins, interrupts."""
