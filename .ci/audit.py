"""Audits the lock file: python .ci/audit.py requirements-dev.lock [--offline]

Without a network: every package is pinned with hashes, and what is installed here is what is
pinned. With one, pip-audit also asks PyPI for vulnerabilities that are known by now. Exit code 1 if
anything was found; where nobody can be asked, that is said and is no finding.
"""

import json
import re
import subprocess
import sys
import venv
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

AUDITOR: Final = "pip-audit==2.10.1"
AUDITOR_HOME: Final = Path("build/audit")
INSTALLING_S: Final = 300
ASKING_S: Final = 600

_ENTRY: Final = re.compile(
    r"^(?P<name>[A-Za-z0-9_.-]+)(\[[^]]*\])?(?P<pin>==(?P<version>[^ ;\\]+))?"
)


def entries(lock: Path) -> list[str]:
    """Return the entries of a lock file, each in one line, without comments."""
    text = re.sub(r"\\\n\s*", " ", lock.read_text(encoding="utf-8"))
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def offline_findings(lock: Path) -> list[str]:
    """Return a sentence for each package that is not pinned, has no hash, or another version here.

    A package may be pinned to several versions, for several systems and versions of Python.
    """
    findings = []
    pinned: dict[str, set[str]] = {}
    for entry in entries(lock):
        match = _ENTRY.match(entry)
        if match is None or match["version"] is None:
            findings.append(f"{entry[:60]} is not pinned to one version.")
            continue
        pinned.setdefault(match["name"], set()).add(match["version"])
        if "--hash=sha256:" not in entry:
            findings.append(f"{match['name']} has no hash.")
    for name, versions in pinned.items():
        with suppress(PackageNotFoundError):  # for another system, or another Python
            if (installed := version(name)) not in versions:
                findings.append(
                    f"{name} {installed} is installed, and {' or '.join(sorted(versions))} is "
                    "pinned; `make setup` brings them together."
                )
    return findings


def known_vulnerabilities(lock: Path) -> tuple[int, list[str]]:
    """Return how many packages PyPI could be asked about, and a sentence for each vulnerability."""
    python = AUDITOR_HOME / "bin" / "python"
    if not python.exists():
        venv.create(AUDITOR_HOME, with_pip=True)
    install = [python, "-m", "pip", "install", "--quiet", AUDITOR]
    ask = [python, "-m", "pip_audit", "--disable-pip", "--require-hashes", "--requirement", lock,
           "--format", "json", "--progress-spinner", "off"]  # fmt: skip
    try:
        subprocess.run(install, check=True, capture_output=True, timeout=INSTALLING_S)
        asked = subprocess.run(ask, check=False, capture_output=True, text=True, timeout=ASKING_S)
        packages = json.loads(asked.stdout)["dependencies"]
    except (subprocess.SubprocessError, OSError, ValueError, KeyError):
        return 0, []
    answered = [each for each in packages if "skip_reason" not in each]
    return len(answered), [
        f"{each['name']} {each['version']}: {found['id']}, mended in "
        f"{', '.join(found['fix_versions']) or 'no version yet'}."
        for each in answered
        for found in each["vulns"]
    ]


def main() -> int:
    """Print what was found; return the exit code."""
    lock = Path(sys.argv[1])
    findings, count = offline_findings(lock), len(entries(lock))
    print(f"{lock}: {count} packages; pins, hashes and what is installed are compared.")
    if "--offline" not in sys.argv and not findings:
        answered, findings = known_vulnerabilities(lock)
        print(f"PyPI could be asked for known vulnerabilities of {answered} of {count}.")
    for finding in findings:
        print(finding)
    print(f"{len(findings)} findings.")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
