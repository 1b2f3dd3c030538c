"""Says whether solutions can be put together by hand, and in which order."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solvers.polycube.puzzle import PackingSolution
    from solvers.polycube.taking_apart.assembly import Assembly


def assembly_as_json(solution: "PackingSolution") -> dict[str, Any]:
    """Return the order of assembly, or the pieces that block one another."""
    found = _by_hand_or_hovering(solution)
    return {
        "possible": found.possible,
        "gravity": found.possible and found.gravity,
        "steps": [
            {"piece": step.placement.piece, "direction": step.direction.words}
            for step in found.steps
        ],
        "stuck": [placement.piece for placement in found.stuck],
    }


def assembly_as_text(solution: "PackingSolution") -> str:
    """Return the order of assembly in words."""
    found = _by_hand_or_hovering(solution)
    if not found.possible:
        stuck = ", ".join(placement.piece for placement in found.stuck)
        told = f"Single pieces in straight moves cannot make this: {stuck} interlock."
        return f"{told}\n{_other_way(solution)}"
    steps = "\n".join(
        f"{number:3}. {step.placement.piece} {step.direction.words}"
        for number, step in enumerate(found.steps, start=1)
    )
    if found.gravity:
        return f"Put together by hand:\n{steps}"
    return f"Put together with pieces held in the air:\n{steps}"


def _other_way(solution: "PackingSolution") -> str:
    from solvers.cli.pack.disassembly import disassembly_as_text
    from solvers.cli.pictures import interlocking
    from solvers.polycube.lattice.cubes import CUBES

    found = interlocking(solution)
    assert found is not None  # no order of single pieces exists
    return disassembly_as_text(solution, found, CUBES)


def _by_hand_or_hovering(solution: "PackingSolution") -> "Assembly":
    from solvers.polycube.taking_apart.assembly import assemble

    resting = assemble(solution, gravity=True)
    return resting if resting.possible else assemble(solution, gravity=False)
