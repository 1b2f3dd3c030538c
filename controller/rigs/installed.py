"""Looks for installed packages."""

from importlib.metadata import PackageNotFoundError, version

from controller.rigs.rig import Finding


def package(name: str) -> Finding:
    """Return whether a Python package is installed, and which version."""
    try:
        return Finding(name, True, version(name))
    except PackageNotFoundError:
        return Finding(name, False, "is not installed.", f"pip install {name}")
