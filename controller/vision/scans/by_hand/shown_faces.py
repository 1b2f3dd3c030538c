"""The faces that a hand has shown so far, and the cube that the right six of them make.

More than six may be there: one whose centre glared, or whose grid lay beside the cube. Which six
belong together shows when they make a cube.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Final

import numpy as np

from controller.vision.finding.steady_gate import FaceView
from controller.vision.reading.colour_model import learnt_costs
from controller.vision.reading.colour_space import grey_balanced, linear_light, weighted_lab
from controller.vision.reading.diagnosis import ALIKE_CENTRES
from controller.vision.reading.face_arrangement import arrange_faces
from controller.vision.reading.legal_reader import cheapest_per_colour
from controller.vision.reading.reader import ACCEPTED_CONFIDENCE, read_cube
from controller.vision.reading.result import Verdict
from controller.vision.scans.by_hand.face_looks import SeenFace, same_face
from controller.vision.scans.events import (
    FACES,
    FaceCaptured,
    FaceSeenBefore,
    ScanEvent,
    ScanOutcome,
    SecondLookWanted,
)

# Faces that are remembered; of more, those that were seen least go.
MOST_FACES: Final = 9
# Choices of six that are read; they are sorted by how well nine stickers have each colour.
MOST_CHOICES: Final = 3
# A face that is held on is read once more after so many further looks.
LOOKS_TO_READ: Final = 3
# Who reads until a reading is accepted accepts more wrong ones: after a doubt more is asked for.
CONFIDENCE_AFTER_DOUBT: Final = 0.985

_CENTRE: Final = 4


@dataclass(slots=True)
class ShownFaces:
    """What has been shown, and the best `outcome` so far once six faces are there."""

    faces: list[SeenFace] = field(default_factory=list)
    outcome: ScanOutcome | None = None
    _held: SeenFace | None = None  # the one that has been before the camera since its capture
    _since: int = 0  # looks at it since the cube was read

    @property
    def is_certain(self) -> bool:
        """Whether nothing is left to be shown."""
        return self.outcome is not None and self.outcome.result.verdict is Verdict.ACCEPTED

    def taken_away(self) -> None:
        """Hear that no face is before the camera any more."""
        self._held = None

    def take(self, view: FaceView) -> Iterator[ScanEvent]:
        """Add a captured face, or a further look at one."""
        match = same_face(self.faces, view)
        if match is None:
            face = SeenFace(view)
            self.faces.append(face)
            yield FaceCaptured(min(len(self.faces), FACES), FACES, view)
        else:
            face = self.faces[match.index]
            face.add(match)
            if face is not self._held:
                number = min(match.index + 1, FACES)
                again = self.outcome is not None
                yield FaceCaptured(number, FACES, view) if again else FaceSeenBefore(number)
        is_news = face is not self._held
        self._since = 0 if is_news else self._since + 1
        self._held = face
        if len(self.faces) >= FACES and self._since % LOOKS_TO_READ == 0:
            yield from self._read(face)
        self._forget(face)

    def _read(self, face: SeenFace) -> Iterator[ScanEvent]:
        outcomes = [] if self.outcome is None else [self.outcome]
        is_first = self.outcome is None
        for chosen in _choices(self.faces, face):
            for views in ([each.merged for each in chosen], [each.latest for each in chosen]):
                outcome = assembled(views)
                outcomes.append(outcome if is_first else _doubted(outcome))
                if outcomes[-1].result.verdict is not Verdict.DOUBTFUL:
                    break
        if not outcomes:
            return
        told = () if self.outcome is None else self.outcome.result.reasons
        self.outcome = max(outcomes, key=_worth)
        if not self.is_certain and self.outcome.result.reasons != told:
            yield SecondLookWanted(self.outcome.result, self.outcome.rgb)

    def _forget(self, newest: SeenFace) -> None:
        if len(self.faces) > MOST_FACES:
            rarest = min((f for f in self.faces if f is not newest), key=lambda f: f.looks)
            self.faces.remove(rarest)


def _doubted(outcome: ScanOutcome) -> ScanOutcome:
    """Return what an outcome is worth after another one was in doubt."""
    result = outcome.result
    if result.verdict is not Verdict.ACCEPTED or result.confidence >= CONFIDENCE_AFTER_DOUBT:
        return outcome
    reason = "This reading is likely, but an earlier one was in doubt. Show all faces once more."
    return replace(outcome, result=replace(result, verdict=Verdict.DOUBTFUL, reasons=(reason,)))


def _worth(outcome: ScanOutcome) -> tuple[bool, bool, float]:
    result = outcome.result
    accepted = result.verdict is Verdict.ACCEPTED
    return accepted, result.verdict is Verdict.DOUBTFUL, result.confidence


def _choices(faces: list[SeenFace], newest: SeenFace) -> list[list[SeenFace]]:
    """Return which six may be the cube, `newest` among them, likely ones first."""
    if len(faces) == FACES:
        return [faces]
    colours = np.array([face.merged.colours for face in faces])
    centres = weighted_lab(grey_balanced(linear_light(colours[:, _CENTRE])))
    rated: list[tuple[float, list[SeenFace]]] = []
    for chosen in combinations(range(len(faces)), FACES):
        if all(faces[index] is not newest for index in chosen):
            continue
        apart = [np.linalg.norm(centres[i] - centres[j]) for i, j in combinations(chosen, 2)]
        if min(apart) < ALIKE_CENTRES:
            continue
        costs = learnt_costs(colours[list(chosen)].reshape(54, 3), {}, assign=cheapest_per_colour)
        rated.append((cheapest_per_colour(costs.stickers).cost, [faces[i] for i in chosen]))
    rated.sort(key=lambda pair: pair[0])
    return [choice for _, choice in rated[:MOST_CHOICES]]


def assembled(views: list[FaceView]) -> ScanOutcome:
    """Return the cube that six faces make, shown in any order and turned anyhow."""
    colours = np.array([view.colours for view in views])
    arrangement = arrange_faces(colours)
    result = read_cube(colours.reshape(54, 3)[arrangement.facelets])
    if arrangement.probability < ACCEPTED_CONFIDENCE and result.verdict is not Verdict.RESCAN:
        reason = (
            "The six faces fit together in more than one way. Let the robot scan the cube, or "
            "turn any layer and show all faces again."
        )
        result = replace(
            result,
            confidence=result.confidence * arrangement.probability,
            verdict=Verdict.DOUBTFUL,
            reasons=(*result.reasons, reason),
        )
    return ScanOutcome(result, tuple(views), arrangement.facelets[None])
