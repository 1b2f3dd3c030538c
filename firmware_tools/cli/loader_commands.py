"""`aksen flash`, `verify`, `erase`, `info` and `run`: commands for the boot loader."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from firmware_tools.cli.board_line import LoaderTarget, hexadecimal, loader_options
from firmware_tools.cli.line_commands import seconds_option, show_program
from solvers.foundation.command_line.app import PATH, Command, print_json
from solvers.foundation.command_line.progress_view import show_progress
from solvers.foundation.wording import counted

if TYPE_CHECKING:
    from firmware_tools.flashing import FlashPlan, FlashReport


@click.command("flash", cls=Command)
@click.argument("image", type=PATH, help="Intel-HEX image, as `aksen build` writes it.")
@click.option("--verify/--no-verify", default=True, help="Compare flash and image afterwards.")
@click.option("--run", is_flag=True, help="Start the program afterwards.")
@click.option("--dry-run", is_flag=True, help="Check image and options, show the plan, and stop.")
@loader_options
def flash(
    image: Path,
    target: LoaderTarget,
    verify: bool,
    run: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Flash an image: erase, program, check, verify.

    Examples:
      aksen flash out/hello.ihx --dry-run
      aksen flash out/hello.ihx --port /dev/ttyUSB0 --run
    """
    from firmware_tools.board_job import flash_board
    from firmware_tools.boards.facts import load_board
    from firmware_tools.bootloader import protocol_for
    from firmware_tools.flashing import load_image, plan_flash

    facts = load_board(target.board)
    protocol = protocol_for(facts, target.protocol)
    plan = plan_flash(load_image(image, facts), facts, protocol)
    if not as_json:
        _print_plan(plan)
    if dry_run:
        if as_json:
            print_json({"dry_run": True, "plan": _plan_as_json(plan)})
        return
    with target.open() as (link, _, _):
        job = flash_board(link, facts, plan, verify=verify, run=run)
        report = show_progress(job, facts.title)
    if as_json:
        result = {"plan": _plan_as_json(plan), **_report_as_json(report), "running": run}
        print_json(result)
    else:
        _print_report(report, run)


def _print_plan(plan: "FlashPlan") -> None:
    print(
        f"{plan.image.name}: {plan.programmed_bytes} bytes, 0000h to {plan.last_address:04X}h, "
        f"{counted(len(plan.blocks), 'block')}, protocol {plan.protocol.name}, about "
        f"{plan.estimated_s:.0f} s plus erasing",
        flush=True,
    )


def _plan_as_json(plan: "FlashPlan") -> dict[str, Any]:
    return {
        "file": plan.image.name,
        "bytes": plan.programmed_bytes,
        "first_address": 0,
        "last_address": plan.last_address,
        "blocks": len(plan.blocks),
        "protocol": plan.protocol.name,
        "estimated_s": round(plan.estimated_s, 1),
    }


def _print_report(report: "FlashReport", running: bool) -> None:
    repeated = report.repeated_silent + report.repeated_refused
    print(
        f"Flashed {report.bytes_programmed} bytes in {counted(report.blocks, 'block')}"
        f" ({repeated} repeated: {report.repeated_silent} without an answer, "
        f"{report.repeated_refused} refused); CRC-32 {report.crc32:08X}"
        f"{', verified' if report.verified else ''}."
    )
    print(
        "Running." if running else "Start it with `aksen run`, or mode switch to green and reset."
    )


def _report_as_json(report: "FlashReport") -> dict[str, Any]:
    return {
        "chip_id": hexadecimal(report.chip_id),
        "bytes_programmed": report.bytes_programmed,
        "blocks": report.blocks,
        "repeated_without_answer": report.repeated_silent,
        "repeated_refused": report.repeated_refused,
        "crc32": f"{report.crc32:08X}",
        "verified": report.verified,
    }


@click.command("verify", cls=Command)
@click.argument("image", type=PATH, help="Intel-HEX image.")
@loader_options
def verify(
    image: Path,
    target: LoaderTarget,
    as_json: bool,
) -> None:
    """Compare the board's flash with an image. Exits with 1 if they differ.

    Examples:
      aksen verify out/hello.ihx --port /dev/ttyUSB0
    """
    from firmware_tools.board_job import verify_board
    from firmware_tools.boards.facts import load_board
    from firmware_tools.flashing import load_image

    expected = load_image(image, load_board(target.board))
    with target.open() as (link, facts, protocol):
        show_progress(verify_board(link, facts, protocol, expected), facts.title)
    if as_json:
        crc32 = f"{expected.crc32:08X}"
        print_json({"verified": True, "bytes": len(expected.data), "crc32": crc32})
    else:
        print(f"Flash holds {expected.name}: {len(expected.data)} bytes are the same.")


@click.command("erase", cls=Command)
@loader_options
def erase(
    target: LoaderTarget,
    as_json: bool,
) -> None:
    """Erase the program flash.

    Examples:
      aksen erase --port /dev/ttyUSB0
    """
    from firmware_tools.board_job import erase_board

    with target.open() as (link, facts, protocol):
        show_progress(erase_board(link, facts, protocol), facts.title)
    if as_json:
        print_json({"erased": True})
    else:
        print("The flash is empty.")


@click.command("info", cls=Command)
@loader_options
def info(
    target: LoaderTarget,
    as_json: bool,
) -> None:
    """Show the chip and the state of its flash. The image is empty, incomplete or valid.

    Examples:
      aksen info --port /dev/ttyUSB0
    """
    from firmware_tools.bootloader.loader import ImageStatus
    from firmware_tools.flashing import Flasher

    with target.open() as (link, facts, protocol):
        found = Flasher(link, facts, protocol).info()
    status = found.flash.image
    if as_json:
        print_json(
            {
                "chip_id": hexadecimal(found.chip_id),
                "image": status.name.lower(),
                "bytes": found.flash.length,
                "crc32": f"{found.flash.crc32:08X}",
            }
        )
        return
    print(f"Chip: {hexadecimal(found.chip_id)}")
    meaning = {
        ImageStatus.EMPTY: "none, the flash is empty",
        ImageStatus.INCOMPLETE: "incomplete: flashing was cut off; the board will not start it",
        ImageStatus.VALID: f"valid, {found.flash.length} bytes, CRC-32 {found.flash.crc32:08X}",
    }
    print(f"Image: {meaning[status]}")


@click.command("run", cls=Command)
@click.option("--monitor", is_flag=True, help="Show what the program sends, from its first byte.")
@seconds_option
@loader_options
def run(
    target: LoaderTarget,
    monitor: bool,
    seconds: float | None,
    as_json: bool,
) -> None:
    """Start the program in flash. Only reset brings the boot loader back.

    Examples:
      aksen run --port /dev/ttyUSB0 --monitor
    """
    from firmware_tools.flashing import Flasher

    with target.open() as (link, facts, protocol):
        flasher = Flasher(link, facts, protocol)
        flasher.connect()
        flasher.run()
        if not as_json:
            print("Running." if monitor else "Running. `aksen monitor` shows what it sends.")
        received = show_program(link, seconds, quiet=as_json) if monitor else None
    if as_json:
        output = {} if received is None else {"received": received}
        print_json({"running": True, **output})
