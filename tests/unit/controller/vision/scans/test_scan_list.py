"""Lists of scans in files, and corrections, as people write them."""

import json
from pathlib import Path
from typing import Any

import pytest

from controller.vision.errors import InvalidScanError
from controller.vision.reading.corrections import parse_corrections
from controller.vision.scans.scan_list import load_scan_list, parse_scan_list

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
