"""What can be asked of the Cube page: the cube itself is the page's own, in its address."""

import secrets
from typing import Final

from controller.dashboard.cube.hand import HandScan
from controller.dashboard.cube.patterns import PATTERNS
from controller.dashboard.cube.position import ends_of, legal, position_of
from controller.dashboard.cube.readings import Readings
from controller.dashboard.cube.requests import (
    Aim,
    Check,
    Mend,
    Nothing,
    ScanByHand,
    Scramble,
    Solve,
)
from controller.dashboard.cube.search import CubeSearch
from controller.dashboard.cube.view import PatternNames, PositionView, ReadingView
from controller.dashboard.desk import Commands, Served
from controller.dashboard.hub import Hub
from solvers.rubik.held_cube import HeldCube, read_stickers
from solvers.rubik.scramble import random_state

JPEG: Final = "image/jpeg"
SEEDS: Final = 1_000_000


class CubeDesk:
    """Checks cubes, draws and reads them, and searches; any thread may ask."""

    def __init__(self, hub: Hub) -> None:
        self.readings = Readings(hub)
        self.search = CubeSearch(hub)
        self.hand = HandScan(hub, self.readings.take)

    def ask(self, command: str, words: bytes) -> object:
        """Carry out a command of the page. Raises InvalidInputError for one that there is not."""
        return _COMMANDS.carry_out(self, command, words)

    def file(self, name: str) -> Served | None:
        """Return `hand.jpg`, what the camera sees to which somebody shows a cube."""
        return Served(self.hand.picture(), JPEG) if name == "hand.jpg" else None

    def check(self, request: Check) -> PositionView:
        """Say whether stickers, or moves, make a cube. Raises NotationError."""
        return position_of(request.text, request.alphabet.notation)

    def scramble(self, request: Scramble) -> PositionView:
        """Return a position, and the seed that gives it again."""
        seed = secrets.randbelow(SEEDS) if request.seed is None else request.seed
        return legal(HeldCube(random_state(seed)), seed)

    def aim(self, request: Aim) -> PositionView:
        """Return the target as the cube is held. Raises FaceletError or NotationError."""
        _, target = ends_of(request.facelets, request.target, request.alphabet.notation)
        return legal(HeldCube(target, read_stickers(request.facelets).centres))

    def patterns(self, _: Nothing) -> PatternNames:
        """Return the names that a target may have."""
        return PatternNames(tuple(PATTERNS))

    def mend(self, request: Mend) -> ReadingView:
        """Read the last scan again, with what somebody has seen on the cube."""
        return self.readings.mended(request.number, request.fixes)

    def solve(self, request: Solve) -> None:
        """Search for ever better solutions; the topic tells of them."""
        self.search.solve(request)

    def prepare(self, _: Nothing) -> None:
        """Compile the search; the page asks that before anybody asks for a search."""
        self.search.prepare()

    def halt(self, _: Nothing) -> None:
        """End the search, and nothing else."""
        self.search.stop()

    def scan_by_hand(self, request: ScanByHand) -> None:
        """Look at a cube that somebody shows to a camera."""
        self.hand.start(request.camera)

    def end_hand(self, _: Nothing) -> None:
        """End that, and nothing else."""
        self.hand.stop()

    def stop(self) -> None:
        """End search and scan; what they have found stays."""
        self.search.stop()
        self.hand.stop()

    def close(self) -> None:
        """End both, and their processes."""
        self.hand.close()
        self.search.close()


_COMMANDS: Final[Commands[CubeDesk]] = Commands(
    "cube",
    {
        "check": (Check, CubeDesk.check),
        "aim": (Aim, CubeDesk.aim),
        "scramble": (Scramble, CubeDesk.scramble),
        "solve": (Solve, CubeDesk.solve),
        "halt": (Nothing, CubeDesk.halt),
        "scan_by_hand": (ScanByHand, CubeDesk.scan_by_hand),
        "end_hand": (Nothing, CubeDesk.end_hand),
        "prepare": (Nothing, CubeDesk.prepare),
        "patterns": (Nothing, CubeDesk.patterns),
        "mend": (Mend, CubeDesk.mend),
    },
)
