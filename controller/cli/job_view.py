"""A robot's job on the command line: its events drawn on stderr, its report as JSON."""

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

from controller import job_events
from controller.errors import StoppedError
from controller.motion import executor
from controller.motion.plan_choice import ChosenPlan, PlanFound
from controller.motion.run_record import Recovered, RecoveryAction, RecoveryStarted
from controller.vision.scans import events
from solvers.foundation.command_line.app import stderr
from solvers.foundation.command_line.progress_view import interrupted_once
from solvers.foundation.progress import Job, Progress, run_job
from solvers.foundation.wording import counted
from solvers.rubik.notation import format_moves

if TYPE_CHECKING:
    from controller.cli.hand_view import HandView


Report = TypeVar("Report")

RESTARTED = "The brick was restarted; home was found again."

_STAGES = {
    job_events.Stage.SCAN: "looking at the cube",
    job_events.Stage.PREPARE: "preparing the search (once 20 s)",
    job_events.Stage.SEARCH: "searching for the fastest plan",
    job_events.Stage.VERIFY: "looking at the cube again",
}
_ACTIONS = {
    RecoveryAction.RETRY: "trying once more",
    RecoveryAction.HOME: "finding home again",
    RecoveryAction.RECONNECT: "reconnecting",
    RecoveryAction.CAMERA: "waiting for the camera",
    RecoveryAction.SCAN: "scanning the cube and planning again",
}
_LOOKS = (job_events.Stage.SCAN, job_events.Stage.VERIFY)
_FACES = 6
SHOWN_PRIMITIVES = 8


def show_job(job: Job[job_events.RobotEvent, Report], hand: "HandView | None" = None) -> Report:
    """Run a job to its end and return its report; `hand` guides a person who shows the cube.

    Ctrl-C, SIGTERM and SIGHUP end it with the motors off: with StoppedError once it drives, and
    before as everywhere.
    """
    view = _View()

    def show(event: job_events.RobotEvent) -> None:
        for line in hand.handle(event) if hand else _advice(event):
            stderr.print(line, markup=False, highlight=False, soft_wrap=True)
        view.show(event)

    with interrupted_once(), view.progress if sys.stderr.isatty() else nullcontext():
        try:
            return run_job(job, show)
        except KeyboardInterrupt:
            if view.journal is None:
                raise
            raise StoppedError(
                f"Stopped by you after {view.finished} of {view.total} primitives; the motors are "
                f"off. `cuberobot resume {view.journal}` continues."
            ) from None


def _advice(event: job_events.RobotEvent) -> Iterator[str]:
    if isinstance(event, events.Advised):
        yield event.sentence


def remaining(seconds: float) -> str:
    """Return the remaining time in words, rounded to seconds."""
    whole = round(seconds)
    return f"about {counted(whole, 'robot second')} left" if whole else ""


def plan_in_words(chosen: ChosenPlan) -> tuple[str, str]:
    """Return what the search found and how it will be driven, a line each."""
    plan = chosen.plan
    if not plan.moves:
        return "search: no moves are needed", "plan: nothing to drive"
    motions = ", ".join(map(str, plan.primitives[:SHOWN_PRIMITIVES]))
    more = ", ..." if len(plan.primitives) > SHOWN_PRIMITIVES else ""
    compared, moves = counted(chosen.candidates, "solution"), counted(len(plan.moves), "move")
    return (
        f"search: {compared} compared; the fastest to drive has {moves}: "
        f"{format_moves(plan.moves)}",
        f"plan: {counted(len(plan.primitives), 'primitive')}, about "
        f"{counted(round(plan.robot_seconds), 'robot second')}: {motions}{more}",
    )


class _View:
    def __init__(self) -> None:
        columns: list[Any] = [
            TextColumn("{task.description:<34}"),
            BarColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[remaining]}"),
        ]
        self.progress = Bars(*columns, console=stderr)
        self.journal: Path | None = None
        self.finished = self.total = 0
        self._is_preparing = False
        self._bar = self.progress.add_task("connecting", total=None, remaining="")

    def show(self, event: job_events.RobotEvent) -> None:
        match event:
            case job_events.StageStarted():
                self._show_stage(event.stage)
            case Progress():
                self._show_progress(event)
            case job_events.CameraOpened():
                for warning in event.warnings:
                    self._print(f"Warning: {warning}", "yellow")
            case job_events.DriveStarted():
                self.total, self.journal = event.total, event.journal
                self._start("driving", event.total)
                self._log("driving")
            case job_events.PlanChosen():
                for line in plan_in_words(event.chosen):
                    self._print(line)
            case PlanFound() | Recovered() | job_events.CubeRead():
                pass
            case job_events.MarginsLoosened():
                self._print(event.sentence, "yellow")
            case RecoveryStarted():
                action = _ACTIONS[event.action]
                self._print(f"{event.reason} {action.capitalize()}.", "yellow")
                self._start(action, None)
            case (
                executor.PrimitiveStarted()
                | executor.PrimitiveFinished()
                | executor.PrimitiveRetried()
                | executor.Paused()
                | executor.HomeFound()
            ):
                self._show_drive(event)
            case _:
                self._show_look(event)

    def _show_stage(self, stage: job_events.Stage) -> None:
        self._start(_STAGES[stage], _FACES if stage in _LOOKS else None)
        if stage is not job_events.Stage.PREPARE:  # often it only loads what is there
            self._log(_STAGES[stage])

    def _show_progress(self, event: Progress) -> None:
        if not self._is_preparing:
            self._is_preparing = True
            self._log(_STAGES[job_events.Stage.PREPARE])
        self._update(event.task, total=event.total, completed=event.done)

    def _show_drive(
        self,
        event: executor.PrimitiveStarted
        | executor.PrimitiveFinished
        | executor.PrimitiveRetried
        | executor.Paused
        | executor.HomeFound,
    ) -> None:
        match event:
            case executor.PrimitiveStarted():
                self._update(
                    f"drive: {event.primitive}",
                    completed=event.index,
                    remaining=remaining(event.remaining_s),
                )
            case executor.PrimitiveFinished():
                self.finished = event.index + 1
                self._update(completed=self.finished)
                if self.finished == self.total:
                    self._update("the last primitive is done", remaining="")
            case executor.PrimitiveRetried():
                self._print(f"Trying once more: {event.reason}")
            case executor.Paused():
                self._update("paused")
            case executor.HomeFound() if event.after_restart:
                self._print(RESTARTED)

    def _show_look(
        self,
        event: events.Turning
        | events.FrameSeen
        | events.FaceCaptured
        | events.FaceSeenBefore
        | events.SecondLookWanted
        | events.Advised,
    ) -> None:
        match event:
            case events.Turning():
                self._update(str(event.motion))
            case events.FrameSeen():
                steady = f"holding still {event.steady}/{event.wanted}"
                self._update(steady if event.steady else "looking for a face")
            case events.FaceSeenBefore():
                self._update(f"face {event.number} is known; show another")
            case events.SecondLookWanted():
                for reason in event.result.reasons:
                    self._print(reason, "yellow")
            case events.FaceCaptured():
                text = f"face {event.number} of {event.total} captured"
                self._update(text, completed=event.number)

    def _start(self, title: str, total: int | None) -> None:
        self.progress.reset(self._bar, description=title, total=total, remaining="")

    def _update(self, description: str | None = None, **fields: Any) -> None:
        self.progress.update(self._bar, description=description, **fields)

    def _log(self, text: str) -> None:
        """Print what the bar says where there is none, as in a build server's log."""
        if not sys.stderr.isatty():
            self._print(text)

    def _print(self, text: str, style: str = "") -> None:
        stderr.print(text, style=style, markup=False, highlight=False, soft_wrap=True)


def plan_report(report: job_events.PlanReport | job_events.RobotReport) -> dict[str, Any]:
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


def robot_report(report: job_events.RobotReport) -> dict[str, Any]:
    """Return what became of a task. Times of stages are seconds of the computer's clock."""
    scan = {} if report.scan is None else {"scan": report.scan.as_json()}
    return {
        **plan_report(report),
        "measured_seconds": round(report.driven.measured_seconds, 3),
        "retries": report.driven.retries,
        "recoveries": _recoveries(report.driven),
        "journal": str(report.journal),
        **scan,
        **_verification(report.seen, report.unseen),
    }


def resume_report(report: job_events.ResumeReport, notes: list[str]) -> dict[str, Any]:
    """Return the result of a resumed run."""
    return {
        "resumed_at": report.resumed_at,
        "finished": report.total,
        "measured_seconds": round(report.driven.measured_seconds, 3),
        "retries": report.driven.retries,
        "recoveries": _recoveries(report.driven),
        "notes": notes,
        "journal": str(report.journal),
        **_verification(report.seen, report.unseen),
    }


def _recoveries(driven: executor.DriveReport) -> list[dict[str, Any]]:
    """Return what went wrong and what was done about it; primitives are counted from 1."""
    return [
        {
            "remedy": recovery.action.value,
            "primitive": None if recovery.primitive is None else recovery.primitive + 1,
            "reason": recovery.reason,
            "seconds": round(recovery.seconds, 3),
        }
        for recovery in driven.recoveries
    ]


def _verification(seen: job_events.Verification | None, unseen: str) -> dict[str, Any]:
    """Return the last reading; `verified` only where a camera saw the target."""
    why = {"unseen": unseen} if unseen else {}
    if seen is None:
        return {"verified": False, **why}
    reached = seen.target_reached and not unseen
    evidence = {"evidence": seen.evidence} if seen.evidence else {}
    seen_json = {**seen.result.as_json(), "target_reached": seen.target_reached, **evidence}
    return {"verified": reached, **why, "seen": seen_json}


def _times(stages: tuple[job_events.StageTime, ...]) -> dict[str, Any]:
    return {
        "wall_seconds": round(sum(stage.seconds for stage in stages), 3),
        "stages": {stage.stage.value: round(stage.seconds, 3) for stage in stages},
    }
