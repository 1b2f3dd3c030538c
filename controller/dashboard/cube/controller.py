"""Controller of the Cube page, and the last cubes that a camera has read.

Start and target are in the page's address, not here.
"""

import secrets
import threading
from collections.abc import Mapping
from typing import Final

from controller.dashboard.controller import Controller, File, handler
from controller.dashboard.cube import view
from controller.dashboard.cube.hand import HandScan
from controller.dashboard.cube.position import ends_of, legal, position_of
from controller.dashboard.cube.search import CubeSearch
from controller.dashboard.hub import Hub
from controller.job_events import CubeRead
from controller.vision.reading.reader import parse_corrections, read_cube
from controller.vision.reading.result import ScanResult, colours_of
from solvers.foundation.clock import time_of_day
from solvers.foundation.errors import InvalidInputError
from solvers.rubik.facelets import FACE_LETTERS, facelet_name
from solvers.rubik.held_cube import PATTERNS, HeldCube, read_position, read_stickers
from solvers.rubik.scramble import random_state

READING: Final = "cube-reading"
MOST_READINGS: Final = 8
"""That are kept: start and target may both be doubtful, and several tabs show them."""
_INDEX: Final = {facelet_name(index): index for index in range(54)}


class Readings:
    """The last scans' colours, which can be read again with corrections by hand."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._lock = threading.Lock()
        self._count = 0
        self._recent: dict[int, tuple[CubeRead, str]] = {}
        self._hub.publish(READING, None)

    def take(self, event: CubeRead) -> None:
        """Store a reading and publish it."""
        with self._lock:
            self._count += 1
            self._recent[self._count] = event, time_of_day()
            self._recent.pop(self._count - MOST_READINGS, None)
            self._hub.publish(READING, self._shown(self._count, event.result))

    def corrected(self, number: int, fixes: Mapping[str, str]) -> view.ReadingView:
        """Return reading `number`, read again with some stickers' colours given by name.

        Raises InvalidInputError if it is none of the last few, or for a centre, and
        ImpossibleFixError if no cube has these stickers.
        """
        with self._lock:
            if number not in self._recent:
                raise InvalidInputError(
                    "The camera has read many cubes since; scan this one again, or take the last "
                    "reading."
                )
            event, _ = self._recent[number]
            places = dict(zip(colours_of(event.centres), FACE_LETTERS, strict=True))
            texts = [f"{name}={places[colour]}" for name, colour in fixes.items()]
            return self._shown(number, read_cube(event.rgb, parse_corrections(texts)))

    def _shown(self, number: int, result: ScanResult) -> view.ReadingView:
        event, time = self._recent[number]
        colours = colours_of(event.centres)
        return view.ReadingView(
            number=number,
            time=time,
            facelets=result.facelets.translate(str.maketrans(FACE_LETTERS, colours)),
            verdict=str(result.verdict),
            confidence=result.confidence,
            reasons=result.reasons,
            doubts=tuple(_doubt(result, name, colours) for name in result.doubtful),
        )


def _doubt(result: ScanResult, name: str, colours: str) -> view.Doubt:
    shares = result.posteriors[_INDEX[name]]
    first, second = (int(face) for face in shares.argsort()[:-3:-1])
    return view.Doubt(
        _INDEX[name],
        colours[first] + colours[second],
        (round(float(shares[first]), 3), round(float(shares[second]), 3)),
    )


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
        """Return `hand.jpg`, the camera's picture during a scan by hand."""
        return File(self.hand.picture(), JPEG) if name == "hand.jpg" else None

    @handler
    def check(self, request: view.CheckRequest) -> view.PositionView:
        """Say whether stickers, or moves, make a cube. Raises NotationError."""
        return position_of(request.text, request.alphabet.notation)

    @handler
    def scramble(self, request: view.ScrambleRequest) -> view.PositionView:
        """Return a position, and the seed that gives it again."""
        seed = secrets.randbelow(SEEDS) if request.seed is None else request.seed
        return legal(HeldCube(random_state(seed)), seed)

    @handler
    def aim(self, request: view.AimRequest) -> view.PositionView:
        """Return the target as the cube is held. Raises FaceletError or NotationError."""
        _, target = ends_of(request.facelets, request.target, request.alphabet.notation)
        return legal(HeldCube(target, read_stickers(request.facelets).centres))

    @handler
    def patterns(self) -> view.PatternsView:
        """Return the positions that have a name."""
        return view.PatternsView({name: read_position(name).stickers for name in PATTERNS})

    @handler
    def mend(self, request: view.MendRequest) -> view.ReadingView:
        """Read a scan again, with corrections by hand."""
        return self.readings.corrected(request.number, request.fixes)

    @handler
    def solve(self, request: view.SolveRequest) -> None:
        """Search for ever better solutions; the topic has them."""
        self.search.solve(request)

    @handler
    def prepare(self) -> None:
        """Compile the search; the page requests that before the first search."""
        self.search.prepare()

    @handler
    def halt(self) -> None:
        """End the search, and nothing else."""
        self.search.stop()

    @handler
    def scan_by_hand(self, request: view.ScanByHandRequest) -> None:
        """Start a scan by hand."""
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
