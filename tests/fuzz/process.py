"""One fuzz target in a process with bounded memory."""

import resource
import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.fuzz.feeding import feed
from tests.fuzz.targets import TARGETS

MOST_BYTES: Final = 500 * 1024 * 1024
SHOWN: Final = 5


def feed_one(name: str, count: int) -> None:
    """Feed one target and print its findings; the process exits with 1 if there are any."""
    target = TARGETS[name]
    with tempfile.TemporaryDirectory() as folder:  # what is loaded at first use does not count
        list(feed(target, 3, Path(folder)))
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MOST_BYTES, resource.RLIM_INFINITY))
    with tempfile.TemporaryDirectory() as folder:
        findings = list(feed(target, count, Path(folder)))
    for finding in findings[:SHOWN]:
        kept = Path(tempfile.gettempdir()) / f"fuzz-{name.replace(' ', '-')}-{finding.number}"
        kept.write_bytes(finding.data)
        print(f"  {finding.number}: {finding.what[:200]}\n    {kept}")
    print(f"{name}: {count} inputs, {len(findings)} findings", flush=True)
    sys.exit(int(bool(findings)))
