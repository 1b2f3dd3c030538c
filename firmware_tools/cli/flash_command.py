"""`aksen flash`: bring an image onto the board."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from firmware_tools.boards import DEFAULT_BOARD
from firmware_tools.cli.board_line import (
    BoardOption,
    ProtocolOption,
    TraceOption,
    board_line,
    hexadecimal,
)
from solvers.foundation.command_line.app import JsonOption, print_json

if TYPE_CHECKING:
    from firmware_tools.flashing.flasher import FlashReport
    from firmware_tools.flashing.plan import FlashPlan


def flash(
    image: Annotated[Path, typer.Argument(help="Intel-HEX image, as `aksen build` writes it.")],
    port: Annotated[
        str | None, typer.Option("--port", "-p", help="Serial port, pty, or socket://HOST:PORT.")
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify/--no-verify", help="Compare flash and image afterwards.")
    ] = True,
    run: Annotated[bool, typer.Option("--run", help="Start the program afterwards.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check image and options, show the plan, and stop.")
    ] = False,
    board: BoardOption = DEFAULT_BOARD,
    protocol: ProtocolOption = None,
    trace: TraceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Flash an image: erase, program, check, verify.

    Examples:
      aksen flash out/hello.ihx --dry-run
      aksen flash out/hello.ihx --port /dev/ttyUSB0 --run
    """
    from firmware_tools.board_job import flash_board
    from firmware_tools.boards.board_file import load_board
    from firmware_tools.bootloader.protocols import protocol_for
    from firmware_tools.flashing.image import load_image
    from firmware_tools.flashing.plan import plan_flash
    from solvers.foundation.command_line.progress_view import show_progress

    facts = load_board(board)
    plan = plan_flash(load_image(image, facts), facts, protocol_for(facts, protocol))
    if not as_json:
        _print_plan(plan)
    if dry_run:
        if as_json:
            print_json({"dry_run": True, "plan": _plan_as_json(plan)})
        return
    with board_line(board, port, trace) as (link, _):
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
        f"{_count(len(plan.blocks), 'block')}, protocol {plan.protocol.name}, about "
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
        f"Flashed {report.bytes_programmed} bytes in {_count(report.blocks, 'block')}"
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


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
