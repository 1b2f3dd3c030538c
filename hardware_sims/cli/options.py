"""Options that both simulators have."""

from pathlib import Path
from typing import Annotated

import typer

ListenOption = Annotated[
    str, typer.Option("--listen", metavar="HOST:PORT", help="TCP address; port 0: any free one.")
]
AllowRemoteOption = Annotated[
    bool, typer.Option("--allow-remote", help="Let other computers connect.")
]
PtyOption = Annotated[
    Path | None,
    typer.Option("--pty", metavar="PATH", help="Serve a pseudo-terminal at PATH instead of TCP."),
]
SpeedOption = Annotated[
    float, typer.Option("--speed", min=0.01, max=1000, help="Simulated seconds per second.")
]
FaultsOption = Annotated[
    Path | None, typer.Option("--faults", metavar="FILE", help="TOML file of what goes wrong.")
]
EndWithInputOption = Annotated[
    bool, typer.Option("--end-with-input", help="Stop when the standard input ends, too.")
]
ANY_PORT = "127.0.0.1:0"
