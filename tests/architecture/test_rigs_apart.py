"""A rig is a folder and a line of a registry: nothing else in the packages speaks of it."""

from pathlib import Path
from typing import Final

import pytest

from controller.rigs.registry import RIGS as REAL
from hardware_sims.rigs.registry import RIGS as SIMULATED
from tests.architecture.sources import PACKAGES, ROOT

REGISTRIES: Final = {"controller/rigs/registry.py", "hardware_sims/rigs/registry.py"}
SUFFIXES: Final = {".py", ".js", ".html", ".css", ".toml", ".nxc"}
# Cameras are those of one rig; a faults file has one section for them, whatever the rig.
ALLOWED: Final = {"nxt-cradle": {"hardware_sims/robot_faults.py"}}


def files() -> list[str]:
    every = (path for name in PACKAGES for path in (ROOT / name).rglob("*"))
    return [path.relative_to(ROOT).as_posix() for path in every if path.suffix in SUFFIXES]


def test_each_rig_of_the_product_is_simulated_under_its_name() -> None:
    assert set(REAL) == set(SIMULATED)


@pytest.mark.parametrize("rig", list(REAL))
def test_a_rig_is_named_by_the_registries_alone(rig: str) -> None:
    folders = [each[rig].rpartition(".")[0] for each in (REAL, SIMULATED)]
    words = [rig, rig.replace("-", "_"), *folders]
    own = [each.replace(".", "/") for each in folders]
    speaking = {
        file
        for file in files()
        if not any(Path(file).is_relative_to(each) for each in own)
        and any(word in (ROOT / file).read_text(encoding="utf-8").lower() for word in words)
    }
    assert speaking == REGISTRIES | ALLOWED.get(rig, set())
