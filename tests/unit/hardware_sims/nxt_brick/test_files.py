"""The loader module's rules for files and handles."""

import pytest

from hardware_sims.nxt_firmware import statuses
from hardware_sims.nxt_firmware.flash import HANDLES, WRITE_BUFFERS, FlashFiles
from hardware_sims.nxt_firmware.statuses import CommandError


@pytest.fixture
def files() -> FlashFiles:
    flash = FlashFiles()
    for name in (b"first.txt", b"second.txt", b"third.dat"):
        flash.store(name, name)
    return flash


def refusal(action: object, *arguments: object) -> int:
    """Return the status with which something is refused."""
    with pytest.raises(CommandError) as caught:
        action(*arguments)  # type: ignore[operator]
    return caught.value.status


def names(files: FlashFiles, pattern: bytes) -> list[bytes]:
    handle, file = files.find_first(pattern)
    found = [file.name]
    while True:
        try:
            found.append(files.find_next(handle).name)
        except CommandError:
            files.close(handle)
            return found


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        (b"*.*", [b"third.dat", b"second.txt", b"first.txt"]),
        (b"*.txt", [b"second.txt", b"first.txt"]),
        (b"*.TX", [b"second.txt", b"first.txt"]),
        (b"s.*", []),
        (b"sec.*", []),
        (b"SECOND.*", [b"second.txt"]),
        (b"First.Txt", [b"first.txt"]),
        (b"f*t.txt", []),
    ],
)
def test_a_search_gives_the_newest_first(
    files: FlashFiles, pattern: bytes, found: list[bytes]
) -> None:
    if found:
        assert names(files, pattern) == found
    else:
        assert refusal(files.find_first, pattern) == statuses.FILE_NOT_FOUND


def test_a_search_goes_on_after_its_handle_was_closed(files: FlashFiles) -> None:
    handle, _ = files.find_first(b"*.*")
    files.close(handle)
    assert files.find_next(handle).name == b"second.txt"


def test_a_search_is_not_lost_when_files_come_and_go(files: FlashFiles) -> None:
    handle, file = files.find_first(b"*.*")
    assert file.name == b"third.dat"
    files.store(b"new.txt", b"")
    assert files.find_next(handle).name == b"second.txt"
    files.delete(b"third.dat")
    assert files.find_next(handle).name == b"first.txt"


def test_names_have_up_to_19_letters_and_any_form(files: FlashFiles) -> None:
    for name in (b"noextension", b"a.long.name.of.19xx", b"x"):
        files.close(files.open_write(name, 0))
        assert files.lookup(name) is not None
    assert refusal(files.open_write, b"twenty.letters.long.", 1) == statuses.ILLEGAL_NAME
    assert refusal(files.open_read, b"twenty.letters.long.") == statuses.ILLEGAL_NAME
    assert refusal(files.open_write_data, b"log.rxe", 1) == statuses.ILLEGAL_NAME


def test_a_file_exists_once_it_is_complete(files: FlashFiles) -> None:
    handle = files.open_write(b"new.txt", 6)
    assert files.lookup(b"new.txt") is None
    assert files.write(handle, b"abc") == (statuses.OK, 3)
    assert files.write(handle, b"def") == (statuses.OK, 3)
    files.close(handle)
    assert files.lookup(b"new.txt") is not None


def test_an_incomplete_file_is_dropped_and_its_room_given_back(files: FlashFiles) -> None:
    free = files.free
    handle = files.open_write(b"new.txt", 600)
    assert files.free < free - 600
    files.write(handle, b"abc")
    files.close(handle)
    assert files.lookup(b"new.txt") is None
    assert files.free == free


def test_too_much_is_cut_told_and_spoils_the_file(files: FlashFiles) -> None:
    handle = files.open_write(b"new.txt", 4)
    assert files.write(handle, b"abcdef") == (statuses.END_OF_FILE_EXPECTED, 4)
    assert files.write(handle, b"") == (statuses.END_OF_FILE_EXPECTED, 0)
    files.close(handle)
    assert files.lookup(b"new.txt") is None


def test_a_data_file_exists_at_once_and_keeps_what_was_written(files: FlashFiles) -> None:
    handle = files.open_write_data(b"log.txt", 100)
    assert files.lookup(b"log.txt") is not None
    files.write(handle, b"line")
    files.close(handle)
    reading, size = files.open_read(b"log.txt")
    assert size == 4
    assert files.read(reading, 10) == (statuses.END_OF_FILE, b"line")
    assert files.read(reading, 0) == (statuses.OK, b"")


def test_a_data_file_is_continued_and_cropped(files: FlashFiles) -> None:
    files.close(files.open_write_data(b"log.txt", 10))
    handle, room = files.open_append(b"log.txt")
    assert room == 10
    assert refusal(files.open_append, b"log.txt") == statuses.FILE_BUSY
    files.write(handle, b"12345")
    files.crop(handle)
    assert names(files, b"log.txt") == [b"log.txt"]
    assert refusal(files.open_append, b"log.txt") == statuses.FILE_FULL
    assert refusal(files.open_append, b"first.txt") == statuses.APPEND_NOT_POSSIBLE


def test_four_files_can_be_written_at_a_time(files: FlashFiles) -> None:
    handles = [files.open_write(b"%d.txt" % n, 1) for n in range(WRITE_BUFFERS)]
    assert refusal(files.open_write, b"one.more", 1) == statuses.NO_WRITE_BUFFERS
    files.close(handles[0])
    files.open_write(b"one.more", 1)


def test_the_same_name_is_not_written_twice(files: FlashFiles) -> None:
    assert refusal(files.open_write, b"FIRST.txt", 1) == statuses.FILE_EXISTS
    files.open_write(b"new.txt", 1)
    assert refusal(files.open_write, b"New.txt", 1) == statuses.FILE_EXISTS


def test_there_are_sixteen_handles(files: FlashFiles) -> None:
    for _ in range(HANDLES):
        files.open_read(b"first.txt")
    assert refusal(files.open_read, b"first.txt") == statuses.NO_MORE_HANDLES
    assert refusal(files.delete, b"second.txt") == statuses.NO_MORE_HANDLES
    files.close(3)
    assert refusal(files.delete, b"first.txt") == statuses.FILE_BUSY
    assert refusal(files.close, 3) == statuses.HANDLE_ALREADY_CLOSED


def test_a_handle_does_what_it_was_opened_for(files: FlashFiles) -> None:
    reading, _ = files.open_read(b"first.txt")
    assert refusal(files.write, reading, b"x") == statuses.ILLEGAL_HANDLE
    assert refusal(files.read, files.open_write(b"new.txt", 1), 1) == statuses.ILLEGAL_HANDLE
    assert refusal(files.read, 200, 1) == statuses.ILLEGAL_HANDLE
    files.close(200)  # a brick does not mind


def test_delete_takes_a_wildcard_and_one_file(files: FlashFiles) -> None:
    files.delete(b"*.txt")
    assert names(files, b"*.*") == [b"third.dat", b"first.txt"]


def test_rename_keeps_the_content(files: FlashFiles) -> None:
    files.rename(b"first.txt", b"other.txt")
    file = files.lookup(b"other.txt")
    assert file is not None
    assert file.data == b"first.txt"
    assert refusal(files.rename, b"first.txt", b"x.txt") == statuses.FILE_NOT_FOUND
    assert refusal(files.rename, b"other.txt", b"second.txt") == statuses.FILE_EXISTS


def test_an_empty_flash_has_room_for_one_file_of_477_sectors_with_their_list() -> None:
    """122,112 bytes from 122100h to the table of files, less a header of 36 + 2 * 476 bytes."""
    files = FlashFiles()
    assert files.free == 122_112 - 988
    assert refusal(files.open_write, b"big.bin", files.free + 1) == statuses.NO_SPACE
    handle = files.open_write_data(b"big.bin", files.free)
    assert files.free == 0
    assert refusal(files.open_write, b"more.txt", 1) == statuses.NO_SPACE
    files.crop(handle)
    assert files.free > 120_000


@pytest.mark.parametrize(("size", "sectors"), [(0, 1), (220, 1), (221, 2), (472, 2), (473, 3)])
def test_a_file_takes_whole_sectors_of_256_bytes(size: int, sectors: int) -> None:
    """The header has 36 bytes and two for each sector but the first, rounded up to four."""
    files = FlashFiles()
    files.close(files.open_write_data(b"log.txt", size))
    twin = FlashFiles()
    for number in range(sectors):
        twin.store(b"%d.txt" % number, b"x")
    assert files.free == twin.free


def test_the_table_has_127_files_and_counts_those_being_written() -> None:
    files = FlashFiles()
    for number in range(126):
        files.store(b"%d.txt" % number, b"x")
    files.close(files.open_write(b"last.txt", 1))  # never complete, so there are still 126
    handle = files.open_write_data(b"log.txt", 1)
    assert refusal(files.open_write, b"more.txt", 1) == statuses.NO_MORE_FILES
    files.close(handle)
    assert refusal(files.open_write, b"more.txt", 1) == statuses.NO_MORE_FILES
    files.delete(b"0.txt")
    files.open_write_data(b"other.txt", 1)  # it has its entry, and is counted as being written too
    files.delete(b"1.txt")
    assert refusal(files.open_write, b"more.txt", 1) == statuses.NO_MORE_FILES


def test_a_linear_file_needs_its_sectors_in_one_piece() -> None:
    files = FlashFiles()
    names = [b"%d.txt" % number for number in range(90)]
    for name in names:
        files.store(name, bytes(1000))
    files.store(b"rest.txt", bytes(files.free))
    for name in names[::2]:
        files.delete(name)
    assert files.free > 50_000
    assert refusal(files.open_write, b"mine.rxe", 5_000) == statuses.NO_LINEAR_SPACE
    files.open_write(b"mine.txt", 5_000)


def test_what_was_not_closed_is_gone_when_power_goes(files: FlashFiles) -> None:
    free = files.free
    files.write(files.open_write(b"new.rxe", 600), b"half")
    log = files.open_write_data(b"log.txt", 100)
    files.write(log, b"kept")
    files.close(log)
    files.write(files.open_append(b"log.txt")[0], b" lost")
    files.lose_power()
    assert names(files, b"*.*") == [b"log.txt", b"third.dat", b"second.txt", b"first.txt"]
    reading, size = files.open_read(b"log.txt")
    assert files.read(reading, size) == (statuses.OK, b"kept")
    files.close(reading)
    files.delete(b"log.txt")
    assert files.free == free


def test_the_flash_can_be_erased(files: FlashFiles) -> None:
    files.erase()
    assert refusal(files.find_first, b"*.*") == statuses.FILE_NOT_FOUND


def test_an_empty_file_cannot_be_read_and_takes_handle_0_with_it(files: FlashFiles) -> None:
    """The firmware forgets the handle that it has taken, and closes number 0 for it."""
    files.store(b"empty.txt", b"")
    reading, _ = files.open_read(b"first.txt")
    assert reading == 0
    assert refusal(files.open_read, b"empty.txt") == statuses.FILE_NOT_FOUND
    assert refusal(files.read, reading, 1) == statuses.ILLEGAL_HANDLE
    assert files.open_read(b"first.txt")[0] == 0
    assert files.open_read(b"second.txt")[0] == 2
