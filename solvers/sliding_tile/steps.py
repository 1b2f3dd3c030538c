"""Where the blank can go, for compiled code: directions 0 to 3 are up, down, left, right."""

from solvers.foundation.compiled import kernel

NOWHERE = -1


@kernel(inlining="llvm", error_model="numpy")
def target_of(blank: int, direction: int, width: int, height: int) -> int:
    """Return the cell that the blank moves to, or NOWHERE if it would leave the board."""
    if direction == 0:
        return blank - width if blank >= width else -1
    if direction == 1:
        return blank + width if blank < width * (height - 1) else -1
    if direction == 2:
        return blank - 1 if blank % width > 0 else -1
    return blank + 1 if blank % width < width - 1 else -1
