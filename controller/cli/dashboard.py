"""`cuberobot dashboard`: everything in a browser."""

from io import StringIO
from typing import TYPE_CHECKING, Final

import click

from controller.cli.options import open_page
from solvers.foundation.command_line.app import Command, json_option, print_json, stderr
from solvers.foundation.extras import require

if TYPE_CHECKING:
    from controller.dashboard.server import Server

DEFAULT_PORT: Final = 8010
STATE_FILE: Final = "dashboard.secret"
"""In the user's state folder. Delete the file, and the next start makes another secret."""


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
@click.option(
    "--lan",
    is_flag=True,
    help="Let others in your network watch with a link, and steer with a code. Nothing is "
    "encrypted: use it only in a network that you trust.",
)
@json_option
def dashboard(
    port: int,
    open_browser: bool,
    lan: bool,
    as_json: bool,
) -> None:
    """See and steer the robot in a browser, until Ctrl-C.

    Only you can: the address that is printed has a secret in it, and is reached from this computer
    alone. The secret is the same at each start, so bookmarks go on working.

    Examples:
      cuberobot dashboard
      cuberobot dashboard --port 0 --no-open
      cuberobot dashboard --lan
    """
    server = _server(port, lan)
    if as_json:
        network = {"watch": server.watching_address, "code": server.lan.code} if server.lan else {}
        print_json({"address": server.address, **network})
    else:
        print(f"The dashboard is at {server.address}", flush=True)
        if server.lan is not None:
            _print_network(server.watching_address, server.lan.code)
        stderr.print("Ctrl-C ends it, and stops what runs.")
    if open_browser:
        open_page(server.address)
    server.run()


def _print_network(address: str, code: str) -> None:
    """Print what others in the network need: an address, its QR code, and the code to steer."""
    import segno
    from rich.console import Console
    from rich.text import Text

    print(f"Others in your network can watch at {address}")
    drawn = StringIO()
    segno.make_qr(address).terminal(out=drawn, compact=True, border=2)
    # Its light squares are printed as blocks, so letters have to be light and the ground dark.
    Console().print(Text(drawn.getvalue(), style="bright_white on black"), soft_wrap=True, end="")
    print(f"To steer from there, enter the code {code[:4]} {code[4:]}", flush=True)


def _server(port: int, lan: bool) -> "Server":
    if lan:
        require("segno")  # now, not when the server runs already
    from platformdirs import user_state_path

    from controller.dashboard.app import Dashboard
    from controller.dashboard.server import Server, host_in_network, lasting_secret

    token = lasting_secret(user_state_path("puzzlerig") / STATE_FILE)
    return Server(Dashboard(), port, token=token, network_host=host_in_network() if lan else "")
