"""What the page hears of the motors, and how often."""

from controller.dashboard.hub import Hub
from controller.dashboard.robot.presenter import MOTORS, PUBLISH_INTERVAL_S, Motors, MotorView
from controller.motion.mechanism import MotorSeen
from hardware_sims.clock import VirtualClock


def test_motors_are_told_not_too_often_and_their_range_forgets_nothing() -> None:
    hub, clock = Hub(), VirtualClock()
    motors = Motors(hub, clock)
    assert hub.value(MOTORS) == []
    motors.see([MotorSeen("arm", 10, 44)])
    motors.see([MotorSeen("arm", 44, 44)])
    assert hub.value(MOTORS) == [MotorView("arm", 10, 44, 0, 10)]
    clock.sleep(PUBLISH_INTERVAL_S)
    motors.see([MotorSeen("arm", -3, None)])
    assert hub.value(MOTORS) == [MotorView("arm", -3, None, -3, 44)]
    motors.forget()
    assert hub.value(MOTORS) == []
    clock.sleep(PUBLISH_INTERVAL_S)
    motors.see([MotorSeen("arm", 1, None)])
    assert hub.value(MOTORS) == [MotorView("arm", 1, None, 0, 1)]
