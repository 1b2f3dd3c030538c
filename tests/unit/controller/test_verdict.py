"""What the commands say of the cube in the end, and of what was mended."""

import pytest

from controller.cli.views.job_view import show_job
from controller.job_events import RobotEvent
from controller.motion.driving.recovery import Recovered, Recovery, RecoveryBegan, Remedy
from controller.verdict import recoveries_as_text, verdict
from solvers.foundation.progress import Job
from solvers.rubik.cubies import SOLVED

RECOVERIES = (
    Recovery(Remedy.RETRY, 6, "It is stuck.", 2.54),
    Recovery(Remedy.SCAN, None, "The cube was read with doubts.", 8.0),
)


def test_a_camera_that_could_not_look_is_named_as_the_reason() -> None:
    word, why = verdict(None, SOLVED, "The camera is gone.")
    assert word == "Driven"
    assert why == "Nobody could look at the cube in the end. The camera is gone."


def test_each_remedy_has_a_line() -> None:
    assert recoveries_as_text(()) == ""
    assert recoveries_as_text(RECOVERIES) == (
        "retry at primitive 7, 2.5 s: It is stuck.\nscan, 8.0 s: The cube was read with doubts.\n"
    )


def test_a_remedy_is_told_as_it_begins_and_no_bar_is_drawn_where_there_is_no_screen(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def job() -> Job[RobotEvent, str]:
        yield RecoveryBegan(Remedy.HOME, 6, "It is stuck.")
        yield Recovered(RECOVERIES[0])
        return "done"

    assert show_job(job()) == "done"
    assert capsys.readouterr().err == "It is stuck. Finding home again.\n"
