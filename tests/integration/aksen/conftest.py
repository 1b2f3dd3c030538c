"""AKSEN programs built with sdcc; the firmware library goes into a cache of the test run."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_tools.boards.facts import Board, load_board
from firmware_tools.building.build import BuildResult, build
from firmware_tools.building.program import find_program

PROGRAMS = Path(__file__).parents[2] / "data" / "aksen_programs"


@pytest.fixture(scope="session")
def aksen() -> Board:
    return load_board()


@pytest.fixture(scope="module", autouse=True)
def private_cache(firmware_cache: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(firmware_cache))
        yield


@pytest.fixture(scope="session")
def built(aksen: Board, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., BuildResult]:
    """Build programs of tests/data/aksen_programs, each once."""
    folder = tmp_path_factory.mktemp("images")
    results: dict[tuple[str, ...], BuildResult] = {}

    def get(*names: str) -> BuildResult:
        if names not in results:
            sources = [str(PROGRAMS / f"{name}.c") for name in names]
            results[names] = build(find_program(sources), aksen, folder)
        return results[names]

    return get
