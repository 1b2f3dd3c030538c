"""The start of the one file with all programs: its first argument names the program."""

import sys
from importlib.metadata import distribution
from pathlib import Path


def main() -> None:
    """Run the program that the first argument names, as if it were called by that name."""
    scripts = distribution("puzzlerig").entry_points.select(group="console_scripts")
    programs = {script.name: script for script in scripts}
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name in programs:
        sys.argv = [name, *sys.argv[2:]]
        programs[name].load()()
        return
    file = Path(sys.argv[0]).name
    what = f"There is no program {name!r} in {file}. " if name else ""
    print(
        f"{what}Name one of {', '.join(sorted(programs))} first, for example: "
        f"python3 {file} puzzle --help",
        file=sys.stderr,
    )
    sys.exit(2)
