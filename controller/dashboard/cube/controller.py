"""What can be asked of the Cube page: the cube itself is the page's own, in its address."""

import secrets
from typing import Final

from controller.dashboard.controller import Controller, File, handler
from controller.dashboard.cube.hand import HandScan
from controller.dashboard.cube.position import PATTERNS, ends_of, legal, position_of
from controller.dashboard.cube.readings import Readings
from controller.dashboard.cube.search import CubeSearch
from controller.dashboard.cube.view import (
    AimRequest,
    CheckRequest,
    MendRequest,
    PatternNames,
    PositionView,
    ReadingView,
    ScanByHandRequest,
    ScrambleRequest,
    SolveRequest,
)
from controller.dashboard.hub import Hub
from solvers.rubik.held_cube import HeldCube, read_stickers
from solvers.rubik.scramble import random_state

JPEG: Final = "image/jpeg"
SEEDS: Final = 1_000_000


class CubeController(Controller):
    """Checks cubes, draws and reads them, and searches; any thread may ask."""

    page = "cube"

    def __init__(self, hub: Hub) -> None:
        self.readings = Readings(hub)
        self.search = CubeSearch(hub)
        self.hand = HandScan(hub, self.readings.take)

    def file(self, name: str) -> File | None:
        """Return `hand.jpg`, what the camera sees to which somebody shows a cube."""
        return File(self.hand.picture(), JPEG) if name == "hand.jpg" else None

    @handler
    def check(self, request: CheckRequest) -> PositionView:
        """Say whether stickers, or moves, make a cube. Raises NotationError."""
        return position_of(request.text, request.alphabet.notation)

    @handler
    def scramble(self, request: ScrambleRequest) -> PositionView:
        """Return a position, and the seed that gives it again."""
        seed = secrets.randbelow(SEEDS) if request.seed is None else request.seed
        return legal(HeldCube(random_state(seed)), seed)

    @handler
    def aim(self, request: AimRequest) -> PositionView:
        """Return the target as the cube is held. Raises FaceletError or NotationError."""
        _, target = ends_of(request.facelets, request.target, request.alphabet.notation)
        return legal(HeldCube(target, read_stickers(request.facelets).centres))

    @handler
    def patterns(self) -> PatternNames:
        """Return the names that a target may have."""
        return PatternNames(tuple(PATTERNS))

    @handler
    def mend(self, request: MendRequest) -> ReadingView:
        """Read the last scan again, with what somebody has seen on the cube."""
        return self.readings.mended(request.number, request.fixes)

    @handler
    def solve(self, request: SolveRequest) -> None:
        """Search for ever better solutions; the topic tells of them."""
        self.search.solve(request)

    @handler
    def prepare(self) -> None:
        """Compile the search; the page asks that before anybody asks for a search."""
        self.search.prepare()

    @handler
    def halt(self) -> None:
        """End the search, and nothing else."""
        self.search.stop()

    @handler
    def scan_by_hand(self, request: ScanByHandRequest) -> None:
        """Look at a cube that somebody shows to a camera."""
        self.hand.start(request.camera)

    @handler
    def end_hand(self) -> None:
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
