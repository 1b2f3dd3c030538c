"""One face in a hand, seen several times: turned otherwise, in other light, half hidden."""

from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from controller.vision.finding.steady_gate import FaceView
from controller.vision.reading.colour_space import grey_balanced, linear_light, weighted_lab
from controller.vision.reading_order import turned_orders
from solvers.foundation.arrays import Float64Array

# Two views of one face differ by light and noise, and by what a finger or a glare covers: mean over
# the seven stickers that fit best, in weighted Lab.
SAME_VIEW_DISTANCE: Final = 7.0
UNCOVERED: Final = 7
# Two faces of a cube always differ in their centres; red and orange by 9 to 16 in poor light.
SAME_CENTRE_DISTANCE: Final = 8.0
# An automatic exposure or a shadow between two views; more is another face.
GREATEST_GAIN: Final = 2.0
MOST_LOOKS: Final = 12
# One of so many looks may be darker than a sticker is.
CLEARER_SHARE: Final = 3

_CENTRE: Final = 4


@dataclass(slots=True)
class SeenFace:
    """A face and all looks at it; `view` is the first one."""

    view: FaceView
    _looks: list[Float64Array] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._looks.append(self.view.colours)

    @property
    def merged(self) -> FaceView:
        """Each sticker as that look shows it than which a third of them have less white in it.

        Glare is elsewhere in another look. What is clearest of all may be a finger on white, as
        long as there are three looks.
        """
        looks = np.array(self._looks)
        order = np.argsort(looks.min(axis=2), axis=0, kind="stable")
        chosen = order[len(looks) // CLEARER_SHARE]
        colours = np.take_along_axis(looks, chosen[None, :, None], axis=0)[0]
        return replace(self.view, colours=colours)

    @property
    def latest(self) -> FaceView:
        """The view with the colours of the last look: light may have become better."""
        return replace(self.view, colours=self._looks[-1])

    @property
    def looks(self) -> int:
        """How often it has been seen."""
        return len(self._looks)

    def add(self, match: "Match") -> None:
        """Take another look into account; the oldest but one is forgotten when there are many."""
        if len(self._looks) >= MOST_LOOKS:
            del self._looks[1]
        self._looks.append(match.colours)


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """Known face number `index`, seen again with these `colours` (9, 3), in its order and light."""

    index: int
    colours: Float64Array


def same_face(known: list[SeenFace], view: FaceView) -> Match | None:
    """Return which known face is seen again, however it is turned, or None."""
    best = None
    nearest = SAME_VIEW_DISTANCE
    for index, face in enumerate(known):
        reference = face.merged.colours
        for turned in turned_orders():
            colours = _in_light_of(reference, view.colours[turned])
            distance = _distance(reference, colours)
            if distance < nearest:
                nearest, best = distance, Match(index, colours)
    return best


def _distance(first: Float64Array, second: Float64Array) -> float:
    pair = weighted_lab(grey_balanced(linear_light(np.concatenate([first, second]))))
    apart = np.linalg.norm(pair[:9] - pair[9:], axis=1)
    if apart[_CENTRE] > SAME_CENTRE_DISTANCE:
        return np.inf
    return float(np.sort(apart)[:UNCOVERED].mean())


def _in_light_of(reference: Float64Array, colours: Float64Array) -> Float64Array:
    """Return colours as they would be if the exposure were that of the reference."""
    ratio = np.median((reference.sum(axis=1) + 1) / (colours.sum(axis=1) + 1))
    limit = GREATEST_GAIN ** (1 / 2.2)
    return np.asarray(np.minimum(colours * np.clip(ratio, 1 / limit, limit), 255.0))
