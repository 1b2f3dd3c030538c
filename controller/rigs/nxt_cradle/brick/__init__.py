"""The line to an NXT brick: how it is named, reached and watched, and how it stays awake."""
