"""Options and settings of all tests."""

import gc
import os
import signal
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

import controller.vision  # noqa: F401 - limits OpenCV, which has to be loaded after it
from tests.forked import end_loaded

# Compiled kernels make the first example of a property slow and the others fast.
settings.register_profile("no_deadline", deadline=None)
settings.load_profile("no_deadline")


def pytest_configure() -> None:
    """Take signals as a terminal's processes do.

    A shell script ignores SIGINT in what it starts with `&`, and nohup ignores SIGHUP. Both are
    inherited, and the tests that send these signals would wait in vain.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for garbage neither while thousands of tests are collected nor, later, among them.

    Python looks at everything again each time that there is a quarter more of it, which takes
    nearly half of the collecting; what is frozen it does not look at any more.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that all processes of this run share, for what is dear to make."""
    folder = tmp_path_factory.getbasetemp()
    # A worker's own folder is inside the run's.
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


def pytest_sessionfinish() -> None:
    """End what the tests of this process have shared, and let garbage be collected again.

    What is garbage when a search freezes the objects of its compiler stays until the process ends,
    and nanobind reports solids among it as leaked.
    """
    end_loaded()
    gc.unfreeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the addresses of real machines; without them the simulated ones are tested."""
    parser.addoption("--brick", metavar="ADDRESS", help="run the brick's contract on this one")
    parser.addoption("--port", metavar="PORT", help="run the boot loader's contract on this board")
