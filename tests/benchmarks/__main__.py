"""Run benchmarks and rewrite their sections of RESULTS.md: python -m tests.benchmarks [NAME ...]

A benchmark is a module bench_NAME.py here: the first line of its docstring is the title of its
section, and `run()` returns the section's text in Markdown. Each runs in a process of its own.
"""

import argparse
import importlib
import os
import platform
import subprocess
import sys
from pathlib import Path

from solvers.foundation.files import write_text

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "RESULTS.md"
SECTION_START = "\n## "


def benchmark_names() -> list[str]:
    """Return the names of all benchmarks, sorted."""
    return sorted(path.stem.removeprefix("bench_") for path in HERE.glob("bench_*.py"))


def machine() -> str:
    """Return one line about the machine, for the reader of the figures."""
    load = os.getloadavg()[0]
    return (
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}, load {load:.1f} at the start"
    )


def run_one(name: str) -> None:
    """Run one benchmark in this process and put its section into RESULTS.md."""
    where = machine()
    module = importlib.import_module(f"tests.benchmarks.bench_{name}")
    title = (module.__doc__ or name).splitlines()[0].rstrip(".")
    command = f"`python -m tests.benchmarks {name}`"
    section = f"{title}\n\n{command} on {where}.\n\n{module.run().strip()}\n"
    replace_section(title, section)
    print(section)


def replace_section(title: str, section: str) -> None:
    """Rewrite the section called `title`, or append it."""
    head, *sections = RESULTS.read_text(encoding="utf-8").rstrip().split(SECTION_START)
    by_title = {text.splitlines()[0]: text.rstrip() + "\n" for text in sections}
    by_title[title] = section
    text = SECTION_START.join([head.rstrip() + "\n", *by_title.values()])
    write_text(RESULTS, text)


def main() -> int:
    """Run the named benchmarks, or all of them; return 1 if any failed."""
    parser = argparse.ArgumentParser(description="Run benchmarks and rewrite RESULTS.md.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(benchmark_names()))
    names = parser.parse_args().names or benchmark_names()
    unknown = set(names) - set(benchmark_names())
    if unknown:
        parser.error(f"no such benchmark: {', '.join(sorted(unknown))}")
    if len(names) == 1:
        run_one(names[0])
        return 0
    command = [sys.executable, "-m", "tests.benchmarks"]
    return int(any(subprocess.run([*command, name], check=False).returncode for name in names))


if __name__ == "__main__":
    sys.exit(main())
