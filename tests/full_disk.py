"""A full disk: files of this process can grow only to a given size."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def full_disk(most_bytes: int = 16_000) -> Iterator[None]:
    """Let every write beyond `most_bytes` of a file fail; Python ignores the signal for it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
