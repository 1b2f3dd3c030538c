"""The cube's side of the dashboard: how it lies, what the camera read, and the ways to solve it."""
