"""The `cuberobot` command."""

from typing import NoReturn

from controller.cli import scan
from controller.cli.calibrate import calibrate
from controller.cli.demo import demo
from controller.cli.doctor import doctor
from controller.cli.jog import jog
from controller.cli.plan import plan
from controller.cli.resume import resume
from controller.cli.run import run as run_command
from solvers.foundation.command_line.app import new_app, run

app = new_app("Scan, solve, plan and drive the NXT cube robot.")
app.command()(demo)
app.command()(run_command)
app.command()(resume)
app.command()(plan)
# Without this a negative angle would be taken for an option.
app.command(context_settings={"ignore_unknown_options": True})(jog)
app.command()(calibrate)
app.command()(doctor)
app.add_typer(scan.app, name="scan")


def main() -> NoReturn:
    """Entry point of the `cuberobot` command."""
    run(app)
