"""Every command line of README and docs does what the page says.

Examples in fenced blocks are run, page by page in an empty folder: exit code and output as shown,
seconds and ports apart. What is named within sentences and tables must exist with its options; of
the README, which a newcomer types from, these are run as well.
"""

import ast
import re
import shutil
import tomllib
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import cv2
import pytest

from firmware_tools.boards.facts import load_board
from firmware_tools.building.build import build
from firmware_tools.building.program import find_program
from solvers.rubik.cubies import SOLVED
from solvers.rubik.facelets import format_facelets
from solvers.rubik.notation import parse_moves
from solvers.rubik.scramble import random_state
from tests.command_tree import subcommands
from tests.integration.aksen.processes import SimulatedBoard
from tests.integration.documented.data import APPS, FILES, NOT_RUN, PLACE_HOLDER
from tests.integration.documented.examples import (
    COMMANDS,
    PAGES,
    ROOT,
    Example,
    examples,
    fences,
    mentions,
)
from tests.integration.documented.session import PageError, Reader, is_documented_compiler
from tests.virtual_robot import VirtualRobot
from tests.vision_data import drawn_face, painted

EVERYWHERE = {"--debug", "--verbose", "--version", "--help"}


def to_run(page: str) -> list[Example]:
    """Return a page's examples, and for the README what no other page's example runs."""
    found = list(examples(page))
    if page == "README.md":
        elsewhere = {bare(each.command) for other in PAGES for each in examples(other)}
        found += [each for each in mentions(page) if bare(each.command) not in elsewhere]
    return [
        each
        for each in found
        if each.command not in NOT_RUN and not PLACE_HOLDER.search(each.command)
    ]


def bare(command: str) -> str:
    """Return a command without the comment behind it."""
    return command.partition("  #")[0].strip()


@pytest.mark.parametrize("page", [page for page in PAGES if to_run(page)])
def test_the_examples_do_what_the_page_shows(page: str, tmp_path: Path) -> None:
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    for name, origin in FILES.get(page, {}).items():
        shutil.copy(ROOT / "tests" / "data" / origin, tmp_path / name)
    with Reader(tmp_path) as reader:
        for example in to_run(page):
            reader.follow(example)


@pytest.mark.parametrize("page", PAGES)
def test_commands_in_sentences_exist_with_their_options(page: str) -> None:
    for mention in [*mentions(page), *examples(page)]:
        for part in mention.command.split("&&"):
            words = part.replace("[", " ").replace("]", " ").split()
            if words[0] in COMMANDS:
                unknown = unknown_words(words)
                assert not unknown, f"{mention}: there is no {' '.join(unknown)}"


def unknown_words(words: list[str]) -> list[str]:
    """Return the subcommand that there is not, or the options that the command does not have."""
    command = import_module(f"{APPS[words[0]]}.cli.main").app
    rest = words[1:]
    while rest and not rest[0].startswith("-") and (below := subcommands(command)):
        name = rest.pop(0)
        if name not in below:
            return [name]
        command = below[name]
    known = EVERYWHERE.union(*(each.opts for each in command.params))
    options = [word.partition("=")[0] for word in rest if word.startswith("--") and word != "--"]
    return [option for option in options if option not in known]


def test_what_is_not_run_stands_in_a_page() -> None:
    shown = {each.command for page in PAGES for each in [*examples(page), *mentions(page)]}
    assert set(NOT_RUN) <= shown
    assert set(FILES) <= set(PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_python_examples_import_what_exists(page: str) -> None:
    for line, code in fences(page, "python"):
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.ImportFrom):
                missing = [
                    each.name for each in node.names if not has(node.module or "", each.name)
                ]
                assert not missing, f"{page}:{line}: {node.module} has no {missing}"
            elif isinstance(node, ast.Import):
                for each in node.names:
                    import_module(each.name)


def python_example(word: str) -> str:
    """Return the example of the page about Python that has a word in it."""
    (code,) = (code for _, code in fences("docs/python.md", "python") if word in code)
    return code


@pytest.mark.parametrize("word", ["plan_known", "count_job", "cube.search import"])
def test_examples_without_a_machine_hold(word: str) -> None:
    exec(python_example(word), {})


def test_the_example_of_a_scan_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    facelets = format_facelets(random_state(1))
    (tmp_path / "photos").mkdir()
    for number, face in enumerate(painted(facelets, noise=2.0).reshape(6, 9, 3)):
        cv2.imwrite(str(tmp_path / "photos" / f"{number}.png"), drawn_face(face))
    monkeypatch.chdir(tmp_path)
    exec(python_example("scan_by_hand"), {})
    *faces, read = capsys.readouterr().out.splitlines()
    assert faces == [f"face {number} of 6" for number in range(1, 7)]
    assert read == f"{facelets} accepted ()"


def test_the_example_of_six_pictures_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    facelets = format_facelets(random_state(1))
    (tmp_path / "faces").mkdir()
    for letter, face in zip("URFDLB", painted(facelets, noise=2.0).reshape(6, 9, 3), strict=True):
        cv2.imwrite(str(tmp_path / "faces" / f"{letter}.png"), drawn_face(face))
    monkeypatch.chdir(tmp_path)
    (code,) = (code for _, code in fences("docs/vision.md", "python") if "read_faces" in code)
    exec(code, {})
    assert capsys.readouterr().out == f"{facelets} accepted 1.00\n"


def test_the_example_of_a_drive_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    virtual = VirtualRobot(SOLVED.apply(parse_moves("R U F'")), tmp_path / "run.journal")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr("controller.opening.robot_at", lambda *_: virtual.robot)
    monkeypatch.setattr("solvers.foundation.clock.SystemClock", lambda: virtual.clock)
    exec(python_example("solve_known"), {})
    *primitives, last = capsys.readouterr().out.splitlines()
    assert virtual.rig.is_solved
    assert re.match(r"\d+: (tilt|spin|turn)", primitives[0])
    assert " 0 retries; see " in last


@pytest.mark.needs_sdcc
def test_the_boards_python_example_prints_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ((_, code),) = fences("docs/aksen-simulator.md", "python")
    build(find_program(["hello"]), load_board(), tmp_path)
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    promised = [line.partition("# ")[2] for line in code.splitlines() if line.startswith("print")]
    assert capsys.readouterr().out.splitlines() == promised


def has(module: str, name: str) -> bool:
    """Tell whether a module has a name or a module of that name in it."""
    return hasattr(import_module(module), name) or find_spec(f"{module}.{name}") is not None


@pytest.mark.parametrize("page", PAGES)
def test_toml_examples_are_toml(page: str) -> None:
    for _line, text in fences(page, "toml"):
        tomllib.loads(text)


@pytest.mark.parametrize(
    ("command", "shown", "complaint"),
    [
        ("puzzle cube show --scramble Q", (), "ended with 2"),
        ("puzzle cube show --scramble R", ("Error: It failed.",), "ended with 0"),
        ("puzzle pack list", ("soma Soma cub",), "shows\nsoma Soma cub\nbut prints"),
        ("hwsim aksen --no-such-option", (), "told no address"),
    ],
)
def test_a_wrong_page_is_found(
    command: str, shown: tuple[str, ...], complaint: str, tmp_path: Path
) -> None:
    with Reader(tmp_path) as reader, pytest.raises(PageError, match=complaint):
        reader.follow(Example("page.md", 1, command, shown))


def test_a_command_that_is_gone_is_found() -> None:
    assert unknown_words(["puzzle", "pack", "solve", "soma", "--no-option"]) == ["--no-option"]
    assert unknown_words(["puzzle", "pack", "resolve", "soma"]) == ["resolve"]


@pytest.mark.needs_sdcc
def test_flashing_from_python_prints_what_the_page_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ((_, code),) = fences("docs/aksen.md", "python")
    with SimulatedBoard() as board:
        exec(code.replace("socket://127.0.0.1:7000", board.port), {})
    printed = capsys.readouterr().out.splitlines()
    page = (ROOT / "docs/aksen.md").read_text(encoding="utf-8")
    assert len(printed) == 2
    if is_documented_compiler():
        assert f"prints `{printed[0]}` and `{printed[1]}`." in page
