"""Run benchmarks and rewrite their sections of RESULTS.md: python -m tests.benchmarks [NAME ...]

A benchmark is a module bench_NAME.py here: the first line of its docstring is the title of its
section, and `run()` returns the section's text in Markdown. Each runs in a process of its own.
"""

import argparse
import importlib
import subprocess
import sys

from tests.benchmarks.record import HERE, MissingRivalError, write_section


def benchmark_names() -> list[str]:
    """Return the names of all benchmarks, sorted."""
    return sorted(path.stem.removeprefix("bench_") for path in HERE.glob("bench_*.py"))


def main() -> int:
    """Run the named benchmarks, or all of them; return 1 if any failed."""
    parser = argparse.ArgumentParser(description="Run benchmarks and rewrite RESULTS.md.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(benchmark_names()))
    names = parser.parse_args().names or benchmark_names()
    unknown = set(names) - set(benchmark_names())
    if unknown:
        parser.error(f"no such benchmark: {', '.join(sorted(unknown))}")
    if len(names) == 1:
        return _run_one(names[0])
    command = [sys.executable, "-m", "tests.benchmarks"]
    # A list, so that those after a failed one run as well.
    exit_codes = [subprocess.run([*command, name], check=False).returncode for name in names]
    return int(any(exit_codes))


def _run_one(name: str) -> int:
    try:
        print(write_section(name, importlib.import_module(f"tests.benchmarks.bench_{name}")))
    except MissingRivalError as error:
        print(f"Error: {name}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
