"""What a search that was stopped says about what it keeps."""

from typing import Any

from solvers.foundation.wording import counted
from solvers.search.kept_parts import KeptParts


def how_to_resume(
    finished: KeptParts[Any],
    again: str,
    *,
    unit: str = "part",
    over: str = "searched",
    units: int | None = None,
) -> str:
    """Save what is finished; return how far the search was and what has to be typed to go on.

    Where nothing is finished, nothing is saved. `again` is the command that means the same search,
    `unit` and `over` say of what it is made and what becomes of that, `units` of how many, if not
    of all that could be kept.
    """
    done, most = finished.progress
    if not done:
        return f"before any {unit} was {over}; there is nothing to go on with yet."
    searched = f"with {done} of {counted(max(done, units or most), unit)} {over}."
    if not finished.save():
        return f"{searched} They cannot be saved in {finished.path.parent}."
    return f"{searched} They are saved; go on with: {again} --resume"
