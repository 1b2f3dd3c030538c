"""What a tab hears: everything that is so when it comes, and what changes while it is there."""

from controller.dashboard.hub import LOG, MOST_LINES, Hub, Subscriber


def heard(tab: Subscriber) -> dict[str, object]:
    return {message.topic: message.value for message in tab.take() if message.topic != LOG}


def lines(tab: Subscriber) -> list[object]:
    return [line for message in tab.take() if message.topic == LOG for line in message.value]


def test_a_late_tab_hears_what_is_so_and_then_what_changes() -> None:
    hub, woken = Hub(), []
    hub.publish("robot", 1)
    hub.publish("robot", 2)
    hub.publish("plan", "p")
    tab = hub.subscribe(lambda: woken.append("late"))
    assert heard(tab) == {"robot": 2, "plan": "p"}
    assert woken == ["late"]
    hub.publish("robot", 3)
    assert woken == ["late", "late"]
    assert heard(tab) == {"robot": 3}
    assert tab.take() == []


def test_a_slow_tab_loses_what_was_replaced_and_never_the_last() -> None:
    hub = Hub()
    tab = hub.subscribe(lambda: None)
    for number in range(10_000):
        hub.publish("robot", number)
    hub.publish("rig-cube", "t")
    messages = [message for message in tab.take() if message.topic != LOG]
    assert [(message.topic, message.value) for message in messages] == [
        ("robot", 9999),
        ("rig-cube", "t"),
    ]
    assert messages[0].n < messages[1].n


def test_the_log_keeps_its_last_lines_for_all() -> None:
    hub = Hub()
    early = hub.subscribe(lambda: None)
    for number in range(MOST_LINES + 10):
        hub.log(number)
    late = hub.subscribe(lambda: None)
    wanted = list(range(10, MOST_LINES + 10))
    assert lines(early) == wanted
    assert lines(late) == wanted
    hub.log("new")
    assert lines(late) == ["new"]


def test_a_closed_tab_hears_nothing_and_the_others_go_on() -> None:
    hub, woken = Hub(), []
    gone, here = hub.subscribe(lambda: woken.append("gone")), hub.subscribe(lambda: None)
    gone.close()
    gone.close()
    hub.publish("robot", 1)
    assert woken == ["gone"]  # as it entered
    assert (gone.take()[0].topic, hub.subscribers) == (LOG, 1)
    assert heard(here) == {"robot": 1}
    assert (hub.value("robot"), hub.value("nothing")) == (1, None)
