"""`cuberobot dashboard`: everything in a browser."""

from typing import TYPE_CHECKING, Final

import click

from controller.cli.options import open_page
from solvers.foundation.command_line.app import Command, json_option, print_json, stderr

if TYPE_CHECKING:
    from controller.dashboard.server import Server

DEFAULT_PORT: Final = 8010


@click.command("dashboard", cls=Command)
@click.option(
    "--port",
    type=click.IntRange(min=0, max=65535),
    default=DEFAULT_PORT,
    help="Port of this computer; 0 for any.",
)
@click.option(
    "--open/--no-open", "open_browser", default=True, help="Open the page in your browser."
)
@json_option
def dashboard(
    port: int,
    open_browser: bool,
    as_json: bool,
) -> None:
    """See and steer the robot in a browser, until Ctrl-C.

    Only you can: the address that is printed has a secret in it, and only this computer answers.

    Examples:
      cuberobot dashboard
      cuberobot dashboard --port 0 --no-open
    """
    server = _server(port)
    if as_json:
        print_json({"address": server.address})
    else:
        print(f"The dashboard is at {server.address}", flush=True)
        stderr.print("Ctrl-C ends it, and stops what runs.")
    if open_browser:
        open_page(server.address)
    server.run()


def _server(port: int) -> "Server":
    from controller.dashboard.app import Dashboard
    from controller.dashboard.server import Server

    return Server(Dashboard(), port)
