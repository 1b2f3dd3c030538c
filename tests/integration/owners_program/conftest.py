"""Tests with a program of the owner's: not collected unless the environment says where it is."""

from tests.mindcuber_program import program_path

collect_ignore = [] if program_path() else ["test_mindcuber_program.py"]
