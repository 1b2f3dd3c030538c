"""System calls that leave the compiled interpreter: files, sound, screen, modules, sensors."""
