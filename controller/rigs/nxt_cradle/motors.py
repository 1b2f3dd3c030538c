"""The rig's motors."""

from enum import StrEnum


class Motor(StrEnum):
    """The three motors by what they move; the values are the brick's ports."""

    CRADLE = "A"
    ARM = "B"
    PUSHER = "C"
