"""Makes docs/images/demo.svg from a run of the demo: python docs/images/make_demo_picture.py"""

import json
import subprocess
import sys
from pathlib import Path

from rich.console import Console

HERE = Path(__file__).resolve().parent
SEED = 1
SHOWN_PRIMITIVES = 12


def main() -> None:
    """Run the demo and save what it tells as a picture of a terminal."""
    command = [Path(sys.executable).parent / "cuberobot", "demo", "--camera", "--seed", str(SEED)]
    shown = " ".join(["cuberobot", *map(str, command[1:])])
    result = subprocess.run([*command, "--json"], capture_output=True, check=True)
    demo = json.loads(result.stdout)
    console = Console(record=True, width=96, file=sys.stderr)
    say = console.print
    say(f"[bold]$ {shown}[/]")
    say(f"scramble  {demo['scramble']}")
    say(f"[cyan]scan[/]      {demo['scan']['facelets']}")
    say(f"          {demo['scan']['verdict']}, confidence {demo['scan']['confidence']}")
    say(f"[cyan]search[/]    {demo['solutions_compared']} solutions, the fastest to drive has")
    say(f"          {demo['htm']} moves: {demo['moves']}")
    first = ", ".join(demo["primitives"][:SHOWN_PRIMITIVES])
    say(f"[cyan]plan[/]      {len(demo['primitives'])} primitives: {first}, ...")
    say(f"          {demo['robot_seconds']} robot seconds as calibrated")
    say(f"[cyan]drive[/]     {demo['retries']} retries, {len(demo['jams'])} jams")
    seen = "the camera sees a solved cube" if demo["seen"]["target_reached"] else "NOT solved"
    say(f"[cyan]verify[/]    [green]{seen}[/]")
    console.save_svg(str(HERE / "demo.svg"), title="puzzlerig")


if __name__ == "__main__":
    main()
