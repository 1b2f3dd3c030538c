"""What does not fit a typed file is told in a sentence with file, place and value."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import jsonschema
import msgspec
import pytest

from solvers.foundation.errors import InvalidInputError
from solvers.foundation.typed_files import (
    LARGEST_JSON_BYTES,
    convert,
    parse_json,
    read_json,
    read_toml,
)

Angle = Annotated[float, msgspec.Meta(ge=-20, le=720)]


class Side(StrEnum):
    LEFT = "left"
    RIGHT = "right"


class Motor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    home_deg: Angle
    powers: tuple[int, int, int] = (1, 2, 3)


class Rig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: int
    motors: list[Motor] = []
    by_name: dict[str, Motor] = {}
    side: Side = Side.LEFT


class Lists(msgspec.Struct, forbid_unknown_fields=True):
    """Lists that may be long."""

    pairs: list[tuple[int, int]] = []
    single: Annotated[list[int], msgspec.Meta(max_length=2)] = []
    maybe: Rig | None = None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "version = 1\nmotors = [{home_deg = 900}]",
            "motors[0].home_deg must be at most 720, not 900.",
        ),
        (
            "version = 1\nmotors = [{home_deg = 'x'}]",
            "motors[0].home_deg must be a number, not 'x'.",
        ),
        ("version = true", "version must be a whole number, not True."),
        ("version = 1\nmotors = [{}]", "motors[0]: 'home_deg' is missing."),
        (
            "version = 1\nspeed = 2",
            "unknown key 'speed'. The keys are version, motors, by_name, side.",
        ),
        (
            "version = 1\nmotors = [{home_deg = 1, powers = [1]}]",
            "motors[0].powers must be a list of 3, not [1].",
        ),
        (
            "version = 1\n[by_name.left]\nhome_deg = 900",
            "by_name.left.home_deg must be at most 720, not 900.",
        ),
        ("version = 1\nside = 'up'", "side must be one of left, right, not 'up'."),
        ("motors = 3\nversion = 1", "motors must be a list, not 3."),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "rig.toml"
    path.write_text(text)
    with pytest.raises(InvalidInputError) as caught:
        read_toml(path, Rig, "The rig")
    assert str(caught.value) == f"The rig {path}: {sentence}"


def test_a_late_mistake_is_found_without_a_look_at_what_fits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A value takes jsonschema 10 us: a list of a megabyte would take seconds."""
    looked_at: list[object] = []
    descend = jsonschema.Draft202012Validator.descend

    def note(validator: Any, instance: object, *schema: Any, **place: Any) -> Any:
        looked_at.append(instance)
        return descend(validator, instance, *schema, **place)

    monkeypatch.setattr(jsonschema.Draft202012Validator, "descend", note)
    pairs = [[1, 1]] * 3500
    for tables, sentence in (
        ({"pairs": [*pairs, ["a", 1]]}, r"pairs\[3500\]\[0\] must be a whole number, not 'a'\."),
        ({"pairs": pairs, "single": [5] * 3500}, r"single must be a list of at most 2, not \["),
        ({"pairs": pairs, "name": 1}, "unknown key 'name'"),
        ({"maybe": {"motors": [{"home_deg": 1}] * 3500, "version": "x"}}, "maybe.version must be"),
    ):
        looked_at.clear()
        with pytest.raises(InvalidInputError, match=sentence):
            convert(tables, Lists, "The file")
        assert len(looked_at) < 10


def test_a_good_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "rig.toml"
    path.write_text("version = 1\nmotors = [{home_deg = 5}]")
    assert read_toml(path, Rig, "The rig") == Rig(1, [Motor(5)])


@pytest.mark.parametrize("data", [b"\xff", b"= 3", b"a = [" * 3000, b"x = " + b"9" * 5000])
def test_what_is_no_toml_is_said(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "rig.toml"
    path.write_bytes(data)
    with pytest.raises(InvalidInputError, match=r"The rig .*(not TOML|nested|characters)"):
        read_toml(path, Rig, "The rig")


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match=r"The scan .*none.json cannot be read: No such"):
        read_json(tmp_path / "none.json", Rig, "The scan")
    with pytest.raises(InvalidInputError, match="cannot be read"):
        read_json(tmp_path, Rig, "The scan")


def test_a_file_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "bomb.json"
    with path.open("wb") as file:
        file.truncate(LARGEST_JSON_BYTES + 1)
    with pytest.raises(InvalidInputError, match="more than 4 MB"):
        read_json(path, Rig, "The scan")


@pytest.mark.parametrize("data", [b"[" * 100_000, b"{", b"\xff", b'{"version": 1e999}'])
def test_what_is_no_json_is_said(data: bytes) -> None:
    with pytest.raises(InvalidInputError):
        parse_json(data, Rig, "The scan")


class Chosen(msgspec.Struct):
    """A choice in a list."""

    ways: list[Literal["up", "down"]]


def test_a_wrong_choice_is_told_with_the_right_ones() -> None:
    with pytest.raises(InvalidInputError, match=r"rig: ways\[1\] must be one of down, up"):
        convert({"ways": ["up", "left"]}, Chosen, "rig")


def test_the_place_of_a_mistake_can_be_named_by_the_caller() -> None:
    with pytest.raises(InvalidInputError, match=r"^line of \['ways', 0\]: ways\[0\]"):
        convert({"ways": ["left"]}, Chosen, lambda steps: f"line of {steps}")
