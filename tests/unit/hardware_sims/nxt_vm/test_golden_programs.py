"""Programs with known results: what LEGO's published firmware source did with them."""

import base64
from typing import Any

import pytest

from tests.oracles.nxt_golden import DATA, Run, case_names, differences, random_programs, read_case

RUNS = [(name, run) for name in case_names() for run in range(len(read_case(name)["runs"]))]
# Programs that the host does not talk to, at the rates for which only their end is known.
OTHER_RATES = [
    (name, int(rate))
    for name in case_names()
    for rate in read_case(name).get("end_ms_at", {})
    if all(
        sent[:4] in ("0000", "0013", "0011")
        for _, sent, _ in read_case(name)["runs"][0]["telegrams"]
    )
]
START = [0, "0000702e727865" + "00" * 16, "020000"]
READ_FROM_MS = 100
BATCHES = 10


@pytest.mark.parametrize(("name", "run"), RUNS, ids=[f"{name}-{run}" for name, run in RUNS])
def test_program_does_what_the_firmware_did(name: str, run: int) -> None:
    assert differences(name, run) == {}


@pytest.mark.parametrize(("name", "instructions_per_ms"), OTHER_RATES)
def test_end_comes_in_its_millisecond_at_another_rate(name: str, instructions_per_ms: int) -> None:
    case = read_case(name)
    image = (DATA / "programs" / case["program"]).read_bytes()
    telegrams = case["runs"][0]["telegrams"][:1]
    outcome = Run(image, instructions_per_ms, drives=False).play(telegrams, case.get("inputs", []))
    assert outcome.end["ms"] == case["end_ms_at"][str(instructions_per_ms)]


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_programs(batch: int) -> None:
    programs = random_programs()[batch::BATCHES]
    assert len(programs) >= 20
    for program in programs:
        assert outcome_of(program) == expected_of(program), program["id"]


def outcome_of(program: dict[str, Any]) -> dict[str, Any]:
    """Run a random program and read its mailboxes until they are empty."""
    reads: list[list[Any]] = [
        [READ_FROM_MS + 10 * number + i, f"0013{int(queue):02x}0001", ""]
        for number, (queue, messages) in enumerate(program["queues"].items())
        for i in range(len(messages) + 1)
    ]
    outcome = Run(base64.b64decode(program["program"]), 100, drives=False).play([START, *reads], [])
    queues: dict[str, list[str]] = {}
    for (_, request, _), reply in zip(reads, outcome.replies[1:], strict=True):
        body = bytes.fromhex(reply or "")
        if body[2] == 0:
            queues.setdefault(str(int(request[4:6], 16)), []).append(body[5 : 5 + body[4]].hex())
    return {
        "queues": queues,
        "files": outcome.files,
        "instructions": outcome.end["instructions"],
        "state": outcome.end["state"],
    }


def expected_of(program: dict[str, Any]) -> dict[str, Any]:
    """Return the same of what is known."""
    return {
        "queues": program["queues"],
        "files": program["files"],
        "instructions": program["instructions"],
        "state": "ok",
    }
