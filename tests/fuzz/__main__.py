"""Feed every reader with damaged input: python -m tests.fuzz [COUNT] [TARGET ...]

COUNT inputs each, 20,000 by default. Each target runs in a process of its own that may take 500 MB
more than it has at the start. A finding is printed with its number and kept in the temporary
folder; `python -m tests.fuzz --only NUMBER 0 TARGET` reads it again with a traceback.
"""

import argparse
import multiprocessing
import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.fuzz.feeding import inputs
from tests.fuzz.process import feed_one
from tests.fuzz.targets import TARGETS

COUNT: Final = 20_000


def main() -> int:
    """Run what the command line asks for; return 1 if there are findings."""
    parser = argparse.ArgumentParser(description="Feed every reader with damaged input.")
    parser.add_argument("count", nargs="?", type=int, default=COUNT)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("--only", type=int, metavar="NUMBER", help="read this input once more")
    options = parser.parse_args()
    chosen = [TARGETS[name] for name in options.targets] or list(TARGETS.values())
    if options.only is not None:
        for target in chosen:
            (_, data), *_ = inputs(target, options.only + 1, options.only)
            with tempfile.TemporaryDirectory() as folder:
                print(target.read(data, Path(folder)))
        return 0
    found = 0
    for target in chosen:
        process = multiprocessing.get_context("spawn").Process(
            target=feed_one, args=(target.name, options.count)
        )
        process.start()
        process.join()
        found += process.exitcode != 0
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
