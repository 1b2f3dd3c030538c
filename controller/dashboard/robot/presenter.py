"""Presenter of the Robot page: turns the events of a job into what the page shows."""

import threading
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from controller import job_events
from controller.dashboard.hub import Hub, Topic
from controller.dashboard.robot import view as views
from controller.errors import CubeUncertainError, InvalidJournalError, StoppedError
from controller.motion import executor
from controller.motion.journal import read_journal
from controller.motion.mechanism import Battery, MotorSeen
from controller.motion.plan_choice import PlanFound
from controller.motion.primitives import CostModel, Primitive, Spin, Tilt, TurnLayer
from controller.motion.run_record import RecoveryAction, RecoveryStarted, RunRecord
from controller.motion.virtual_cube import VirtualCube
from controller.vision.camera import preview
from controller.vision.finding.steady_gate import FaceView
from controller.vision.reading.result import Verdict, colours_of
from controller.vision.scans import events
from controller.vision.scans.viewing import lying_facelets
from solvers.foundation.clock import Clock, time_of_day
from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.foundation.progress import Progress
from solvers.foundation.wording import counted
from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.facelets import FACE_LETTERS, format_facelets

MOTORS: Final = "motors"
PUBLISH_INTERVAL_S: Final = 1 / 15


class MotorView(msgspec.Struct, frozen=True):
    """A motor in degrees from its home; `least` and `most` since the robot was connected."""

    name: str
    angle: int
    goal: int | None
    least: int
    most: int


class Motors:
    """Publishes the motors' angles; any thread may call. `clock` is the page's, not the robot's."""

    def __init__(self, hub: Hub, clock: Clock) -> None:
        self._hub = hub
        self._clock = clock
        self._lock = threading.Lock()
        self._published_s = -PUBLISH_INTERVAL_S
        self._views: dict[str, MotorView] = {}
        self._hub.publish(MOTORS, [])

    def forget(self) -> None:
        """Show no motors: there is no robot."""
        with self._lock:
            self._views = {}
            self._hub.publish(MOTORS, [])

    def see(self, motors: Sequence[MotorSeen]) -> None:
        """Note new angles, and publish them unless some were published just now."""
        with self._lock:
            for seen in motors:
                old = self._views.get(seen.name)
                angle = seen.angle_deg
                self._views[seen.name] = MotorView(
                    seen.name,
                    angle,
                    seen.goal_deg,
                    min(angle, old.least if old else 0),
                    max(angle, old.most if old else 0),
                )
            now_s = self._clock.now()
            if now_s - self._published_s >= PUBLISH_INTERVAL_S:
                self._published_s = now_s
                self._hub.publish(MOTORS, list(self._views.values()))


RIG_CUBE: Final = "rig-cube"
UNKNOWN: Final = "?" * 54


class RigCubeView(msgspec.Struct, frozen=True):
    """54 colours at U R F D L B of the rig, and the motion that the cube starts.

    Unless it `is_known`, the cube may have moved or changed since, or was never seen.
    """

    facelets: str
    kind: str = ""
    quarters: int = 0
    seconds: float = 0.0
    is_known: bool = True


class RigCube:
    """The cube in the rig. Its stickers are named by places, and shown in the cube's colours."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._turning: Tilt | Spin | None = None
        self.forget()

    def forget(self) -> None:
        """Show no cube: nobody has seen the one in the rig."""
        self.show(UNKNOWN, FACE_LETTERS, is_known=False)

    def show(self, facelets: str, colours: str, *, is_known: bool = True) -> None:
        """Show the cube at rest; `colours` are those of its centres at U R F D L B of the rig."""
        self._facelets = facelets.translate(str.maketrans(FACE_LETTERS, colours))
        self._turning, self._is_known = None, is_known
        self._publish("", 0, 0.0)

    def move(self, primitive: Primitive, seconds: float) -> None:
        """Show that the cube starts to move, for `seconds` of the page's clock."""
        self._publish(views.kind_of(primitive), _quarters_of(primitive), seconds)

    def turn(self, motion: Tilt | Spin, seconds: float) -> None:
        """Show that a cube, known or not, is turned for a view; the motion before it is done."""
        self.settle()
        self._turning = motion
        self.move(motion, seconds)

    def settle(self) -> None:
        """Show the cube after the motion for a view, which is done."""
        if self._turning is None:
            return
        order = lying_facelets(VirtualCube(SOLVED).after(self._turning).orientation)
        self._facelets, self._turning = "".join(self._facelets[index] for index in order), None
        self._publish("", 0, 0.0)

    def rest(self) -> None:
        """End what moves; how far a motion for a view came is unknown."""
        if self._turning is None:
            self._publish("", 0, 0.0)
        else:
            self.doubt()

    def doubt(self) -> None:
        """Show that the cube may be another, or elsewhere, until it is seen again."""
        self._turning, self._is_known = None, False
        self._publish("", 0, 0.0)

    def _publish(self, kind: str, quarters: int, seconds: float) -> None:
        view = RigCubeView(self._facelets, kind, quarters, seconds, self._is_known)
        self._hub.publish(RIG_CUBE, view)


def _quarters_of(primitive: Primitive) -> int:
    return primitive.quarters if isinstance(primitive, Spin | TurnLayer) else 1


def stickers_in_rig(cube: VirtualCube) -> str:
    """Return the 54 colours at the places of the rig."""
    facelets = format_facelets(cube.position)
    return "".join(facelets[index] for index in lying_facelets(cube.orientation))


ROBOT: Final = "robot"
PLAN: Final = "plan"
_PLACES: Final = {
    job_events.Stage.SCAN: 0,
    job_events.Stage.PREPARE: 1,
    job_events.Stage.SEARCH: 1,
    job_events.Stage.DRIVE: 2,
    job_events.Stage.VERIFY: 3,
}


class RobotPresenter:
    """The views of a robot's page; the job's thread and the controller call it."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self._topic = Topic(hub, ROBOT, views.RobotView())
        self.change = self._topic.change
        self._rig_cube = RigCube(hub)
        self.looks = Views()
        self._scans = 0
        self._cube: VirtualCube | None = None  # as planned; None from the first turn for a view on
        self._colours = FACE_LETTERS  # of the centres at U R F D L B, where the plan starts
        self._is_dry = self._was_turned = False
        self._primitives: tuple[Primitive, ...] = ()
        self._seconds: list[float] = []
        self._costs: CostModel | None = None
        self.hub.publish(PLAN, [])

    @property
    def view(self) -> views.RobotView:
        """What is shown."""
        return self._topic.view

    def turn(self, phases: Collection[views.Phase], to: views.Phase) -> bool:
        """Change the phase if it is one of `phases`; return whether it was."""
        with self._topic.lock:
            if self.view.phase not in phases:
                return False
            self.change(phase=to)
            return True

    def say(self, text: str, kind: str = "") -> None:
        """Write a line into the log."""
        self.hub.log({"time": time_of_day(), "text": text, "kind": kind})

    def see_battery(self, battery: Battery | None) -> None:
        """Show what the battery gives; say so where that is too little."""
        self.change(battery=battery)
        if battery is not None and battery.is_low:
            self.say(f"the battery is low ({battery.volts:.1f} V): charge it before a run", "warn")

    def forget(self, phase: views.Phase = views.Phase.NONE, sentence: str = "") -> None:
        """Show neither cube nor run: another robot, or none, is connected."""
        self._rig_cube.forget()
        self._cube, self._primitives = None, ()
        self.hub.publish(PLAN, [])
        self._topic.show(views.RobotView(phase=phase, sentence=sentence))

    def doubt_cube(self) -> None:
        """Show that the cube was perhaps moved unseen."""
        self._rig_cube.doubt()

    def start(self, costs: CostModel, colours: str = FACE_LETTERS, *, is_dry: bool = False) -> None:
        """Show a new run; `colours` are those of a given cube's centres.

        One that `is_dry` plans for a cube that need not be in the rig.
        """
        self._costs = costs
        self._colours, self._is_dry, self._was_turned = colours, is_dry, False
        self._cube, self._primitives = None, ()
        self.hub.publish(PLAN, [])
        with self._topic.lock:
            self._topic.show(views.fresh(self.view))
            self.change(phase=views.Phase.RUNNING, sentence="Finding home.")

    def adopt(self, record: RunRecord) -> None:
        """Show how far a run came that is resumed."""
        # After the last primitive the cube was turned for views, of which no journal tells.
        self._was_turned = record.is_complete
        self._show_left(record)
        done = Counter(each.action for each in record.recoveries)
        retries, rescans = done[RecoveryAction.RETRY], done[RecoveryAction.SCAN]
        self.change(elapsed_s=record.driven_s, retries=retries, rescans=rescans)

    def _show_left(self, record: RunRecord) -> None:
        header = record.header
        if record.has_plan and header.start is not None:
            self._colours = header.colours
            self._plan(VirtualCube(header.start), header.primitives)
            self._cube = VirtualCube(header.start).after_all(header.primitives[: record.finished])
            self._show_cube(is_known=not record.is_under_way and not self._was_turned)
            self._stage(1, "done")
        self.change(finished=record.finished)

    def end(
        self, phase: views.Phase, sentence: str = "", left: RunRecord | None = None, **fields: Any
    ) -> None:
        """Show how a run has ended; `left` is its journal's record, which has more."""
        self.say(sentence or str(phase), phase)
        self._rig_cube.rest()
        if left is not None and self._cube is not None:
            if left.has_plan:
                self._show_left(left)
            else:
                self._rig_cube.doubt()
        self.change(phase=phase, sentence=sentence, steady="", **place_of(left), **fields)

    def finish(self, result: views.Result) -> None:
        """Show what a run came to."""
        state = "left" if result.seen is None else "done"
        self._stage(2, "done", counted(self.view.total, "primitive"))
        self._stage(3, state, result.why if state == "left" else f"{result.seen:.1%} sure")
        self.end(views.Phase.FINISHED, result.why, result=result, remaining_s=0.0)

    def see(self, event: job_events.RobotEvent) -> None:
        """Show an event."""
        if (line := line_of(event)) is not None:
            self.say(*line)
        match event:
            case job_events.StageStarted():
                self._start_stage(event.stage)
            case Progress():
                share = "" if event.share is None else f" {event.share:.0%}"
                self.change(sentence=f"{event.task}{share}")
            case PlanFound():
                self.change(sentence=f"{event.plan.robot_seconds:.1f} s found")
            case job_events.PlanChosen():
                self._show_chosen(event)
            case job_events.DriveStarted():
                self._start_drive(event)
            case (
                executor.PrimitiveStarted()
                | executor.PrimitiveFinished()
                | executor.PrimitiveRetried()
                | executor.Paused()
            ):
                self._show_drive(event)
            case job_events.CubeRead():
                self._show_reading(event)
            case events.Turning():
                self._cube = None
                self._rig_cube.turn(event.motion, 1.0 / self.view.speed)
                self.change(steady=str(event.motion))
            case (
                events.FrameSeen()
                | events.FaceCaptured()
                | events.SecondLookWanted()
                | events.Advised()
            ):
                self._rig_cube.settle()  # whatever is seen is seen after the motion
                self._show_look(event)
            case RecoveryStarted():
                self._show_recovery(event)

    def _start_stage(self, stage: job_events.Stage) -> None:
        place = _PLACES[stage]
        for earlier in range(place):
            if self.view.stages[earlier].state in ("now", "waiting"):
                is_past = self.view.stages[earlier].state == "now"
                self._stage(earlier, "done" if is_past else "left")
        self._stage(place, "now")
        if stage is job_events.Stage.SCAN:
            self.looks.clear()
            self._scans += 1
            self.change(looks=0)
        self.change(sentence="", steady="", primitive=None)

    def _start_drive(self, event: job_events.DriveStarted) -> None:
        self._stage(2, "now")
        name = event.journal.stem
        self.change(total=event.total, journal=name, can_resume=True, sentence="")
        if self.view.finished == event.total and self._cube is not None:
            # No primitive follows that would show the cube again after a recovery.
            self._show_cube(is_known=not self._was_turned)

    def _show_recovery(self, event: RecoveryStarted) -> None:
        if event.action is RecoveryAction.CAMERA:
            self._rig_cube.rest()
        else:
            self._rig_cube.doubt()
        if event.action is RecoveryAction.SCAN:
            self.change(rescans=self.view.rescans + 1)

    def _show_chosen(self, event: job_events.PlanChosen) -> None:
        chosen = event.chosen
        moves = counted(len(chosen.plan.moves), "move")
        self._stage(1, "done", f"{moves} of {counted(chosen.candidates, 'plan')}")
        self._plan(VirtualCube(event.start), chosen.plan.primitives)
        self.say(f"plan: {moves}, {chosen.plan.robot_seconds:.1f} robot seconds")

    def _plan(self, cube: VirtualCube, primitives: tuple[Primitive, ...]) -> None:
        assert self._costs is not None, "a run was started"
        blocks = views.blocks_of(cube, primitives, self._costs)
        self._cube, self._primitives = cube, primitives
        self._seconds = [block.seconds for block in blocks]
        self.hub.publish(PLAN, blocks)
        self._show_cube()
        planned_s = sum(self._seconds) + self._costs.ending
        self.change(total=len(blocks), finished=0, primitive=None, planned_s=planned_s)

    def _show_cube(self, *, is_known: bool = True) -> None:
        assert self._cube is not None, "it was planned"
        if not self._is_dry:
            self._rig_cube.show(stickers_in_rig(self._cube), self._colours, is_known=is_known)

    def _show_drive(
        self,
        event: executor.PrimitiveStarted
        | executor.PrimitiveFinished
        | executor.PrimitiveRetried
        | executor.Paused,
    ) -> None:
        match event:
            case executor.PrimitiveStarted():
                seconds = self._seconds[event.index]
                self._show_cube()
                self._rig_cube.move(event.primitive, seconds / self.view.speed)
                self.change(primitive=event.index, steady="", remaining_s=event.remaining_s)
            case executor.PrimitiveFinished():
                assert self._cube is not None, "what is driven was planned"
                self._cube = self._cube.after(event.primitive)
                self._show_cube()
                late_s = event.seconds - self._seconds[event.index]
                self.change(
                    finished=event.index + 1,
                    cut_off="",
                    trouble="",
                    behind_s=self.view.behind_s + late_s,
                    elapsed_s=self.view.elapsed_s + event.seconds,
                )
            case executor.PrimitiveRetried():
                self.change(retries=self.view.retries + 1, trouble=event.reason)
            case executor.Paused():
                under_way = str(self._primitives[event.index]) if event.is_within else ""
                self._show_cube(is_known=not event.is_within)
                self.change(phase=views.Phase.PAUSED, primitive=event.index, cut_off=under_way)

    def _show_look(
        self,
        event: events.FrameSeen | events.FaceCaptured | events.SecondLookWanted | events.Advised,
    ) -> None:
        match event:
            case events.Advised():
                self.change(sentence=event.sentence)
            case events.FrameSeen():
                self.change(steady=f"holding still {event.steady}/{event.wanted}")
            case events.FaceCaptured() if not self._is_looking:
                pass  # a glance on the way
            case events.FaceCaptured():
                place = 0 if self._in_scan else 3
                if self._in_scan:
                    self.change(looks=self.looks.add(event.view), scans=self._scans)
                self._stage(place, "now", f"face {event.number} of {event.total}")

    def _show_reading(self, event: job_events.CubeRead) -> None:
        result = event.result
        if self._in_scan:
            self._stage(0, "done", f"6 faces · {result.confidence:.1%}")
        self._cube, self._colours = None, colours_of(event.centres)
        if result.verdict is Verdict.RESCAN:
            self._rig_cube.doubt()
        else:
            is_known = result.verdict is Verdict.ACCEPTED
            self._rig_cube.show(result.facelets, self._colours, is_known=is_known)
        reading = (str(result.verdict), result.confidence, result.reasons)
        self.change(verdict=reading[0], confidence=reading[1], reasons=reading[2], steady="")

    @property
    def _is_looking(self) -> bool:
        return self._in_scan or self.view.stages[3].state == "now"

    @property
    def _in_scan(self) -> bool:
        return self.view.stages[0].state == "now"

    def _stage(self, place: int, state: str, detail: str | None = None) -> None:
        self.change(stages=views.staged(self.view.stages, place, state, detail))


def line_of(event: job_events.RobotEvent) -> tuple[str, str] | None:
    """Return what is said of an event and of which kind that is ("" or "warn"); None for most."""
    match event:
        case job_events.StageStarted():
            return str(event.stage), ""
        case executor.HomeFound():
            again = " again: the brick was restarted" if event.after_restart else ""
            return f"home was found{again}", ""
        case executor.PrimitiveFinished():
            return f"{event.index + 1} {event.primitive} done in {event.seconds:.2f} s", ""
        case executor.Paused():
            where = "within" if event.is_within else "before"
            return f"paused {where} primitive {event.index + 1}", ""
        case executor.PrimitiveRetried():
            return f"{event.index + 1} again: {event.reason}", "warn"
        case RecoveryStarted():
            return f"{event.reason} ({event.action})", "warn"
        case events.SecondLookWanted():
            return " ".join(event.result.reasons), "warn"
        case events.Advised() | job_events.MarginsLoosened():
            return event.sentence, "warn"
    return None


_MARGIN: Final = 0.75  # of the distance between two stickers' centres


class Views:
    """The captured faces of the last scan as JPEGs; the job adds them, pages fetch them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pictures: list[bytes] = []

    def clear(self) -> None:
        """Forget all: another scan starts."""
        with self._lock:
            self._pictures = []

    def add(self, view: FaceView) -> int:
        """Keep a face; return how many there are."""
        centres, margin = view.grid.centres, _MARGIN * view.grid.pitch_px
        height, width = view.picture.shape[:2]
        left, top = np.maximum(centres.min(axis=0) - margin, 0).astype(int)
        right, bottom = np.minimum(centres.max(axis=0) + margin, (width, height)).astype(int)
        picture = preview(np.ascontiguousarray(view.picture[top:bottom, left:right]))
        with self._lock:
            self._pictures.append(picture)
            return len(self._pictures)

    def picture(self, number: int) -> bytes | None:
        """Return the face that was captured as number `number`, from 1."""
        with self._lock:
            return self._pictures[number - 1] if 0 < number <= len(self._pictures) else None


def result_of(
    report: job_events.RobotReport | job_events.ResumeReport, target: CubieCube
) -> views.Result:
    """Return what a run to `target` came to."""
    word, why = job_events.verdict(report.seen, target, report.unseen)
    seen = report.seen.result.confidence if report.seen else None
    if isinstance(report, job_events.RobotReport):
        moves, seconds = len(report.chosen.plan.moves), report.driven.measured_seconds
        recoveries = report.driven.recoveries
    else:
        moves, seconds, recoveries = report.moves, report.whole_s, report.recoveries
    if not moves and not seconds:
        word = "Already solved" if target == SOLVED else "Already there"
    lines = tuple(f"{_RECOVERED[each.action]}: {each.reason}" for each in recoveries)
    return views.Result(word, why, moves, seconds, seen, lines)


_RECOVERED: Final = {
    RecoveryAction.RETRY: "Played again",
    RecoveryAction.HOME: "Straightened",
    RecoveryAction.RECONNECT: "Reconnected",
    RecoveryAction.CAMERA: "Waited for the camera",
    RecoveryAction.SCAN: "Scanned and planned again",
}


def phase_after(error: PuzzlerigError) -> views.Phase:
    """Return the state in which an error leaves the robot."""
    match error:
        case StoppedError():
            return views.Phase.STOPPED
        case CubeUncertainError():
            return views.Phase.UNCERTAIN
        case _:
            return views.Phase.FAULT


def left_in(journal: Path | None) -> RunRecord | None:
    """Return the record in the journal of a run, None if nothing can be resumed."""
    if journal is None:
        return None
    try:
        return read_journal(journal)[0]
    except InvalidJournalError:  # also one that was only named: no plan was made
        return None


def place_of(left: RunRecord | None) -> dict[str, Any]:
    """Return the fields of the view that say where a run ended: between primitives, or within one.

    Where position unknown there is no such place.
    """
    within = left.under_way if left is not None and left.has_plan else None
    return {
        "can_resume": left is not None,
        "primitive": None if left is None or within is None else left.finished,
        "cut_off": "" if within is None else str(within),
    }


def check_not_cut_off(cut_off: str) -> None:
    """Raise InvalidInputError if the cube is within a motion, whatever its stickers are."""
    if cut_off:
        raise InvalidInputError(
            f"{cut_off.capitalize()} was cut off midway, and the cube is between two positions. "
            "Resume the run or rescan the cube; or disconnect, straighten the cube and connect "
            "again."
        )
