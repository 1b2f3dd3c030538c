"""Scans and lists of colours on disk."""

import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from controller.vision.camera import CameraSettings
from controller.vision.errors import InvalidScanError, ScanNotSavedError
from controller.vision.finding.grid_finder import Grid
from controller.vision.finding.steady_gate import FaceView, view_of_still
from controller.vision.reading.reader import parse_corrections, read_cube
from controller.vision.reading.result import Verdict
from controller.vision.scans.events import ScanOutcome
from controller.vision.scans.store import (
    FILE_NAME,
    SavedReading,
    case_of_scan,
    load_scan,
    load_scan_list,
    parse_scan_list,
    replay_scan,
    save_scan,
    scans_below,
)
from solvers.rubik.errors import FaceletError
from solvers.rubik.facelets import format_facelets
from solvers.rubik.scramble import random_state
from tests.vision_data import drawn_face, painted

COLOURS = [[1, 2, 3]] * 54


@pytest.mark.parametrize(
    "content",
    [
        [{"name": "a", "rgb": COLOURS}],
        {"name": "a", "rgb": COLOURS},
        {"cases": [{"name": "a", "rgb": COLOURS, "note": "other keys are ignored"}]},
    ],
)
def test_a_list_or_a_single_case_is_read(content: Any, tmp_path: Path) -> None:
    path = tmp_path / "scans.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    [case] = load_scan_list(path)
    assert case.name == "a"
    assert [list(colour) for colour in case.rgb] == COLOURS


@pytest.mark.parametrize(
    ("content", "part"),
    [
        ("text", "no list of scans"),
        ([], "empty"),
        ([7], "Case 1"),
        ([{"name": "good", "rgb": COLOURS}, {"name": "bad"}], "Case 2 ('bad')"),
        ([{"name": "bad"}], "'rgb' is missing"),
        ([{"name": "short", "rgb": COLOURS[:53]}], "53 colours"),
        ([{"name": "grey", "rgb": [5] * 54}], "rgb[0] must be a list, not 5"),
        ([{"name": "words", "rgb": [["r", "g", "b"]] * 54}], "'words'"),
        ([{"name": "bright", "rgb": [*COLOURS[:53], [0, 0, 256]]}], "rgb[53][2] must be at most"),
        ([{"name": "dark", "rgb": [[0, -1, 0]] * 54}], "rgb[0][1] must be at least 0, not -1"),
        ([{"name": "yes", "rgb": [[True, False, True]] * 54}], "rgb[0][0] must be a number"),
        ([{"name": "two", "rgb": [[1, 2]] * 54}], "rgb[0] must be a list of 3"),
        ([{"name": 5, "rgb": COLOURS}], "name must be a text, not 5"),
        ([{"rgb": {"1": [0, 0, 0]}}], "case 1"),
    ],
)
def test_malformed_lists_are_refused_with_the_case(content: Any, part: str) -> None:
    with pytest.raises(InvalidScanError) as caught:
        parse_scan_list(content, "scans.json")
    assert part in str(caught.value)
    assert "scans.json" in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "\x00", "[[[["])
def test_files_that_are_no_json_are_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "scans.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidScanError, match="not JSON"):
        load_scan_list(path)


def test_missing_and_binary_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidScanError, match="cannot be read"):
        load_scan_list(tmp_path / "missing.json")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidScanError, match="not JSON"):
        load_scan_list(tmp_path / "binary")


def test_corrections_are_parsed() -> None:
    assert parse_corrections(["F3=R", " u1=b"]) == {20: "R", 0: "B"}


@pytest.mark.parametrize("text", ["F0=R", "F10=R", "X1=R", "F3", "F3=", "F3=RR", "F3=x", "F5=R"])
def test_malformed_corrections_are_refused(text: str) -> None:
    with pytest.raises(InvalidScanError, match="set"):
        parse_corrections([text])


FACELETS = format_facelets(random_state(1))
SETTINGS = CameraSettings(157, 4600, exposure_locked=True, warnings=("a warning",))


def outcome_of(facelets: str) -> ScanOutcome:
    """Return a scan whose faces were captured in the order B L D F R U."""
    rgb = painted(facelets, noise=0.0).reshape(6, 9, 3)
    views = []
    order = np.zeros(54, dtype=np.int64)
    for number, face in enumerate(reversed(range(6))):
        view = view_of_still(drawn_face(rgb[face]))
        assert view is not None
        views.append(view)
        order[9 * face : 9 * face + 9] = 9 * number + np.arange(9)
    colours = np.concatenate([view.colours for view in views])
    return ScanOutcome(read_cube(colours[order]), tuple(views), order[None])


@pytest.fixture(scope="module")
def outcome() -> ScanOutcome:
    """Return a scan of a scrambled cube."""
    return outcome_of(FACELETS)


def test_a_scan_comes_back_as_it_was_saved(outcome: ScanOutcome, tmp_path: Path) -> None:
    save_scan(outcome, "camera 0", SETTINGS, tmp_path / "scans" / "one")
    stored = load_scan(tmp_path / "scans" / "one")
    assert stored.name == "one"
    assert len(stored.pictures) == 6
    assert np.array_equal(stored.pictures[0], outcome.views[0].picture)
    assert np.allclose(stored.rgb, outcome.rgb, atol=0.01)
    assert stored.reading == msgspec.convert(outcome.result.as_json(), SavedReading)
    assert [p.name for p in (tmp_path / "scans").iterdir()] == ["one"]  # nothing left over


def test_the_file_says_how_it_was_made(outcome: ScanOutcome, tmp_path: Path) -> None:
    save_scan(outcome, "camera 0", SETTINGS, tmp_path / "one")
    content = json.loads((tmp_path / "one" / FILE_NAME).read_text(encoding="utf-8"))
    assert content["source"] == "camera 0"
    assert content["version"]
    assert content["camera"]["exposure"] == 157
    assert content["camera"]["warnings"] == ["a warning"]
    assert np.array(content["posteriors"]).shape == (54, 6)
    assert np.array(content["pictures"][0]["grid"]).shape == (3, 3)


def test_a_saved_scan_is_read_again(outcome: ScanOutcome, tmp_path: Path) -> None:
    save_scan(outcome, "camera 0", SETTINGS, tmp_path / "one")
    replayed = replay_scan(load_scan(tmp_path / "one"))
    assert replayed.as_saved
    assert replayed.result is not None
    assert replayed.result.facelets == FACELETS
    assert replayed.as_json()["verdict"] == "accepted"


def test_a_picture_without_a_face_is_named(outcome: ScanOutcome, tmp_path: Path) -> None:
    blank = np.full((240, 320, 3), 120, np.uint8)
    lost = FaceView(outcome.views[2].colours, blank, Grid(np.eye(3), 9))
    views = (*outcome.views[:2], lost, *outcome.views[3:])
    save_scan(ScanOutcome(outcome.result, views, outcome.facelets), "0", SETTINGS, tmp_path / "one")
    replayed = replay_scan(load_scan(tmp_path / "one"))
    assert replayed.lost == (3,)
    assert replayed.as_json()["verdict"] == "rescan"
    assert "picture 3" in replayed.as_json()["reasons"][0]


def test_a_scan_becomes_a_case_that_reads_itself(outcome: ScanOutcome, tmp_path: Path) -> None:
    save_scan(outcome, "camera 0", SETTINGS, tmp_path / "one")
    case = case_of_scan(load_scan(tmp_path / "one"))
    assert case["truth"] == FACELETS
    [parsed] = parse_scan_list([case], "test")
    assert read_cube(parsed.rgb).facelets == FACELETS


def test_a_doubtful_scan_needs_a_truth(outcome: ScanOutcome, tmp_path: Path) -> None:
    doubtful = ScanOutcome(read_cube(np.full((54, 3), 99.0)), outcome.views, outcome.facelets)
    assert doubtful.result.verdict is not Verdict.ACCEPTED
    save_scan(doubtful, "camera 0", SETTINGS, tmp_path / "one")
    stored = load_scan(tmp_path / "one")
    with pytest.raises(InvalidScanError, match="really had"):
        case_of_scan(stored)
    assert case_of_scan(stored, FACELETS)["truth"] == FACELETS
    with pytest.raises(FaceletError):
        case_of_scan(stored, FACELETS[::-1])


def test_scans_are_found_in_a_folder(outcome: ScanOutcome, tmp_path: Path) -> None:
    for name in ("b", "a"):
        save_scan(outcome, "camera 0", SETTINGS, tmp_path / name)
    assert [path.name for path in scans_below(tmp_path)] == ["a", "b"]
    assert scans_below(tmp_path / "a") == [tmp_path / "a"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidScanError, match="no saved scan"):
        scans_below(tmp_path / "empty")


def test_a_scan_that_cannot_be_written_leaves_nothing_behind(
    outcome: ScanOutcome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(msgspec.json, "format", fail)
    with pytest.raises(KeyboardInterrupt):
        save_scan(outcome, "camera 0", SETTINGS, tmp_path / "one")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_named(outcome: ScanOutcome, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(ScanNotSavedError, match="file/one"):
        save_scan(outcome, "camera 0", SETTINGS, tmp_path / "file" / "one")


def test_pictures_without_their_list_are_no_scan(outcome: ScanOutcome, tmp_path: Path) -> None:
    save_scan(outcome, "camera 0", SETTINGS, tmp_path / "one")
    (tmp_path / "one" / FILE_NAME).unlink()
    with pytest.raises(InvalidScanError, match="no saved scan"):
        scans_below(tmp_path)


def test_an_existing_folder_is_kept(outcome: ScanOutcome, tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    with pytest.raises(InvalidScanError, match="exists already"):
        save_scan(outcome, "camera 0", SETTINGS, tmp_path / "one")


def damaged(folder: Path, damage: str) -> None:
    file = folder / FILE_NAME
    content = json.loads(file.read_text(encoding="utf-8"))
    if damage == "picture":
        (folder / "look-01.png").write_bytes(b"other")
    elif damage == "missing picture":
        (folder / "look-02.png").unlink()
    elif damage == "text":
        file.write_text("{", encoding="utf-8")
    elif damage == "missing":
        file.unlink()
    else:
        changes: dict[str, dict[str, object]] = {
            "format": {"format": 99},
            "keys": {"reading": {}},
            "list": {"pictures": 7},
            "verdict": {"reading": {**content["reading"], "verdict": "fine"}},
            "stickers": {"facelets_of_pictures": [[54, *range(53)]]},
            "colours": {"rgb": [content["rgb"][0][:53]]},
            "looks": {"rgb": content["rgb"] * 2},
            "overflow": {"facelets_of_pictures": [[10**30, *range(1, 54)]]},
            "nothing": {"rgb": [], "facelets_of_pictures": []},
        }
        file.write_text(json.dumps({**content, **changes[damage]}), encoding="utf-8")


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        ("picture", "look-01.png was changed after the scan was saved"),
        ("missing picture", "look-02.png cannot be read"),
        ("text", "is not JSON"),
        ("missing", "cannot be read"),
        ("format", "no scan of format 1"),
        ("keys", "reading: 'facelets' is missing"),
        ("list", "pictures must be a list, not 7"),
        ("verdict", "reading.verdict"),
        ("stickers", "do not add up"),
        ("colours", "do not add up"),
        ("looks", "do not add up"),
        ("overflow", "do not add up"),
        ("nothing", "do not add up"),
    ],
)
def test_damage_is_reported_with_the_file(
    outcome: ScanOutcome, tmp_path: Path, damage: str, sentence: str
) -> None:
    save_scan(outcome, "camera 0", SETTINGS, tmp_path / "one")
    damaged(tmp_path / "one", damage)
    with pytest.raises(InvalidScanError, match=sentence) as caught:
        load_scan(tmp_path / "one")
    assert str(tmp_path / "one") in str(caught.value)
