"""Tests with a program of the owner's: not collected unless the environment says where it is."""

import os

from tests.integration.owners_program.variables import MINDCUBER_PROGRAM

collect_ignore = [] if os.environ.get(MINDCUBER_PROGRAM) else ["test_mindcuber_program.py"]
