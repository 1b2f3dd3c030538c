"""How long the stages of a job take."""

from collections.abc import Iterator
from contextlib import contextmanager

from controller.job_events import Stage, StageTime
from solvers.foundation.clock import Clock


class StageTimes:
    """Adds up seconds of `clock` by stage; a stage may come again."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._seconds: dict[Stage, float] = {}

    @contextmanager
    def of(self, stage: Stage) -> Iterator[None]:
        """Count what is done within as part of a stage, also if it fails."""
        began_s = self._clock.now()
        try:
            yield
        finally:
            seconds = self._clock.now() - began_s
            self._seconds[stage] = self._seconds.get(stage, 0.0) + seconds

    @property
    def stages(self) -> tuple[StageTime, ...]:
        """The stages in the order in which they were first over."""
        return tuple(StageTime(stage, seconds) for stage, seconds in self._seconds.items())
