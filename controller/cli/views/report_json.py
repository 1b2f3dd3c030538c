"""The reports of jobs as the JSON that the commands print."""

from typing import Any

from controller.job_events import PlanReport, ResumeReport, RobotReport, Sight, StageTime
from controller.motion.driving.run import DriveReport
from solvers.rubik.notation import format_moves


def plan_report(report: PlanReport | RobotReport) -> dict[str, Any]:
    """Return what was planned for a task."""
    plan = report.chosen.plan
    return {
        "moves": format_moves(plan.moves),
        "htm": len(plan.moves),
        "fewest_moves_found": report.chosen.fewest_moves,
        "solutions_compared": report.chosen.candidates,
        "planner": report.planner.value,
        "primitives": [str(primitive) for primitive in plan.primitives],
        "robot_seconds": round(plan.robot_seconds, 3),
        **_times(report.stages),
    }


def robot_report(report: RobotReport) -> dict[str, Any]:
    """Return what became of a task. Times of stages are seconds of the computer's clock."""
    scan = {} if report.scan is None else {"scan": report.scan.as_json()}
    return {
        **plan_report(report),
        "measured_seconds": round(report.driven.measured_seconds, 3),
        "retries": report.driven.retries,
        "recoveries": _recoveries(report.driven),
        "journal": str(report.journal),
        **scan,
        **_sight(report.seen, report.unseen),
    }


def resume_report(report: ResumeReport, notes: list[str]) -> dict[str, Any]:
    """Return what became of a run that was taken up again."""
    return {
        "resumed_at": report.resumed_at,
        "finished": report.total,
        "measured_seconds": round(report.driven.measured_seconds, 3),
        "retries": report.driven.retries,
        "recoveries": _recoveries(report.driven),
        "notes": notes,
        "journal": str(report.journal),
        **_sight(report.seen, report.unseen),
    }


def _recoveries(driven: DriveReport) -> list[dict[str, Any]]:
    """Return what went wrong and what was done about it; primitives are counted from 1."""
    return [
        {
            "remedy": recovery.remedy.value,
            "primitive": None if recovery.primitive is None else recovery.primitive + 1,
            "reason": recovery.reason,
            "seconds": round(recovery.seconds, 3),
        }
        for recovery in driven.recoveries
    ]


def _sight(seen: Sight | None, unseen: str) -> dict[str, Any]:
    """Return what was seen in the end; `verified` only where a camera saw the target."""
    why = {"unseen": unseen} if unseen else {}
    if seen is None:
        return {"verified": False, **why}
    reached = seen.target_reached and not unseen
    seen_json = {**seen.result.as_json(), "target_reached": seen.target_reached}
    return {"verified": reached, **why, "seen": seen_json}


def _times(stages: tuple[StageTime, ...]) -> dict[str, Any]:
    return {
        "wall_seconds": round(sum(stage.seconds for stage in stages), 3),
        "stages": {stage.stage.value: round(stage.seconds, 3) for stage in stages},
    }
