"""What a search that was stopped says about what it keeps."""

from typing import Any

from solvers.search.kept_parts import KeptParts


def how_to_resume(finished: KeptParts[Any], again: str) -> str:
    """Save what is finished; return how far the search was and what has to be typed to go on.

    Where nothing is finished, nothing is saved. `again` is the command that means the same search.
    """
    done, parts = finished.progress
    if not done:
        return "before any part was searched; there is nothing to go on with yet."
    searched = f"with {done} of {parts} parts searched."
    if not finished.save():
        return f"{searched} They cannot be saved in {finished.path.parent}."
    return f"{searched} They are saved; go on with: {again} --resume"
