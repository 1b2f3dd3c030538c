"""The machines that can turn a cube: one folder each, and a registry."""
