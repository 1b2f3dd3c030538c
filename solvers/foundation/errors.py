"""Errors of the whole suite that a user can do something about.

    PuzzlerigError            exit code 1: the job failed
    └── InvalidInputError     exit code 2: what was asked cannot be read or makes no sense

Each package hangs its own errors below these two. A message is a sentence or two: what went
wrong, where, and what to do about it.
"""


class PuzzlerigError(Exception):
    """A job failed for a reason that the message explains."""

    exit_code = 1


class InvalidInputError(PuzzlerigError):
    """The input is malformed or describes something impossible."""

    exit_code = 2
