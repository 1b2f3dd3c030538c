"""Every reader of files fed with files that are made to take memory and time.

`python -m tests.hostile_files FOLDER NAME...` feeds readers in a process whose memory is bounded
and prints what came out of each as a line of JSON: the error's name, CPU seconds, peak memory. With
`--once` before the folder, the files that one format needs go to the first reader of that format
alone, because the others of it read through the same bounded functions.
"""

import json
import resource
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from controller.dashboard.robot.history import History
from controller.motion.journal import check_replaceable, read_journal
from controller.rigs.nxt_cradle.calibration.values import FILES, assumed_seconds
from controller.vision.camera import open_source
from controller.vision.scans.store import load_scan, load_scan_list
from firmware_tools.boards.facts import load_board, read_board
from firmware_tools.building.program import programs_of
from firmware_tools.flashing import load_image
from firmware_tools.line.serial_link import ReplayLink, read_trace
from firmware_tools.sizes import read_report
from hardware_sims.aksen_board.facts import board_facts
from hardware_sims.aksen_board.loader.flash import FlashFile
from hardware_sims.aksen_board.rom import read_rom
from hardware_sims.aksen_board.serial_line import load_serial_faults
from hardware_sims.cli.nxt import put_files
from hardware_sims.mcs51.image import read_image
from hardware_sims.nxt_firmware.flash import FlashFiles
from hardware_sims.rigs.cradle.camera.levels import level_called
from hardware_sims.rigs.cradle.faults import RigFaults
from hardware_sims.rigs.cubes import load_cube
from hardware_sims.robot_faults import load_faults
from solvers.cli.cube.input import read_lines
from solvers.edge_matching import board_file
from solvers.edge_matching.tile_file import load_tiles
from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.foundation.files import iter_lines
from solvers.foundation.typed_files import LARGEST_TOML_BYTES as MOST_TOML
from solvers.polycube import puzzle_file
from solvers.polycube.burrtools import reader as burrtools
from solvers.polycube.ubongo.card_file import load_cards
from solvers.search.parts import PartStore

MOST_BYTES: Final = 300 << 20
MOST_CPU_S: Final = 600
"""Far more than all of them take: a reader that hangs ends the process instead of the test run."""

Reader: TypeAlias = Callable[[Path], Any]
LINES: Final = 10_000_000


def _save_seconds(path: Path) -> None:
    FILES.save_seconds(path, assumed_seconds())


def _scan_in(path: Path) -> None:
    folder = path.parent / f"scan-of-{path.name}"
    folder.mkdir(exist_ok=True)
    (folder / "scan.json").unlink(missing_ok=True)
    (folder / "scan.json").symlink_to(path)
    load_scan(folder)


def _source(path: Path) -> None:
    with closing(open_source(str(path))) as source:
        source.read()


def _manifest(path: Path) -> None:
    folder = path.parent / f"program-of-{path.name}"
    folder.mkdir(exist_ok=True)
    (folder / "program.toml").unlink(missing_ok=True)
    (folder / "program.toml").symlink_to(path)
    programs_of(folder)


def _cubes(path: Path) -> None:
    for number, _ in enumerate(read_lines(str(path)) or ()):
        if number == 10:  # each is solved, or refused in a sentence, as it comes
            return


def _typed(path: Path) -> None:
    with path.open(encoding="latin-1") as stream:
        for number, _ in enumerate(iter_lines(stream, InvalidInputError, "The input")):
            if number == 10:
                return


def _finished_parts(path: Path) -> None:
    PartStore[Any](path, 1, resume=True, row=list, read=tuple).load(3)


READERS: Final[dict[str, tuple[str, Reader]]] = {
    "packing puzzle": (".toml", puzzle_file.load),
    "packing target": (".toml", puzzle_file.load_target),
    "BurrTools puzzle": (".xmpuzzle", burrtools.load),
    "BurrTools file": (".xmpuzzle", burrtools.check),
    "cards": (".toml", load_cards),
    "tasks": (".json", load_cards),
    "tiles": (".txt", load_tiles),
    "board of tiles": (".toml", lambda path: board_file.load_board(str(path))),
    "cubes": (".txt", _cubes),
    "typed lines": (".txt", _typed),
    "finished parts": (".json", _finished_parts),
    "calibration": (".toml", FILES.load),
    "measured calibration": (".toml", _save_seconds),
    "journal": (".journal", read_journal),
    "place of a journal": (".journal", check_replaceable),
    "list of scans": (".json", load_scan_list),
    "saved scan": (".json", _scan_in),
    "picture": (".png", _source),
    "film": (".avi", _source),
    "history": (".json", History),
    "board": (".toml", read_board),
    "image": (".ihx", lambda path: load_image(path, load_board())),
    "trace": (".trace", lambda path: ReplayLink(read_trace(path))),
    "size report": (".json", read_report),
    "manifest": (".toml", _manifest),
    "robot's faults": (".toml", lambda path: load_faults(path, RigFaults)),
    "line's faults": (".toml", load_serial_faults),
    "kept cube": (".json", load_cube),
    "camera": (".toml", lambda path: level_called(str(path))),
    "simulated image": (".ihx", read_image),
    "ROM": (".ihx", read_rom),
    "kept flash": (".flash", lambda path: FlashFile(path, 0x8000)),
    "program": (".rxe", lambda path: put_files(FlashFiles(), [path])),
    "simulated board": (".toml", lambda path: board_facts(str(path))),
}


def _gzip(pieces: Iterator[bytes]) -> bytes:
    packer = zlib.compressobj(wbits=31)
    return b"".join([*map(packer.compress, pieces), packer.flush()])


def _journal() -> bytes:
    """Return as many whole lines as a journal may have; each copies what stands before it."""
    cube = "".join(face * 9 for face in "URFDLB")
    header = {
        "version": 4, "rig": "nxt-cradle", "drive": "program", "brick": "usb", "state": cube,
        "target": cube, "moves": "R", "primitives": ["tilt"], "calibration": {}, "camera": None,
    }  # fmt: skip
    mended = {
        "event": "recovery", "remedy": "reconnect", "primitive": 0, "reason": "", "seconds": 1.0
    }  # fmt: skip
    bodies = [json.dumps(header).encode(), *[json.dumps(mended).encode()] * 9_990]
    return b"".join(b"%08x %s\n" % (zlib.crc32(body), body) for body in bodies)


def _picture() -> bytes:
    """Return a picture of more pixels than are read in some kilobytes."""
    import struct

    def chunk(kind: bytes, data: bytes) -> bytes:
        checksum = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checksum)

    side = 8_100
    packer = zlib.compressobj()
    rows = [*(packer.compress(bytes(1 + 3 * side)) for _ in range(side)), packer.flush()]
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", b"".join(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def _late_mistake() -> bytes:
    """Return a packing puzzle of nearly the most bytes that is right but for the end."""
    head, tail = b'name = "x"\ncolour_pairs = [', b'["a", 1]]\n[target]\nbox = [3, 3, 3]\n'
    return head + b"[1,1]," * ((MOST_TOML - len(head) - len(tail)) // 6) + tail


MB: Final = 1 << 20
TOML, JSON, XML, HEX = ".toml", ".json", ".xmpuzzle", ".ihx"
ANY: Final = ""


@dataclass(frozen=True)
class Bomb:
    """A file's content, and the ending of the names of files for which it is made."""

    ending: str
    make: Callable[[], bytes]


BOMBS: Final = {
    "dots": Bomb(ANY, lambda: b".".join([b"a"] * 15_000) + b" = 1\n"),
    "more dots": Bomb(TOML, lambda: b".".join([b"a"] * 250_000) + b" = 1\n"),
    "brackets": Bomb(ANY, lambda: b"a = " + b"[" * (MOST_TOML - 10)),
    "only brackets": Bomb(ANY, lambda: b"[" * (20 * MB)),
    "zipped space": Bomb(ANY, lambda: _gzip(b" " * MB for _ in range(100))),
    "zipped elements": Bomb(XML, lambda: _gzip(b"<a/>" * (MB // 4) for _ in range(100))),
    "empty lines": Bomb(ANY, lambda: b"\n" * LINES),
    "lines": Bomb(ANY, lambda: b"1 1\n" * LINES),
    "a long line": Bomb(ANY, lambda: b"x" * 1_000_000),
    # The most that passes the limits of size:
    "tables": Bomb(TOML, lambda: b"a = [" + b"{}," * (MOST_TOML // 3 - 9) + b"]"),
    "headers": Bomb(TOML, lambda: b"[[a]]\n" * (MOST_TOML // 6)),
    "a long key": Bomb(TOML, lambda: b"x" * 500_000 + b" = 1\n"),
    "a long value": Bomb(TOML, lambda: b'name = "' + b"x" * 500_000 + b'"\n'),
    "a long number": Bomb(TOML, lambda: b"version = 0x" + b"F" * 500_000),
    "a late mistake": Bomb(TOML, lambda: _late_mistake()),
    "lists": Bomb(JSON, lambda: b"[" + b"[]," * (4 * MB // 3 - 9) + b"[]]"),
    "objects": Bomb(JSON, lambda: b'{"a": [' + b"{}," * (4 * MB // 3 - 9) + b"{}]}"),
    "a long name": Bomb(JSON, lambda: b'{"' + b"x" * 4_000_000 + b'": 1}'),
    "elements": Bomb(XML, lambda: b"<puzzle>" + b"<a/>" * 7_900_000 + b"</puzzle>"),
    "attributes": Bomb(XML, lambda: b"<puzzle>" + b'<voxel a="" b=""/>' * 1_700_000),
    "a long text": Bomb(XML, lambda: b"<puzzle><comment>" + b"x" * 31_000_000),
    "records": Bomb(HEX, lambda: b":00000001FF\n" * (MB // 12)),
    "no records": Bomb(HEX, lambda: b"\n" * (MB - 20) + b":00000001FF\n"),
    "recoveries": Bomb(".journal", _journal),
    "short entries": Bomb(".trace", lambda: b"# aksen trace 1\n" + b"0 > 0\n" * (4 * MB // 6 - 9)),
    "a long entry": Bomb(".trace", lambda: b"# aksen trace 1\n" + b"x" * 4_000_000),
    "numbers": Bomb(".txt", lambda: b"1\n2\n" + b"9" * 50_000 + b"\n"),
    "a picture": Bomb(".png", _picture),
}


def bombs_for(endings: Sequence[str], folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the name and the path of each bomb for files of these endings, written when needed."""
    yield "a device", Path("/dev/zero")
    for name, bomb in BOMBS.items():
        if bomb.ending in endings:
            path = folder / name
            if not path.exists():
                path.write_bytes(bomb.make())
            yield name, path


def _peak_kilobytes() -> int:
    """Return the most memory that this process had; getrusage counts that of its parent, too."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))


def feed(name: str, folder: Path, has_own: bool = True) -> Iterator[dict[str, Any]]:
    """Yield what came of each bomb that a reader was fed with, its format's own included or not."""
    ending, read = READERS[name]
    for bomb, source in bombs_for((ANY, ending) if has_own else (ANY,), folder):
        path = folder / f"bomb{ending}"
        path.unlink(missing_ok=True)
        path.symlink_to(source)
        start_s = time.process_time()
        try:
            read(path)
            came = "read"
        except PuzzlerigError as error:
            came = "refused" if 0 < len(str(error)) < 1000 else f"{len(str(error))} characters"
        except BaseException as error:
            came = f"{type(error).__name__}: {error}"[:200]
        yield {
            "reader": name,
            "bomb": bomb,
            "came": came,
            "seconds": round(time.process_time() - start_s, 3),
            "megabytes": _peak_kilobytes() >> 10,
        }


def main(folder: Path, names: list[str], is_once: bool) -> None:
    """Feed readers within bounds of memory and time."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MOST_BYTES, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_CPU_S, MOST_CPU_S))
    fed = set[str]()
    for name in names:
        ending, _ = READERS[name]
        for found in feed(name, folder, not is_once or ending not in fed):
            print(json.dumps(found), flush=True)
        fed.add(ending)


if __name__ == "__main__":
    is_once = sys.argv[1] == "--once"
    place, *names = sys.argv[2:] if is_once else sys.argv[1:]
    main(Path(place), names, is_once)
