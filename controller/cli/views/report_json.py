"""The reports of jobs as the JSON that the commands print."""

from typing import Any

from controller.job_events import ResumeReport, RobotReport
from solvers.rubik.notation import format_moves


def robot_report(report: RobotReport) -> dict[str, Any]:
    """Return what became of a task. Times of stages are seconds of the computer's clock."""
    plan, driven = report.chosen.plan, report.driven
    seen: dict[str, Any] = {}
    if report.scan is not None:
        seen["scan"] = report.scan.as_json()
    if report.seen is not None:
        seen["seen"] = {**report.seen.as_json(), "target_reached": report.target_reached}
    return {
        "moves": format_moves(plan.moves),
        "htm": len(plan.moves),
        "fewest_moves_found": report.chosen.fewest_moves,
        "solutions_compared": report.chosen.candidates,
        "planner": report.planner.value,
        "primitives": [str(primitive) for primitive in plan.primitives],
        "robot_seconds": round(plan.robot_seconds, 3),
        "measured_seconds": round(driven.measured_seconds, 3),
        "retries": driven.retries,
        "journal": str(report.journal),
        **seen,
        "wall_seconds": round(sum(stage.seconds for stage in report.stages), 3),
        "stages": {stage.stage.value: round(stage.seconds, 3) for stage in report.stages},
    }


def resume_report(report: ResumeReport, notes: list[str]) -> dict[str, Any]:
    """Return what became of a run that was taken up again."""
    return {
        "resumed_at": report.resumed_at,
        "finished": report.total,
        "measured_seconds": round(report.driven.measured_seconds, 3),
        "retries": report.driven.retries,
        "notes": notes,
        "journal": str(report.journal),
    }
