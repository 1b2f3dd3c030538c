"""Makes docs/images/demo.svg of what the demo prints: python docs/images/make_demo_picture.py"""

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

HERE: Final = Path(__file__).resolve().parent
COMMAND: Final = ("cuberobot", "demo", "--camera", "--seed", "1")
WIDTH: Final = 96


def main() -> None:
    """Run the demo and save all that it prints as a picture of a terminal."""
    result = subprocess.run(
        [Path(sys.executable).parent / COMMAND[0], *COMMAND[1:]],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "COLUMNS": str(WIDTH)},
        check=True,
        text=True,
    )
    console = Console(record=True, width=WIDTH, file=io.StringIO())
    console.print(f"[bold]$ {' '.join(COMMAND)}[/]", highlight=False)
    console.print(Text.from_ansi(result.stdout))
    console.save_svg(str(HERE / "demo.svg"), title="puzzlerig")


if __name__ == "__main__":
    main()
