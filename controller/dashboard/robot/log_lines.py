"""What the log says of a robot's job, beside what its page shows."""

from controller.job_events import RobotEvent, StageBegan
from controller.motion.driving.executor import Paused, PrimitiveFinished, PrimitiveRetried
from controller.motion.driving.recovery import RecoveryBegan
from controller.motion.driving.run import HomeTaken
from controller.vision.scans.events import Advised, SecondLookWanted


def line_of(event: RobotEvent) -> tuple[str, str] | None:
    """Return what is said of an event and of which kind that is ("" or "warn"); None for most."""
    match event:
        case StageBegan():
            return str(event.stage), ""
        case HomeTaken():
            again = " again: the brick was restarted" if event.after_restart else ""
            return f"home was found{again}", ""
        case PrimitiveFinished():
            return f"{event.index + 1} {event.primitive} done in {event.seconds:.2f} s", ""
        case Paused():
            where = "within" if event.is_within else "before"
            return f"paused {where} primitive {event.index + 1}", ""
        case PrimitiveRetried():
            return f"{event.index + 1} once more: {event.reason}", "warn"
        case RecoveryBegan():
            return f"{event.reason} ({event.remedy})", "warn"
        case SecondLookWanted():
            return " ".join(event.result.reasons), "warn"
        case Advised():
            return event.sentence, "warn"
    return None
