"""What a robot's job tells, on its page and in the log."""

from controller.dashboard.hub import LOG, Hub
from controller.dashboard.robot.presenter import ROBOT, RobotPresenter
from controller.dashboard.robot.view import RobotView
from controller.vision.scans.events import Advised


def test_advice_while_a_cube_is_looked_at_is_shown_and_kept() -> None:
    hub = Hub()
    RobotPresenter(hub).see(Advised("There is glare on the cube."))
    told = hub.value(ROBOT)
    assert isinstance(told, RobotView)
    assert told.sentence == "There is glare on the cube."
    (lines,) = [
        message.value for message in hub.subscribe(lambda: None).take() if message.topic == LOG
    ]
    assert [(line["text"], line["kind"]) for line in lines] == [
        ("There is glare on the cube.", "warn")
    ]
