"""Targets with names: moves that make each of them from the solved cube."""

from typing import Final

PATTERNS: Final = {
    "checkerboard": "M2 E2 S2",
    "six spots": "U D' R L' F B' U D'",
    "four spots": "F2 B2 U D' R2 L2 U D'",
    "cube in a cube": "F L F U' R U F2 L2 U' L' B D' B' L2 U",
    "superflip": "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2",
}
