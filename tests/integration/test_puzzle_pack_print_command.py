"""`puzzle pack print` from the command line to the files that a slicer opens."""

import sys
from pathlib import Path

import pytest
import trimesh

from solvers.cli.main import main
from tests.in_process import Run, runner

TWO = """\
name = "two"
[target]
box = [2, 2]
[[piece]]
name = "a/b"
layers = "##"
[[piece]]
name = "A_B"
layers = "##"
"""


@pytest.fixture
def puzzle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """Run the command in a folder of its own, which has a puzzle of two dominoes."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "two.toml").write_text(TWO, encoding="utf-8")
    return runner("puzzle", main, monkeypatch, capsys)


def volume(path: Path) -> float:
    mesh = trimesh.load(path, force="mesh")
    assert isinstance(mesh, trimesh.Trimesh)
    assert mesh.is_watertight
    return float(mesh.volume)


def test_every_piece_is_a_file_of_its_own(puzzle: Run, tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    sizes = ("--cell-mm", "10", "--bevel", "0", "--clearance", "0.5")
    outcome = puzzle("pack", "print", "two.toml", "--stl", "made/pieces", *sizes, "--json")
    assert outcome.code == 0
    files = ["made/pieces/01-a_b.stl", "made/pieces/02-A_B.stl"]
    assert outcome.data["files"] == files
    for name, piece in zip(files, outcome.data["pieces"], strict=True):
        assert piece["copies"] == 1
        assert piece["size_mm"] == [19.5, 9.5, 9.5]
        assert piece["volume_mm3"] == pytest.approx(19.5 * 9.5 * 9.5, abs=0.1)
        assert volume(tmp_path / name) == pytest.approx(piece["volume_mm3"], rel=1e-4)


def test_plate_and_solution_in_both_formats(puzzle: Run, tmp_path: Path) -> None:
    first = puzzle("pack", "print", "two.toml", "--stl", "all.stl", "--solution", "solved.3mf")
    assert first.code == 0
    assert first.out.splitlines() == [
        "a/b: 29.7 x 14.7 x 14.7 mm, 6.38 cm3",
        "A_B: 29.7 x 14.7 x 14.7 mm, 6.38 cm3",
        "Wrote all.stl.",
        "Wrote solved.3mf.",
    ]
    second = puzzle("pack", "print", "two.toml", "--3mf", "all.3mf", "--solution", "solved.stl")
    assert second.code == 0
    volumes = [volume(tmp_path / name) for name in ("all.stl", "all.3mf", "solved.3mf")]
    assert volumes == pytest.approx([volume(tmp_path / "solved.stl")] * 3, rel=1e-4)
    solved = trimesh.load(tmp_path / "solved.3mf")
    assert solved.extents == pytest.approx([29.7, 29.7, 14.7], abs=1e-3)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "Give a file to write: --stl, --3mf or --solution."),
        (("--3mf", "a.stl"), "--3mf a.stl: the ending must be .3mf."),
        (("--solution", "a.obj"), "--solution a.obj: the ending must be .3mf or .stl."),
        (("--3mf", "a.3mf", "--bevel", "9"), "Of a cube of 15 mm nothing is left"),
        (("--3mf", "a.3mf", "--clearance", "20"), "Of a cube of 15 mm nothing is left"),
        (("--3mf", "a.3mf", "--clearance", "7.6"), "gaps would be wider than what is left of it"),
        (("--stl", "made/pieces"), "--stl made/pieces: there is no folder made; make it first."),
        (("--3mf", "made/a.3mf"), "--3mf made/a.3mf: there is no folder made; make it first."),
        (("--stl", "all.obj"), "To write into a folder all.obj, make it first."),
        (("--stl", "two.toml/pieces"), "two.toml is no folder"),
        (("--stl", "two.toml/all.stl"), "two.toml is no folder"),
    ],
)
def test_what_cannot_be_is_refused(
    puzzle: Run, tmp_path: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    outcome = puzzle("pack", "print", "two.toml", *arguments)
    assert outcome.code == 2
    assert sentence in outcome.err
    assert [path.name for path in tmp_path.iterdir()] == ["two.toml"]


def test_a_puzzle_without_a_solution_is_not_put_together(puzzle: Run, tmp_path: Path) -> None:
    bad = TWO.replace("box = [2, 2]", "layers = '#.#.##'")
    (tmp_path / "bad.toml").write_text(bad, encoding="utf-8")
    outcome = puzzle("pack", "print", "bad.toml", "--stl", "bad", "--solution", "solved.3mf")
    assert outcome.code == 1
    assert not (tmp_path / "bad").exists()
    assert "two has no solution to put together" in outcome.err


def test_the_library_is_asked_for_before_any_work(
    puzzle: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "manifold3d", None)
    outcome = puzzle("pack", "print", "two.toml", "--3mf", "a.3mf")
    assert outcome.code == 2
    assert "py3-none-any.whl[print]'" in outcome.err
