"""What is asked about one cube, and how an answer is told."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from solvers.cli.cube.input import how_held

if TYPE_CHECKING:
    from solvers.rubik.cubies import CubieCube
    from solvers.rubik.held_cube import HeldCube
    from solvers.rubik.notation import Move, Notation


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked about one cube: the moves from `held` to `target`, written in `letters`."""

    held: "HeldCube"
    target: "CubieCube"
    letters: "Notation"

    @property
    def start(self) -> "CubieCube":
        """The position to begin with."""
        return self.held.position

    def answer(self, moves: "tuple[Move, ...]") -> dict[str, Any]:
        """Return what `--json` tells about moves that lead there, replayed."""
        from solvers.rubik.facelets import format_facelets
        from solvers.rubik.notation import format_moves, quarter_turn_metric

        return {
            "moves": format_moves(moves, self.letters),
            "htm": len(moves),
            "qtm": quarter_turn_metric(moves),
            "replayed": self.start.apply(moves) == self.target,
            "start": format_facelets(self.start),
            "target": format_facelets(self.target),
            **how_held(self.held),
        }


def asked(held: "HeldCube", target: str | None, letters: "Notation") -> Question:
    """Return the question about a cube; `target` None stands for solved."""
    from solvers.rubik.cubies import SOLVED
    from solvers.rubik.held_cube import read_position

    goal = SOLVED if target is None else read_position(target, letters).in_hold_of(held)
    return Question(held, goal, letters)
