"""The last cube that the camera has read, which can be mended sticker by sticker."""

import threading
from collections.abc import Mapping
from typing import Final

from controller.dashboard.colours import colours_of
from controller.dashboard.cube.view import Doubt, ReadingView
from controller.dashboard.hub import Hub
from controller.job_events import CubeRead
from controller.vision.reading.reader import parse_corrections, read_cube
from controller.vision.reading.result import ScanResult
from solvers.foundation.clock import time_of_day
from solvers.foundation.errors import InvalidInputError
from solvers.rubik.facelets import FACE_LETTERS, facelet_name

READING: Final = "cube-reading"
_INDEX: Final = {facelet_name(index): index for index in range(54)}


class Readings:
    """Keeps what a scan has seen, so that it can be read again with what somebody else has seen."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._lock = threading.Lock()
        self._count = 0
        self._last: CubeRead | None = None
        self._time = ""
        self._hub.publish(READING, None)

    def take(self, event: CubeRead) -> None:
        """Keep a reading, and tell of it."""
        with self._lock:
            self._count += 1
            self._last, self._time = event, time_of_day()
            self._hub.publish(READING, self._shown(event, event.result))

    def mended(self, number: int, fixes: Mapping[str, str]) -> ReadingView:
        """Return the last reading, read again with some stickers' colours given by name.

        Raises InvalidInputError if it is not number `number`, or for a centre, and
        ImpossibleFixError if no cube has these stickers.
        """
        with self._lock:
            last = self._last
            if last is None or number != self._count:
                raise InvalidInputError(
                    "The camera has read another cube meanwhile; take that reading first."
                )
            places = dict(zip(colours_of(last.centres), FACE_LETTERS, strict=True))
            texts = [f"{name}={places[colour]}" for name, colour in fixes.items()]
            return self._shown(last, read_cube(last.rgb, parse_corrections(texts)))

    def _shown(self, event: CubeRead, result: ScanResult) -> ReadingView:
        colours = colours_of(event.centres)
        return ReadingView(
            number=self._count,
            time=self._time,
            facelets=result.facelets.translate(str.maketrans(FACE_LETTERS, colours)),
            verdict=str(result.verdict),
            confidence=result.confidence,
            reasons=result.reasons,
            doubts=tuple(_doubt(result, name, colours) for name in result.doubtful),
        )


def _doubt(result: ScanResult, name: str, colours: str) -> Doubt:
    shares = result.posteriors[_INDEX[name]]
    first, second = (int(face) for face in shares.argsort()[:-3:-1])
    return Doubt(
        _INDEX[name],
        colours[first] + colours[second],
        (round(float(shares[first]), 3), round(float(shares[second]), 3)),
    )
