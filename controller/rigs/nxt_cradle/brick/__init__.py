"""The line to an NXT brick: how it is named, reached, watched and kept awake."""
