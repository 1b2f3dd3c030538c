"""Tries what users install: python .ci/try_installation.py wheel|pyz|checkout|container

In an empty environment: an empty folder is the home, no variable of the caller's remains but PATH,
and no virtual environment is active. There a cube is solved, the demo is run, a program for the
AKSEN board is built and flashed to the simulated board, and the dashboard is opened. Exit code 1 if
anything fails. It takes some minutes, since everything is compiled again.

`container` builds `Containerfile` from the committed files with podman or docker and does all that
in it, and README's two commands; image and container are removed afterwards. Further words go to
`build` and `run` alike, such as `--volume /etc/pip.conf:/etc/pip.conf` for another package index.
`checkout` is for where neither is there: the `RUN` lines of `Containerfile` without apt-get, and
README's two commands, in a fresh copy of the committed files.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import urllib.request
import venv
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
DIST: Final = ROOT / "dist"
EXTRAS: Final = "robot,dashboard,pdf,print"
IMAGE: Final = "puzzlerig-trial"
LIMIT_S: Final = 1200
CUBE: Final = ["cube", "solve", "--scramble", "R U R' U'"]
ADDRESS: Final = re.compile(r"The dashboard is at (http://\S+)")
PASSED_ON: Final = ("PATH", "SYSTEMROOT", "PATHEXT", "COMSPEC", "TEMP", "TMP")

Command = Callable[[str], list[str]]
"""What starts a program of the given name."""


class TryError(Exception):
    """A step has failed; the message says which, and what was printed."""


class Place:
    """An empty folder and environment, in which commands are run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        home = folder / "home"
        home.mkdir()
        self.environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        self.environment |= {"HOME": str(home), "USERPROFILE": str(home), "LANG": "C.UTF-8"}

    def run(self, words: list[str], cwd: Path | None = None) -> str:
        """Return what a command prints. Raises TryError if it fails."""
        print("$", shlex.join(words), flush=True)
        ended = subprocess.run(
            words,
            cwd=cwd or self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
        print(ended.stdout, end="", flush=True)
        if ended.returncode:
            raise TryError(f"{shlex.join(words)} ended with {ended.returncode}.")
        return ended.stdout

    @contextmanager
    def running(
        self, words: list[str], cwd: Path | None = None
    ) -> "Iterator[subprocess.Popen[str]]":
        """Run a command beside the block and end it afterwards."""
        print("$", shlex.join(words), "&", flush=True)
        process = subprocess.Popen(
            words,
            cwd=cwd or self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            yield process
        finally:
            process.terminate()
            process.communicate(timeout=60)


def expect(what: str, text: str) -> None:
    """Raise TryError unless a command has printed `what`."""
    if what not in text:
        raise TryError(f"{what!r} was expected.")


def try_programs(place: Place, command: Command) -> None:
    """Use each of the programs as a new user does."""
    expect("moves", place.run([*command("puzzle"), *CUBE]))
    expect(
        "The simulator says that its cube is solved",
        place.run([*command("cuberobot"), "demo", "--camera", "--seed", "7"]),
    )
    place.run([*command("aksen"), "build", "hello", "-o", "out"])
    with place.running([*command("hwsim"), "aksen", "--listen", "127.0.0.1:0", "--json"]) as board:
        assert board.stdout is not None
        address = re.search(r'"address": "([^"]+)"', board.stdout.readline())
        if address is None:
            raise TryError("The simulated board printed no address.")
        port = f"socket://{address[1].removeprefix('socket://')}"
        place.run([*command("aksen"), "flash", "out/hello.ihx", "--port", port, "--run"])
    with place.running([*command("cuberobot"), "dashboard", "--port", "0", "--no-open"]) as server:
        open_dashboard(server)


def open_dashboard(server: "subprocess.Popen[str]") -> None:
    """Open the page at the address that a starting dashboard prints."""
    assert server.stdout is not None
    for line in server.stdout:
        if found := ADDRESS.search(line):
            opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            with opener.open(found[1], timeout=60) as page:
                expect("<title>", page.read().decode())
            print(f"The dashboard at {found[1].partition('?')[0]} shows a page.")
            return
    raise TryError("The dashboard printed no address.")


def try_wheel(place: Place) -> None:
    """Install the wheel with its extras into an environment of its own, and use it."""
    home = place.folder / "installed"
    venv.create(home, with_pip=True)
    bin_folder = home / ("Scripts" if os.name == "nt" else "bin")
    wheel = newest("*.whl")
    # pip may need the caller's settings, for another index; the programs do not.
    pip = [str(bin_folder / "python"), "-m", "pip", "install", "--quiet", "--no-compile"]
    subprocess.run([*pip, f"{wheel}[{EXTRAS}]"], check=True)
    try_programs(place, lambda name: [str(bin_folder / name)])


def try_pyz(place: Place) -> None:
    """Use the one file with a Python that has nothing installed."""
    file = Path(place.folder, "puzzlerig.pyz")
    file.write_bytes(newest("*.pyz").read_bytes())
    python = sys._base_executable  # type: ignore[attr-defined] # of the system, not of an environment
    try_programs(place, lambda name: [python, str(file), name])


def committed_files(place: Place) -> Path:
    """Return a folder with a fresh copy of what is committed."""
    copy = place.folder / "puzzlerig"
    copy.mkdir()
    archive = subprocess.run(
        ["git", "archive", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE, check=True
    )
    subprocess.run(["tar", "-x", "-C", str(copy)], input=archive.stdout, check=True)
    return copy


def try_checkout(place: Place) -> None:
    """Do in a fresh copy what `Containerfile` does, but for the system's packages."""
    copy = committed_files(place)
    # As for pip above.
    place.environment |= {
        name: value for name, value in os.environ.items() if name.startswith(("PIP_", "UV_"))
    }
    text = (copy / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = re.findall(r"^RUN (.*)$", text, re.MULTILINE)
    made = [line for line in lines if "apt-get" not in line]
    if not made:
        raise TryError("Containerfile has no RUN line to try.")
    for line in made:
        place.run(["sh", "-c", line], copy)
    expect("The simulator says that its cube is solved", place.run(["make", "demo"], copy))
    dashboard = ["make", "dashboard", "DASHBOARD=--port 0 --no-open"]
    with place.running(dashboard, copy) as server:
        open_dashboard(server)


def try_container(place: Place, options: Sequence[str] = ()) -> None:
    """Build the image with `options`, run README's commands in it and use each of the programs."""
    engine = shutil.which("podman") or shutil.which("docker")
    if engine is None:
        raise TryError("There is neither podman nor docker; `checkout` does without.")
    copy = committed_files(place)
    place.environment = dict(os.environ)  # the engine is the user's own
    options = ["--network", "host", *options]
    build = [engine, "build", "--file", "Containerfile", "--tag", IMAGE, *options, "."]
    run = [engine, "run", "--rm", *options]
    try:
        place.run(build, copy)
        expect("The simulator says that its cube is solved", place.run([*run, IMAGE]))
        dashboard = ["make", "dashboard", "DASHBOARD=--port 0 --no-open"]
        with place.running([*run, "--name", f"{IMAGE}-dashboard", IMAGE, *dashboard]) as server:
            open_dashboard(server)
        place.run([*run, "--detach", "--name", IMAGE, IMAGE, "sleep", "infinity"])
        try_programs(place, lambda name: [engine, "exec", IMAGE, f".venv/bin/{name}"])
    finally:
        for name in (IMAGE, f"{IMAGE}-dashboard"):  # podman removes none if one is missing
            subprocess.run([engine, "rm", "--force", name], check=False)
        subprocess.run([engine, "rmi", IMAGE], check=False)


def newest(pattern: str) -> Path:
    """Return the newest file of a pattern in dist. Raises TryError without one."""
    found: Mapping[float, Path] = {path.stat().st_mtime: path for path in DIST.glob(pattern)}
    if not found:
        raise TryError(f"There is no {pattern} in dist; `make wheel pyz` makes it.")
    return found[max(found)]


TRIES: Final[Mapping[str, Callable[..., None]]] = {
    "wheel": try_wheel,
    "pyz": try_pyz,
    "checkout": try_checkout,
    "container": try_container,
}


def main() -> int:
    """Try one kind of installation; return the exit code."""
    name, *options = sys.argv[1:] or [""]
    if name not in TRIES or (options and name != "container"):
        print(__doc__, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        try:
            place = Place(Path(folder))
            TRIES[name](place, options) if options else TRIES[name](place)
        except TryError as error:
            print(f"Failed: {error}", file=sys.stderr)
            return 1
    print(f"{name}: everything worked.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
