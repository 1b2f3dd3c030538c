"""Frames from cameras, streams, video files and folders, and what can be wrong with a camera."""
