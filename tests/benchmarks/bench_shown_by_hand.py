"""Cubes shown by hand, of 3x3x3 and 2x2x2

Simulated streams of a hand that turns a cube in usual light, and faces found in single photographs
that are disturbed or dark.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from controller.vision.errors import ScanFailedError
from controller.vision.finding.grid_finder import find_grid_in_still
from controller.vision.reading.result import Verdict
from controller.vision.scans.hand_scan import hand_scan
from controller.vision.scans.pocket_scan import pocket_scan
from controller.vision.scans.viewing import shows
from solvers.foundation.arrays import Image
from solvers.foundation.progress import run_job
from solvers.rubik.facelets import parse_facelets
from tests.benchmarks.bench_mistakes import is_pocket
from tests.eyes.disturbances import DISTURBANCES, drifted, noisy
from tests.eyes.hand_stream import MANNERS, HandStream
from tests.eyes.stickers import sticker_sets
from tests.vision_data import PHOTO_FOLDER, photo

FIRST_SEED: Final = 92_000  # others than those that anything was chosen on
STREAMS: Final = {3: 20, 2: 50}
MIRRORED: Final = 50  # streams of 2x2x2 cubes
DISTURBED: Final = 9  # each photographed cube so often
DARK: Final = 1 / 8  # of the light
DARK_NOISE: Final = 1.0  # steps of 8 bits


def run() -> str:
    """Return the section of RESULTS.md."""
    return "\n".join(
        [
            'Random cubes in the manner "usual" (tests/eyes/hand_stream.py), shown twice at most '
            "(mirrored ones once), of seeds that nothing was chosen on:",
            "",
            *_streams(),
            "",
            f"{len(sticker_sets())} photographed cubes, {DISTURBED} times each:",
            "",
            *_found(),
        ]
    )


@dataclass(slots=True)
class MirroredStream(HandStream):
    """A stream of a camera that mirrors its pictures, which nobody says."""

    def read(self) -> Image:
        """Return the next frame; raises CameraLostError after the last one."""
        return np.ascontiguousarray(HandStream.read(self)[:, ::-1])


def _streams() -> Iterator[str]:
    yield "| cube | right and accepted | wrong and accepted | frames (median) |"
    yield "|---|---|---|---|"
    for side, count in STREAMS.items():
        seeds = range(FIRST_SEED, FIRST_SEED + count)
        streams = (HandStream(MANNERS["usual"], seed, side=side) for seed in seeds)
        yield f"| {side}x{side}x{side} | {_stream_row(streams, count)} |"
    seeds = range(FIRST_SEED, FIRST_SEED + MIRRORED)
    mirrored = (MirroredStream(MANNERS["usual"], seed, rounds=1, side=2) for seed in seeds)
    yield f"| 2x2x2, mirrored pictures | {_stream_row(mirrored, MIRRORED)} |"


def _stream_row(streams: Iterator[HandStream], count: int) -> str:
    right = wrong = 0
    frames = []
    for stream in streams:
        verdict = _pocket_read(stream) if stream.side == 2 else _read(stream)
        right, wrong = right + (verdict is True), wrong + (verdict is False)
        frames.append(stream.frames_read)
    return f"{right}/{count} | {wrong} | {np.median(frames):.0f}"


def _read(stream: HandStream) -> bool | None:
    """Return whether an accepted reading is right, None without one."""
    try:
        result = run_job(hand_scan(stream)).result
    except ScanFailedError:
        return None
    if result.verdict is not Verdict.ACCEPTED:
        return None
    return shows(result, parse_facelets(stream.facelets))


def _pocket_read(stream: HandStream) -> bool | None:
    """Return the same of a 2x2x2 cube; the photographed stickers decide what its letters mean."""
    try:
        reading = run_job(pocket_scan(stream))
    except ScanFailedError:
        return None
    return is_pocket(reading, stream.facelets) if reading.verdict is Verdict.ACCEPTED else None


def _found() -> Iterator[str]:
    yield "| photographs | cubes with six faces found | faces found |"
    yield "|---|---|---|"
    cubes = DISTURBED * len(sticker_sets())
    for name in ("all mild", "an eighth of the light"):
        whole = faces = 0
        for folder in (each.name for each in sticker_sets()):
            pictures = [
                photo(PHOTO_FOLDER / folder / f"rubiks-side-{face}.png") for face in "URFDLB"
            ]
            for seed in range(FIRST_SEED, FIRST_SEED + DISTURBED):
                found = sum(
                    find_grid_in_still(_disturbed(picture, name, [seed, number])) is not None
                    for number, picture in enumerate(pictures)
                )
                faces += found
                whole += found == len(pictures)
        yield f"| {name} | {whole}/{cubes} | {faces}/{6 * cubes} |"


def _disturbed(picture: Image, name: str, seed: list[int]) -> Image:
    rng = np.random.default_rng(seed)
    grid = find_grid_in_still(picture)
    assert grid is not None
    if name in DISTURBANCES:
        return DISTURBANCES[name].on(picture, grid.centres, rng)
    gain = DARK * (1 + rng.uniform(-0.05, 0.05, 3))
    return noisy(drifted(picture, gain), DARK_NOISE, rng)
