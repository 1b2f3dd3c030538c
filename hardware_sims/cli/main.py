"""The `hwsim` command."""

from typing import NoReturn

from hardware_sims.cli.aksen import aksen
from hardware_sims.cli.nxt import nxt
from hardware_sims.cli.nxt_camera import CommandWithCamera
from hardware_sims.cli.prepare import prepare
from solvers.foundation.command_line.app import new_app, run

app = new_app("Runnable stand-ins for the NXT cube robot and the AKSEN board.")


@app.callback()
def hwsim() -> None:
    """Group of subcommands; see their own help."""


app.command(cls=CommandWithCamera)(nxt)
app.command()(aksen)
app.command()(prepare)


def main() -> NoReturn:
    """Entry point of the `hwsim` command."""
    run(app)
