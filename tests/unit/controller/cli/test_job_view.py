"""How a job's events are drawn, and what its report says of the cube."""

import re
from html import unescape
from pathlib import Path

import pytest

from controller.cli.job_view import plan_in_words, remaining, resume_report, show_job
from controller.job_events import (
    DriveStarted,
    PlanChosen,
    ResumeReport,
    RobotEvent,
    Stage,
    StageStarted,
    Verification,
    format_recoveries,
    verdict,
)
from controller.motion.executor import DriveReport
from controller.motion.plan_choice import ChosenPlan
from controller.motion.planner import make_plan
from controller.motion.primitives import CostModel
from controller.motion.run_record import Recovered, Recovery, RecoveryAction, RecoveryStarted
from controller.rigs.registry import DEFAULT_RIG, get_rig
from controller.vision.reading.result import ScanResult
from controller.vision.scans.events import Advised
from solvers.foundation.progress import Job, Progress
from solvers.rubik.cubies import SOLVED
from solvers.rubik.notation import parse_moves

PICTURE = Path(__file__).parents[4] / "docs" / "images" / "demo.svg"


def chosen(moves: str, candidates: int = 1) -> ChosenPlan:
    costs: CostModel = get_rig(DEFAULT_RIG).setup().costs
    plan = make_plan(parse_moves(moves), costs)
    return ChosenPlan(plan, candidates, len(plan.moves), 0.1)


def test_the_plan_is_told_before_it_is_driven(capsys: pytest.CaptureFixture[str]) -> None:
    def job() -> Job[RobotEvent, str]:
        yield PlanChosen(chosen("R"), SOLVED)
        return "done"

    show_job(job())
    search, plan = capsys.readouterr().err.splitlines()
    assert search == "search: 1 solution compared; the fastest to drive has 1 move: R"
    assert re.fullmatch(r"plan: \d primitives, about \d robot seconds?: (\w.*\d)", plan)


def test_a_robot_that_sees_no_face_yet_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    def job() -> Job[RobotEvent, str]:
        yield Advised("It glares.")
        return "done"

    show_job(job())
    assert capsys.readouterr().err.splitlines() == ["It glares."]


def test_a_long_plan_is_shown_by_its_beginning() -> None:
    search, plan = plan_in_words(chosen("R U F D L B", 7))
    assert search.startswith("search: 7 solutions compared; the fastest to drive has 6 moves: R")
    assert plan.endswith(", ...")
    assert len(plan.partition(": ")[2].partition(": ")[2].split(", ")) == 9


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(12.4, "about 12 robot seconds left"), (1.2, "about 1 robot second left"), (0.4, "")],
)
def test_what_is_left_is_said_in_words(seconds: float, text: str) -> None:
    assert remaining(seconds) == text


def test_the_picture_shows_what_the_demo_prints() -> None:
    text = re.sub(r"<style>.*?</style>|<[^>]*>", " ", PICTURE.read_text(), flags=re.DOTALL)
    shown = " ".join(unescape(text).replace("\xa0", " ").split())
    assert "$ cuberobot demo --camera --seed 1 seed 1, scramble " in shown
    moves = re.search(r"fastest to drive has \d+ moves: ([UDLRFB2' ]+) plan:", shown)
    candidates = re.search(r"(\d+) solutions compared", shown)
    assert moves
    assert candidates
    for line in plan_in_words(chosen(moves[1], int(candidates[1]))):
        assert line in shown
    assert "The simulator says that its cube is solved." in shown


RECOVERIES = (
    Recovery(RecoveryAction.RETRY, 6, "It is stuck.", 2.54),
    Recovery(RecoveryAction.SCAN, None, "The cube was read with doubts.", 8.0),
)


def test_a_camera_that_could_not_look_is_named_as_the_reason() -> None:
    word, why = verdict(None, SOLVED, "The camera is gone.")
    assert word == "Driven"
    assert why == "The cube could not be scanned in the end. The camera is gone."


def test_what_verified_the_cube_is_named_with_what_it_read() -> None:
    reading = ScanResult.of(SOLVED, 0.98)
    seen = Verification(reading, True, "sensor", "It read 18 of the 54 stickers.")
    assert verdict(seen, SOLVED) == (
        "Solved",
        "The sensor sees the expected cube. It read 18 of the 54 stickers.",
    )
    assert verdict(Verification(reading, True), SOLVED)[1] == "The camera sees the expected cube."
    assert "sensor sees a different" in verdict(Verification(reading, False, "sensor"), SOLVED)[1]
    report = ResumeReport(0, 1, DriveReport(1, 0, 1.0), Path("run.journal"), seen)
    assert resume_report(report, [])["seen"] == {
        **reading.as_json(),
        "target_reached": True,
        "evidence": "It read 18 of the 54 stickers.",
    }
    assert reading.as_json()["verdict"] == "accepted"


def test_each_remedy_has_a_line() -> None:
    assert format_recoveries(()) == ""
    assert format_recoveries(RECOVERIES) == (
        "retry at primitive 7, 2.5 s: It is stuck.\nscan, 8.0 s: The cube was read with doubts.\n"
    )


def test_a_remedy_is_told_as_it_begins_and_no_bar_is_drawn_where_there_is_no_screen(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def job() -> Job[RobotEvent, str]:
        yield RecoveryStarted(RecoveryAction.HOME, 6, "It is stuck.")
        yield Recovered(RECOVERIES[0])
        return "done"

    assert show_job(job()) == "done"
    assert capsys.readouterr().err == "It is stuck. Finding home again.\n"


def test_where_there_is_no_screen_each_stage_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    def job(*tables: Progress) -> Job[RobotEvent, str]:
        yield StageStarted(Stage.SCAN)
        yield StageStarted(Stage.PREPARE)
        yield from tables
        yield StageStarted(Stage.SEARCH)
        yield DriveStarted(2, Path("run.journal"))
        return "done"

    show_job(job())
    stages = ["looking at the cube", "searching for the fastest plan", "driving"]
    assert capsys.readouterr().err.splitlines() == stages
    show_job(job(Progress("table", 0, 1), Progress("table", 1, 1)))
    stages.insert(1, "preparing the search (once 20 s)")
    assert capsys.readouterr().err.splitlines() == stages
