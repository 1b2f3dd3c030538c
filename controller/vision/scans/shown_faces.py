"""The faces that a hand has shown so far, and the cube that the right six of them make.

A face is seen several times: rotated, in other light, half hidden. More than six faces can be
there: one whose centre glared, or whose grid was off the cube. Which six belong together shows
when they make a cube.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np

from controller.vision.finding.steady_gate import FaceView
from controller.vision.reading import colour_model
from controller.vision.reading.explanation import LEAST_CENTRE_DISTANCE
from controller.vision.reading.legal_reader import cheapest_per_colour
from controller.vision.reading.result import Verdict
from controller.vision.reading.shown_reader import Viewing, read_shown
from controller.vision.reading_order import turned_orders
from controller.vision.scans import events
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
# One of several views can be darker than a sticker is.
CLEARER_SHARE: Final = 3

_CENTRE: Final = 4


@dataclass(slots=True)
class SeenFace:
    """A face and all looks at it; `view` is the first one, seen at `time` (in any unit).

    Looks since it was put away and shown again are a second opinion.
    """

    view: FaceView
    time: float
    _looks: list["Look"] = field(default_factory=list)
    _again: list["Look"] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._looks.append(Look(self.view.colours, self.time))

    @property
    def merged(self) -> FaceView:
        """All looks together: each sticker from one of the clearer ones."""
        return replace(self.view, colours=_merged([*self._looks, *self._again]))

    @property
    def opinions(self) -> tuple[Float64Array, Float64Array]:
        """The merged colours (9, 3) of the looks until it was put away, and of those since.

        Without any since then, twice the same.
        """
        return _merged(self._looks), _merged(self._again or self._looks)

    @property
    def times(self) -> Float64Array:
        """When it was seen, from and to (2,): `merged` are all of these looks."""
        return _times([*self._looks, *self._again])

    @property
    def times_of_opinions(self) -> Float64Array:
        """The same of both opinions, (2, 2)."""
        return np.array([_times(self._looks), _times(self._again or self._looks)])

    @property
    def is_shown_again(self) -> bool:
        """Whether there is a second opinion."""
        return bool(self._again)

    @property
    def latest(self) -> FaceView:
        """The view with the colours of the last look: light may have become better."""
        return replace(self.view, colours=[*self._looks, *self._again][-1].colours)

    @property
    def looks(self) -> int:
        """How often it has been seen."""
        return len(self._looks) + len(self._again)

    def add(self, match: "Match", time: float, *, is_shown_again: bool = False) -> None:
        """Take another look into account; the oldest but one is forgotten when there are many."""
        looks = self._again if is_shown_again or self._again else self._looks
        if len(looks) >= MOST_LOOKS:
            del looks[1]
        looks.append(Look(match.colours, time))


class Look(NamedTuple):
    """The colours (9, 3) of a face, and when they were seen."""

    colours: Float64Array
    time: float


def _merged(looks: list[Look]) -> Float64Array:
    return merged([look.colours for look in looks])


def _times(looks: list[Look]) -> Float64Array:
    """Return the times of the first and of the last look, (2,)."""
    return np.array([looks[0].time, looks[-1].time])


def merged(looks: list[Float64Array]) -> Float64Array:
    """Return each sticker as that look shows it than which a third have less white in it.

    Looks are of shape (9, 3), or (4, 3) of a 2x2x2 cube.

    Glare is elsewhere in another look. What is clearest of all may be a finger on white, as long as
    there are three looks.
    """
    seen = np.array(looks)
    order = np.argsort(seen.min(axis=2), axis=0, kind="stable")
    chosen = order[len(seen) // CLEARER_SHARE]
    return np.asarray(np.take_along_axis(seen, chosen[None, :, None], axis=0)[0])


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
            colours = in_light_of(reference, view.colours[turned])
            distance = _distance(reference, colours)
            if distance < nearest:
                nearest, best = distance, Match(index, colours)
    return best


def _distance(first: Float64Array, second: Float64Array) -> float:
    pair = colour_model.weighted_lab(
        colour_model.grey_balanced(colour_model.linear_light(np.concatenate([first, second])))
    )
    apart = np.linalg.norm(pair[:9] - pair[9:], axis=1)
    if apart[_CENTRE] > SAME_CENTRE_DISTANCE:
        return np.inf
    return float(np.sort(apart)[:UNCOVERED].mean())


def in_light_of(reference: Float64Array, colours: Float64Array) -> Float64Array:
    """Return colours as they would be if the exposure were that of the reference."""
    ratio = np.median((reference.sum(axis=1) + 1) / (colours.sum(axis=1) + 1))
    limit = GREATEST_GAIN ** (1 / 2.2)
    return np.asarray(np.minimum(colours * np.clip(ratio, 1 / limit, limit), 255.0))


# Faces that are remembered; of more, those that were seen least go.
MOST_FACES: Final = 9
# Choices of six that are read; they are sorted by how well nine stickers have each colour.
MOST_CHOICES: Final = 3
# A face that stays in view is read once more after this many further views.
LOOKS_TO_READ: Final = 3
# Who reads until a reading is accepted accepts more wrong ones: after a doubt more is asked of one
# that leaves the look out that was in doubt.
CONFIDENCE_AFTER_DOUBT: Final = 0.985
LIKELY: Final = "This reading is likely, but an earlier one was in doubt. Show all faces once more."


@dataclass(slots=True)
class ShownFaces:
    """What has been shown, and the best `outcome` so far once six faces are there."""

    faces: list[SeenFace] = field(default_factory=list)
    outcome: events.ScanOutcome | None = None
    viewing: Viewing | None = None
    _held: SeenFace | None = None  # the one that has been before the camera since its capture
    _since: int = 0  # looks at it since the cube was read
    _taken: int = 0  # looks at all faces: the time of a look is its number

    @property
    def is_certain(self) -> bool:
        """Whether nothing is left to be shown."""
        return self.outcome is not None and self.outcome.result.verdict is Verdict.ACCEPTED

    def taken_away(self) -> None:
        """Note that there is no face before the camera any more."""
        self._held = None

    def take(self, view: FaceView) -> Iterator[events.ScanEvent]:
        """Add a captured face, or a further look at one."""
        match = same_face(self.faces, view)
        self._taken += 1
        if match is None:
            face = SeenFace(view, self._taken)
            self.faces.append(face)
            yield events.FaceCaptured(min(len(self.faces), events.FACES), events.FACES, view)
        else:
            face = self.faces[match.index]
            is_shown_again = face is not self._held
            face.add(match, self._taken, is_shown_again=is_shown_again)
            if is_shown_again:
                number = min(match.index + 1, events.FACES)
                yield (
                    events.FaceSeenBefore(number)
                    if self.outcome is None
                    else events.FaceCaptured(number, events.FACES, view)
                )
        is_news = face is not self._held
        self._since = 0 if is_news else self._since + 1
        self._held = face
        if len(self.faces) >= events.FACES and self._since % LOOKS_TO_READ == 0:
            yield from self._read(face)
        self._forget(face)

    def _read(self, face: SeenFace) -> Iterator[events.ScanEvent]:
        outcomes = [] if self.outcome is None else [self.outcome]
        is_first = self.outcome is None
        for chosen in _choices(self.faces, face):
            times = np.array([each.times for each in chosen])
            last_times = np.repeat(times[:, 1:], 2, axis=1)
            # Once all were shown again, each sticker is from the clearer of both.
            are_all_again = all(each.is_shown_again for each in chosen)
            for views, seen_at, is_trusted in (
                ([each.merged for each in chosen], times, is_first or are_all_again),
                ([each.latest for each in chosen], last_times, is_first),
            ):
                outcome = assembled(views, self.viewing, seen_at)
                outcomes.append(outcome if is_trusted else _doubted(outcome))
                if outcomes[-1].result.verdict is not Verdict.DOUBTFUL:
                    break
            is_open = outcomes[-1].result.verdict is Verdict.DOUBTFUL
            if is_open and any(each.is_shown_again for each in chosen):
                # It counts the look that was in doubt, too: its confidence is that of all looks.
                outcomes.append(_assembled_twice(chosen, self.viewing))
        if not outcomes:
            return
        reasons = () if self.outcome is None else self.outcome.result.reasons
        self.outcome = max(outcomes, key=_worth)
        if not self.is_certain and self.outcome.result.reasons != reasons:
            yield events.SecondLookWanted(self.outcome.result, self.outcome.rgb)

    def _forget(self, newest: SeenFace) -> None:
        if len(self.faces) > MOST_FACES:
            rarest = min((f for f in self.faces if f is not newest), key=lambda f: f.looks)
            self.faces.remove(rarest)


def _doubted(outcome: events.ScanOutcome) -> events.ScanOutcome:
    """Return what an outcome is worth after another one was in doubt."""
    result = outcome.result
    if result.verdict is not Verdict.ACCEPTED or result.confidence >= CONFIDENCE_AFTER_DOUBT:
        return outcome
    doubted = replace(result, verdict=Verdict.DOUBTFUL, why=lambda: (LIKELY,))
    return replace(outcome, result=doubted)


def _worth(outcome: events.ScanOutcome) -> tuple[bool, bool, float]:
    result = outcome.result
    accepted = result.verdict is Verdict.ACCEPTED
    return accepted, result.verdict is Verdict.DOUBTFUL, result.confidence


def _choices(faces: list[SeenFace], newest: SeenFace) -> list[list[SeenFace]]:
    """Return which six may be the cube, `newest` among them, likely ones first."""
    if len(faces) == events.FACES:
        return [faces]
    colours = np.array([face.merged.colours for face in faces])
    centres = colour_model.weighted_lab(
        colour_model.grey_balanced(colour_model.linear_light(colours[:, _CENTRE]))
    )
    rated: list[tuple[float, list[SeenFace]]] = []
    for chosen in combinations(range(len(faces)), events.FACES):
        if all(faces[index] is not newest for index in chosen):
            continue
        apart = [np.linalg.norm(centres[i] - centres[j]) for i, j in combinations(chosen, 2)]
        if min(apart) < LEAST_CENTRE_DISTANCE:
            continue
        costs = colour_model.learnt_costs(
            colours[list(chosen)].reshape(54, 3), {}, assign=cheapest_per_colour
        )
        rated.append((cheapest_per_colour(costs.stickers).cost, [faces[i] for i in chosen]))
    rated.sort(key=lambda pair: pair[0])
    return [choice for _, choice in rated[:MOST_CHOICES]]


def _assembled_twice(chosen: list[SeenFace], viewing: Viewing | None) -> events.ScanOutcome:
    """Return the cube by both opinions of each face that was shown again."""
    looks = np.stack([face.opinions for face in chosen], axis=1)
    times = np.stack([face.times_of_opinions for face in chosen], axis=1)
    result, facelets = read_shown(looks, viewing, times)
    return events.ScanOutcome(result, tuple(face.merged for face in chosen), facelets)


def assembled(
    views: list[FaceView], viewing: Viewing | None = None, times: Float64Array | None = None
) -> events.ScanOutcome:
    """Return the cube that six faces make, shown in any order and turned anyhow.

    `times` (6, 2): when each was seen, from and to, if that is known.
    """
    colours = np.array([view.colours for view in views])
    result, facelets = read_shown(colours, viewing, None if times is None else times[None])
    return events.ScanOutcome(result, tuple(views), facelets[None])
