"""Options that both simulators have."""

import click

from solvers.foundation.command_line.app import PATH

ANY_PORT = "127.0.0.1:0"

listen_option = click.option(
    "--listen", default=ANY_PORT, metavar="HOST:PORT", help="TCP address; port 0: any free one."
)
allow_remote_option = click.option(
    "--allow-remote", is_flag=True, help="Let other computers connect."
)
pty_option = click.option(
    "--pty", type=PATH, metavar="PATH", help="Serve a pseudo-terminal at PATH instead of TCP."
)
speed_option = click.option(
    "--speed",
    type=click.FloatRange(min=0.01, max=1000),
    default=1.0,
    help="Simulated seconds per second.",
)
faults_option = click.option(
    "--faults", type=PATH, metavar="FILE", help="TOML file of what goes wrong."
)
end_with_input_option = click.option(
    "--end-with-input", is_flag=True, help="Stop when the standard input ends, too."
)
