"""`cuberobot scan read`: one JSON object per case, errors as sentences."""

import json
from pathlib import Path

from solvers.rubik.facelets import FACE_LETTERS, format_facelets
from solvers.rubik.scramble import random_state
from tests.in_process import Run

COLOURS = dict(
    zip(
        FACE_LETTERS,
        [
            (222, 222, 214),
            (180, 34, 36),
            (20, 140, 70),
            (224, 206, 40),
            (226, 104, 20),
            (24, 72, 160),
        ],
        strict=True,
    )
)


def test_one_object_per_case_on_stdout(cuberobot: Run, tmp_path: Path) -> None:
    cubes = {f"cube {seed}": format_facelets(random_state(seed)) for seed in range(3)}
    scans = tmp_path / "scans.json"
    cases = [{"name": n, "rgb": [COLOURS[c] for c in cube]} for n, cube in cubes.items()]
    scans.write_text(json.dumps(cases), encoding="utf-8")
    done = cuberobot("scan", "read", str(scans))
    assert (done.code, done.err) == (0, "")
    readings = [json.loads(line) for line in done.out.splitlines()]
    assert {reading["name"]: reading["facelets"] for reading in readings} == cubes
    for reading in readings:
        assert list(reading) == ["name", "facelets", "confidence", "doubtful", "verdict", "reasons"]
        assert reading["verdict"] == "accepted"


def test_a_malformed_case_is_named(cuberobot: Run, tmp_path: Path) -> None:
    scans = tmp_path / "scans.json"
    scans.write_text(json.dumps([{"name": "half", "rgb": [[0, 0, 0]] * 27}]), encoding="utf-8")
    done = cuberobot("scan", "read", str(scans))
    assert (done.code, done.out) == (2, "")
    assert "'half'" in done.err
    assert "Traceback" not in done.err


def test_a_sticker_can_be_set_by_hand(cuberobot: Run, tmp_path: Path) -> None:
    facelets = format_facelets(random_state(1))
    scans = tmp_path / "scan.json"
    rgb = [COLOURS[letter] for letter in facelets]
    scans.write_text(json.dumps({"name": "one", "rgb": rgb}), encoding="utf-8")
    done = cuberobot("scan", "read", str(scans), "--fix", f"F3={facelets[20]}")
    assert done.data["facelets"] == facelets
    assert cuberobot("scan", "read", str(scans), "--fix", "F5=R").code == 2
