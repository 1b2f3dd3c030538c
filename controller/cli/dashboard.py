"""`cuberobot dashboard`: everything in a browser."""

from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Final

import typer

from controller.cli.views.browser import open_page
from solvers.foundation.command_line.app import JsonOption, print_json, stderr

if TYPE_CHECKING:
    from controller.dashboard.server import Server

DEFAULT_PORT: Final = 8010
NEEDED: Final = ("starlette", "uvicorn", "websockets")


def dashboard(
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Port of this computer; 0 for any.")
    ] = DEFAULT_PORT,
    open_browser: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the page in your browser.")
    ] = True,
    as_json: JsonOption = False,
) -> None:
    """See and steer the robot in a browser, until Ctrl-C.

    Nobody else can: the address that is printed has a secret in it, and only this computer answers.

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
    """Return the server. Raises InvalidInputError where the extra is not installed."""
    from solvers.foundation.errors import InvalidInputError

    if any(find_spec(name) is None for name in NEEDED):
        raise InvalidInputError(
            "The dashboard is not installed. Install it with: pip install 'puzzlerig[dashboard]'."
        )
    from controller.dashboard.app import Dashboard
    from controller.dashboard.server import Server

    return Server(Dashboard(), port)
