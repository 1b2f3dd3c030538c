"""What a protocol of the boot loader says to one frame."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Answer:
    """Bytes to send after `work_us` of work; an error waits for a silent line first."""

    data: bytes
    work_us: int = 0
    is_error: bool = False
    starts_program: bool = False


@dataclass(frozen=True)
class LoaderTiming:
    """How long the loader works, in microseconds; typical figures of a parallel flash."""

    program_byte_us: int = 20
    erase_us: int = 1_500_000
    checksum_byte_us: int = 8
    start_program_us: int = 10_000


NO_WORK = LoaderTiming(0, 0, 0)
