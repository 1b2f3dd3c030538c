"""`puzzle cube solve --method beginner`: the solution in stages, each with its name."""

from pathlib import Path

from solvers.cli.cube.input import counted_moves
from solvers.cli.cube.solving.page import write_stages
from solvers.cli.cube.solving.question import Question
from solvers.foundation.command_line.app import print_json


def show_stages(question: Question, html: Path | None, as_json: bool) -> None:
    """Print the beginner's solution stage by stage, and write the page that plays it."""
    from solvers.rubik.beginner.layers import solve_by_layers
    from solvers.rubik.notation import format_moves

    stages = solve_by_layers(question.start, question.target)
    write_stages(html, question, stages)
    answer = question.answer(tuple(move for stage in stages for move in stage.moves))
    written = [format_moves(stage.moves, question.letters) for stage in stages]
    if as_json:
        parts = [
            {"stage": stage.name, "purpose": stage.purpose, "moves": text, "htm": len(stage.moves)}
            for stage, text in zip(stages, written, strict=True)
        ]
        print_json({"method": "beginner", "stages": parts, **answer})
        return
    if not question.held.is_upright:
        print(f"For the cube held with {question.held.how}:")
    for number, (stage, text) in enumerate(zip(stages, written, strict=True), start=1):
        print(f"{number}. {stage.name}: {stage.purpose} ({counted_moves(len(stage.moves))})")
        print(f"   {text or 'done already'}")
    print(f"{counted_moves(answer['htm'])} in {len(stages)} stages, checked by replaying.")
