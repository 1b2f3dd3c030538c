"""Tables of the commands `plan` and `calibrate`."""

import json
import sys

import pytest

from controller.cli.calibrate import _lines
from controller.cli.main import main


def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str
) -> str:
    monkeypatch.setattr(sys, "argv", ["cuberobot", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    return capsys.readouterr().out


def test_a_plan_tells_the_seconds_of_each_primitive(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = json.loads(run(monkeypatch, capsys, "plan", "R U", "--json"))
    total = sum(told["seconds"]) + told["ending_seconds"]
    assert len(told["seconds"]) == len(told["primitives"])
    assert total == pytest.approx(told["robot_seconds"], abs=0.005)
    heading, *rows, home, _summary = run(monkeypatch, capsys, "plan", "R U").splitlines()
    assert heading.split() == ["#", "primitive", "seconds"]
    shown = [float(row.split()[-1]) for row in (*rows, home)]
    assert shown == pytest.approx([*told["seconds"], told["ending_seconds"]], abs=0.006)
    assert run(monkeypatch, capsys, "plan", "R").splitlines()[-1].startswith("1 move, ")


def test_a_calibrations_parts_have_rows_of_their_own() -> None:
    rows = list(_lines({"tilt": 1.5, "saved": {"tilt_after_tilt": 0.25}, "drive": "program"}))
    assert [row.split() for row in rows] == [
        ["tilt", "1.50"],
        ["saved"],
        ["tilt_after_tilt", "0.25"],
        ["drive", "program"],
    ]
