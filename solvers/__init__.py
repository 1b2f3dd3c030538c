"""Pure search and puzzle state: no device, no clock, no screen."""
