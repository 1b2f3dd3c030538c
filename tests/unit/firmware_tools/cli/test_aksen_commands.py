"""The `aksen` command: exit codes, JSON, and a sentence instead of a traceback."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from firmware_tools.cli import line_commands
from firmware_tools.cli.main import app, main

Run = Callable[..., tuple[int, str, str]]
IMAGE = ":03000000020000FB\n:00000001FF\n"


@pytest.fixture
def aksen_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Run:
    """Run `aksen` in this process; return exit code, stdout, and stderr as one line."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.ihx").write_text(IMAGE, encoding="ascii")
    (tmp_path / "bad.ihx").write_text("hello\n", encoding="ascii")
    (tmp_path / "bad.ihx.toml").write_text("hello\n", encoding="ascii")

    def run(*arguments: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        monkeypatch.setattr(sys, "argv", ["aksen", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, " ".join(err.split())

    return run


def test_a_dry_run_shows_the_plan_and_opens_no_port(aksen_command: Run) -> None:
    code, out, _ = aksen_command("flash", "good.ihx", "--port", "/dev/none", "--dry-run")
    assert code == 0
    assert out.startswith("good.ihx: 3 bytes, 0000h to 0002h, 1 block, protocol block")


def test_a_dry_run_as_json(aksen_command: Run) -> None:
    code, out, _ = aksen_command(
        "flash", "good.ihx", "--dry-run", "--protocol", "hex-ack", "--json"
    )
    plan = json.loads(out)["plan"]
    assert code == 0
    assert (plan["bytes"], plan["blocks"], plan["protocol"]) == (3, 1, "hex-ack")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("flash", "bad.ihx", "-p", "loop://"), 2, "not an Intel-HEX image"),
        (("flash", "none.ihx", "-p", "loop://"), 2, "cannot be read"),
        (("flash", "good.ihx", "-p", "/dev/none"), 1, "There is no port /dev/none"),
        (("flash", "good.ihx", "-p", "loop://", "--protocol", "xyz"), 2, "Known: block, hex-ack"),
        (("info", "-p", "replay:none.trace"), 2, "cannot be read"),
        (("info", "-p", "gopher://x"), 1, "neither a serial port nor an address"),
        (("verify", "bad.ihx", "-p", "loop://"), 2, "not an Intel-HEX image"),
        (("size", "bad.ihx"), 2, "not an Intel-HEX image"),
        (("size", "."), 2, "No program was built"),
        (("build", "none.c"), 2, "There is no file none.c"),
        (("build", "none"), 2, "neither a C file nor a folder nor an application"),
        (("flash", "good.ihx", "--dry-run", "--board", "uno"), 2, "no board 'uno'. Known: aksen"),
        (("size", "good.ihx", "--board", "none.toml"), 2, "The board none.toml cannot be read"),
        (("info", "-p", "loop://", "--board", "bad.ihx.toml"), 2, "bad.ihx.toml is not TOML"),
    ],
)
def test_what_goes_wrong_has_an_exit_code_and_a_sentence(
    aksen_command: Run, arguments: tuple[str, ...], code: int, message: str
) -> None:
    ended, _, err = aksen_command(*arguments)
    assert ended == code
    assert message in err
    assert "Traceback" not in err


def test_every_command_that_has_to_do_with_a_board_takes_one() -> None:
    context = click.Context(app)
    options = {}
    for name in app.list_commands(context):
        command = app.get_command(context, name)
        assert command is not None
        options[name] = {option for parameter in command.params for option in parameter.opts}
    assert [name for name, known in options.items() if "--board" not in known] == ["ports"]


def test_errors_as_json(aksen_command: Run) -> None:
    code, out, _ = aksen_command("erase", "--port", "/dev/none", "--json")
    assert code == 1
    assert json.loads(out)["kind"] == "PortNotFoundError"


def test_a_recorded_session_answers_info(aksen_command: Run, tmp_path: Path) -> None:
    (tmp_path / "info.trace").write_text(
        "# aksen trace 1\n"
        "0.0 > 00\n0.1 < 55\n"
        "0.1 > 00 0A 00 00 00 00 00 0A\n0.1 < 55 C5 15 0C 01 DD\n"
        "0.1 > 00 C0 00 00 00 00 00 C0\n0.1 < 55 01 00 00 00 00 00 00 00 00 01\n",
        encoding="ascii",
    )
    code, out, _ = aksen_command("info", "--port", "replay:info.trace")
    assert code == 0
    assert "C5 15 0C 01" in out
    assert "incomplete: flashing was cut off" in out


def test_another_chip_is_refused(aksen_command: Run, tmp_path: Path) -> None:
    (tmp_path / "other.trace").write_text(
        "# aksen trace 1\n"
        + "0.0 > 00\n0.1 < 55\n0.1 > 00 0A 00 00 00 00 00 0A\n0.1 < 55 01 02 03 04 04\n" * 2,
        encoding="ascii",
    )
    code, _, err = aksen_command("flash", "good.ihx", "--port", "replay:other.trace")
    assert code == 1
    assert "01 02 03 04, but the AKSEN board has C5 15 0C 01" in err


@pytest.mark.parametrize(
    ("ending", "received"),
    [
        ((), "hi\nyou\n"),
        (("--eol", "cr"), "hi\ryou\r"),
        (("--eol", "crlf"), "hi\r\nyou\r\n"),
        (("--eol", "none"), "hiyou"),
    ],
)
def test_the_monitor_sends_what_it_is_told_and_piped(
    ending: tuple[str, ...], received: str, aksen_command: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AKSEN_PORT", "loop://")
    code, out, _ = aksen_command(
        "monitor", "--send", "hi", *ending, "--seconds", "0.5", "--json", typed="you\n"
    )
    assert code == 0
    assert json.loads(out) == {"received": received}


def test_the_monitor_keeps_the_last_of_what_never_stops(
    aksen_command: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_commands, "MOST_CHARACTERS", 3)
    code, out, _ = aksen_command(
        "monitor", "-p", "loop://", "--send", "hello", "--seconds", "0.3", "--json"
    )
    assert code == 0
    assert json.loads(out) == {"received": "lo\n"}


def test_run_with_monitor_shows_the_first_byte(aksen_command: Run, tmp_path: Path) -> None:
    (tmp_path / "run.trace").write_text(
        "# aksen trace 1\n"
        "0.0 > 00\n0.1 < 55\n"
        "0.1 > 00 0A 00 00 00 00 00 0A\n0.1 < 55 C5 15 0C 01 DD\n"
        "0.1 > 00 C0 00 00 00 00 00 C0\n0.1 < 55 02 00 00 00 03 01 02 03 04 05\n"
        "0.1 > 00 03 00 00 00 00 00 03\n0.1 < 55 68 69\n",
        encoding="ascii",
    )
    code, out, err = aksen_command(
        "run", "-p", "replay:run.trace", "--monitor", "--seconds", "0.01", "--json"
    )
    assert code == 0, err
    assert json.loads(out) == {"running": True, "received": "hi"}


def computer_with(monkeypatch: pytest.MonkeyPatch, *devices: str) -> None:
    """Have the system list these ports; the first is a USB adapter."""
    ports = [ListPortInfo(device, skip_link_detection=True) for device in devices]
    for port in ports[:1]:
        port.vid, port.pid, port.manufacturer, port.description = 0x0403, 0x6001, "FTDI", "FT232R"
    monkeypatch.delenv("AKSEN_PORT", raising=False)
    monkeypatch.setattr(list_ports, "comports", lambda: ports)


def test_the_only_port_needs_no_name(aksen_command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    computer_with(monkeypatch, "loop://", "/dev/ttyS0")
    code, out, err = aksen_command("monitor", "--send", "hi", "--seconds", "0.2", "--json")
    assert (code, json.loads(out)) == (0, {"received": "hi\n"})
    assert "Port loop:// (FT232R, FTDI, USB 0403:6001)" in err


def test_without_any_port_one_must_be_named(
    aksen_command: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    computer_with(monkeypatch)
    code, _, err = aksen_command("flash", "good.ihx")
    assert code == 1
    assert "no serial port. Plug the adapter in" in err


def test_ports_are_described(aksen_command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    computer_with(monkeypatch, "/dev/ttyUSB0", "/dev/ttyS0")
    _, out, _ = aksen_command("ports")
    assert out.splitlines() == [
        "/dev/ttyS0    built in, or of another program",
        "/dev/ttyUSB0  FT232R, FTDI, USB 0403:6001",
    ]


def test_ports_as_json(aksen_command: Run) -> None:
    code, out, _ = aksen_command("ports", "--json")
    assert code == 0
    assert isinstance(json.loads(out)["ports"], list)
