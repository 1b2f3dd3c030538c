"""What a BurrTools file has no place for stands in its comment, so that nothing is lost there.

The comment's first line is the title, its last one of two sentences about mirror images, and what
is between is the source. Any other comment is somebody's own and is all source.
"""

from dataclasses import dataclass
from typing import Final, Self

ONE: Final = "Mirror images of a solution are the same solution."
TWO: Final = "Mirror images of a solution are solutions of their own."


@dataclass(frozen=True, slots=True)
class Remarks:
    """What a comment says; BurrTools itself counts a solution and its mirror image as one."""

    title: str | None
    source: str
    reflections: bool = True

    @classmethod
    def read(cls, comment: str) -> Self:
        """Return what stands in a comment; without a title if it is not one of ours."""
        title, *source = comment.strip().splitlines() or [""]
        if source and source[-1] in (ONE, TWO):
            return cls(title, "\n".join(source[:-1]), source[-1] == ONE)
        return cls(None, " ".join(comment.split()))

    def text(self) -> str:
        """Return the comment."""
        images = ONE if self.reflections else TWO
        return "\n".join([self.title or "", *self.source.splitlines(), images])
