"""Builds: a program's sources, the firmware library, sdcc, and the linked image."""
