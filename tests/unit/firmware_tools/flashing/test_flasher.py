"""The order of things on a board, against a boot loader that follows a script."""

from typing import Any

import pytest

from firmware_tools.boards.facts import Board
from firmware_tools.bootloader import PROTOCOLS
from firmware_tools.bootloader.block import data_block, last_block
from firmware_tools.errors import PortError, WrongChipError
from firmware_tools.flashing import Flasher, Image, Phase, Planned, Programmed, plan_flash
from solvers.foundation.progress import Progress, run_job

TEST_BYTE, CHIP_QUESTION = "00", "00 0A 00 00 00 00 00 0A"
AKSEN, OTHER = "55 C5 15 0C 01 DD", "55 C5 15 0C 02 DE"


def ask_who(script: Any, answer: str) -> None:
    script.host(TEST_BYTE).board("55").host(CHIP_QUESTION).board(answer)


def test_a_wrong_chip_is_asked_once_more(script: Any, aksen: Board) -> None:
    """A damaged answer whose checksum fits is likelier than another board."""
    ask_who(script, OTHER)
    ask_who(script, AKSEN)
    flasher = Flasher(script.link(), aksen, PROTOCOLS["block"])
    assert flasher.connect() == aksen.loader.chip


def test_a_chip_that_is_wrong_twice_is_another_board(script: Any, aksen: Board) -> None:
    ask_who(script, OTHER)
    ask_who(script, OTHER)
    with pytest.raises(WrongChipError, match="C5 15 0C 02, but the AKSEN board has C5 15 0C 01"):
        Flasher(script.link(), aksen, PROTOCOLS["block"]).connect()


def test_flashing_tells_how_far_it_is(script: Any, aksen: Board) -> None:
    image = Image("test.ihx", b"\x02\x00\x30", 3)
    ask_who(script, AKSEN)
    script.host("00 04 00 00 00 00 00 04").board("55")
    plan = plan_flash(image, aksen, PROTOCOLS["block"])
    script.host("00 02 00 00 7E 00 00 7C").board("55")
    script.host(b"\x02\x03" + image.data + bytes(120) + b"\x33").board("55")
    script.host("00 05 00 00 0E 00 00 0B").board("55")
    seal = b"\x01AKSN\0\0\0\x03" + image.crc32.to_bytes(4)
    check = 0
    for byte in seal:
        check ^= byte
    script.host(seal + bytes([check])).board("55")
    events: list[Progress] = []
    flasher = Flasher(script.link(), aksen, PROTOCOLS["block"])
    report = run_job(flasher.flash(plan, verify=False), events.append)
    assert (report.bytes_programmed, report.crc32, report.verified) == (3, image.crc32, False)
    assert [(each.task, each.done, each.total) for each in events] == [
        ("plan", 0, 3),
        (Phase.CONNECT, 0, 1),
        (Phase.CONNECT, 1, 1),
        (Phase.ERASE, 0, 1),
        (Phase.ERASE, 1, 1),
        (Phase.PROGRAM, 0, 3),
        (Phase.PROGRAM, 3, 3),
        (Phase.CHECK, 0, 1),
        (Phase.CHECK, 1, 1),
    ]
    assert [each.plan for each in events if isinstance(each, Planned)] == [plan]


def test_a_block_says_how_often_it_was_sent_again(script: Any, aksen: Board) -> None:
    image = Image("test.ihx", bytes(range(1, 125)) + b"\x07", 125)
    ask_who(script, AKSEN)
    script.host("00 04 00 00 00 00 00 04").host("00 04 00 00 00 00 00 04").board("55")
    first, last = data_block(image.data[:124]), last_block(image.data[124:], 126)
    script.host("00 02 00 00 7E 00 00 7C").board("55").host(first).board("FE")
    script.host("00 02 00 00 7E 00 00 7C").board("55").host(first)  # and no answer
    script.host("00 02 00 00 7E 00 00 7C").board("55").host(first).board("55")
    script.host(last).board("55")
    flasher, events = Flasher(script.link(), aksen, PROTOCOLS["block"]), list[Programmed]()
    job = flasher.flash(plan_flash(image, aksen, PROTOCOLS["block"]))

    def note(event: Progress) -> None:
        if isinstance(event, Programmed):
            events.append(event)

    with pytest.raises(PortError):  # the script ends here: the session leaves it
        run_job(job, note)
    assert [(each.address, each.silent, each.refused) for each in events] == [
        (0, 1, 1),
        (124, 0, 0),
    ]
