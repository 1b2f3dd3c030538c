"""Marks on the brick, by which a later run knows that its counters count from where they did."""

from enum import StrEnum


class Mark(StrEnum):
    """Who left it: the counts of one drive mean nothing to the other. Values are sensor modes."""

    DIRECT = "BOOL"
    PROGRAM = "EDGE"
