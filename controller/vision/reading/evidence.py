"""What speaks against a reading: mistakes that would explain the colours better than misreading.

The most likely legal cube may leave stickers that look like another colour. Each kind of mistake
says which ones these would be and what they would look like, so that it is compared with the
reading by its likelihood alone:

- two stickers of one face are exchanged;
- a layer was turned between two pictures: some faces show the cube before the turn, others after;
- the cube was put together wrongly: real pieces, but no turning brings them where they are;
- anything else, such as a face of another cube: some stickers are of just any colour.
"""

from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import Final

import numpy as np

from controller.vision.reading.colour_model import linear_light
from controller.vision.reading.legal_reader import CENTRES, COLOURS, FACELETS
from solvers.foundation.arrays import BoolArray, Float64Array, Int64Array
from solvers.rubik.cubies import MOVE_CUBES
from solvers.rubik.facelets import CORNER_FACELETS, EDGE_FACELETS

# A sticker that costs so much more than in another colour looks like that one: e^-1 of its weight.
CLEARLY: Final = 1.0

# By how much a mistake has to explain a scan better until it is as likely as that stickers were
# misread, and how soon it is certain beyond that; in units of the costs. Sound scans of real and
# simulated cubes reach 1.2 (exchanged), 2.6 (turned), 6.1 (any) and -2 (impossible). Mistakes that
# would pass otherwise hardly fall below 4.5, 3 and -1.6; of 1500 faces of other cubes none would
# pass without the bar for any.
EXCHANGED_GAIN: Final = 4.15
TURNED_GAIN: Final = 4.15
ANY_GAIN: Final = 8.0
IMPOSSIBLE_GAIN: Final = -0.3
GAIN_SCALE: Final = 0.4
# A turn that shows in a single sticker gains next to nothing where a lamp is mirrored in that one
# (0.47 was seen), so that any gain is a doubt.
ONE_STICKER_GAIN: Final = 0.35
ONE_STICKER_SCALE: Final = 0.05

# In a dark picture one step of eight bits is twice as much of the light, and two exchanged pieces
# of similar colours pass for sound ones. There the odds that normal distributions give count as
# they are, unless the costs leave no question: of 1500 such cubes that would pass, none was below
# -3. In light only where the costs decide little and no sticker looks odd: normal distributions
# take a glare for another colour.
DARK: Final = 0.4  # of the full range: linear light of the white stickers
NO_QUESTION: Final = -5.0
NO_QUESTION_IN_LIGHT: Final = -2.0
# A turn that explains little less than the reading does, where one or two stickers tell them apart,
# is compared by normal distributions, too. Of nine turned layers that passed otherwise eight had
# -2.9 to -0.7. Of 1482 sound lists that were accepted 139 had more; two of these are in doubt.
NO_TURN: Final = -3.0
# A lamp is mirrored in a sticker that is unlike its own colour, by half of a squared Mahalanobis
# distance, and costs hardly less in one colour than in another. Normal distributions know no lamps
# and took five of the nine for sound, -6 to -119; four of them for such a sticker. One more of the
# sound lists is in doubt for it.
UNLIKE_ITS_COLOUR: Final = 6.0
ANY_COLOUR: Final = 3.5
# Before a reading is accepted the odds of all impossible cubes are taken once more by colours that
# are learnt from twenty pieces however they were put in. Four cubes with two pieces exchanged that
# passed otherwise had 6 to 11; of the 1482 sound lists two had more than -1.5.
PIECES_SCALE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Evidence:
    """By how much mistakes explain the stickers better than a reading, in units of the costs.

    `turned` is less than 0 where the reading explains more than each turn does. `in_one_sticker` is
    that of a turn that shows in a single sticker.
    `impossible` compares all cubes that turning cannot reach with all that it can.
    `of_a_face` is that of any other colours on one face: lamps are mirrored in some stickers of all
    faces, a mistake is made with one.
    `stickers` are the facelets that would have to be misread, the clearest first.
    `by_normal` are the same for impossible cubes and for turns, by normal distributions and as
    logs of odds, where the costs leave it open. `by_pieces` are the log odds of impossible cubes by
    colours that are not learnt from a legal one (`colour_model.piece_costs`).
    """

    exchanged: float
    turned: float
    of_a_face: float
    impossible: float
    stickers: tuple[int, ...] = ()
    in_one_sticker: float = 0.0
    by_normal: tuple[float, float] = (-np.inf, -np.inf)
    by_pieces: float = -np.inf

    @property
    def sound(self) -> float:
        """How probable it is that none of these mistakes was made."""
        gains = np.array(
            [
                self.exchanged - EXCHANGED_GAIN,
                self.turned - TURNED_GAIN,
                self.of_a_face - ANY_GAIN,
                self.impossible - IMPOSSIBLE_GAIN,
            ]
        )
        in_one_sticker = (self.in_one_sticker - ONE_STICKER_GAIN) / ONE_STICKER_SCALE
        by_pieces = self.by_pieces / PIECES_SCALE
        odds = [*(gains / GAIN_SCALE), in_one_sticker, *self.by_normal, by_pieces]
        return float(1 / (1 + np.exp(np.minimum(odds, 50)).sum()))


def is_dark(rgb: Float64Array) -> bool:
    """Return whether the white stickers are dark: sRGB of shape (54, 3), or (24, 3) of a 2x2x2."""
    # A sixth of the stickers are white, on nearly all cubes; a glare is brighter than they are.
    return bool(np.sort(linear_light(rgb).max(axis=1))[-(len(rgb) // 6)] < DARK)


@dataclass(frozen=True, slots=True, eq=False)
class SeenLooks:
    """What 54 stickers cost in each colour in n looks, (n, 54, 6), in the order of time.

    `is_new` (n, 6): whether each face of a look is new, not a copy of an earlier look at it.
    `times` (n, 6, 2): when each face was seen, in any unit, from and to.
    """

    costs: Float64Array
    is_new: BoolArray
    times: Float64Array

    @property
    def scale(self) -> Float64Array:
        """What a sum over looks is multiplied by, (54, 1).

        Costs count with the square root of the number of looks: views of the same stickers are not
        independent, and two weigh less than twice as much. A face of which there is only one view
        weighs no more for it.
        """
        return np.repeat(np.sqrt(self.is_new.sum(axis=0)) / len(self.costs), 9)[:, None]

    @property
    def together(self) -> Float64Array:
        """The costs of all looks, (54, 6)."""
        return np.asarray(self.scale * self.costs.sum(axis=0))

    def margin(self, cube: Int64Array) -> float:
        """Return by how much each sticker costs more in any other colour than in its own (54,).

        In the look and for the sticker where that is least; less than 0 where one looks like
        another colour.
        """
        is_own = np.arange(COLOURS) == cube[:, None]
        others = np.where(is_own, np.inf, self.costs).min(axis=2)
        return float((others - self.costs[:, np.arange(FACELETS), cube]).min())


def with_lamps(normal: list[SeenLooks], seen: SeenLooks, cube: Int64Array) -> list[SeenLooks]:
    """Return looks by normal distributions, but as seen in stickers in which a lamp is mirrored.

    `cube` (54,) are the colours. One of the distributions is enough to find a sticker unlike its
    own.
    """
    own = np.max([each.costs[:, np.arange(FACELETS), cube] for each in normal], axis=0)
    spread = seen.costs.max(axis=2) - seen.costs.min(axis=2)
    is_lit = ((own > UNLIKE_ITS_COLOUR) & (spread < ANY_COLOUR))[..., None]
    return [replace(each, costs=np.where(is_lit, seen.costs, each.costs)) for each in normal]


def weigh(looks: SeenLooks, cube: Int64Array, impossible: float) -> Evidence:
    """Return what speaks against the colours (54,) of a cube, for looks as seen."""
    costs = looks.together
    own = costs[np.arange(FACELETS), cube]
    excess = own - costs.min(axis=1)
    excess[CENTRES] = 0  # they name the faces
    exchanged, _ = best_exchange(costs, cube)
    turned, in_one_sticker = turns_between(looks, cube)
    clearest = np.argsort(-excess, kind="stable")
    return Evidence(
        exchanged=max(0.0, exchanged),
        turned=turned,
        of_a_face=float(excess.reshape(6, 9).sum(axis=1).max()),
        impossible=impossible,
        stickers=tuple(int(i) for i in clearest if excess[i] > CLEARLY),
        in_one_sticker=in_one_sticker,
    )


@cache
def _same_face_pairs() -> Int64Array:
    cells = [cell for cell in range(9) if cell != CENTRES[0]]
    pairs = [(9 * face + a, 9 * face + b) for face in range(6) for a, b in combinations(cells, 2)]
    return np.array(pairs)


def best_exchange(costs: Float64Array, cube: Int64Array) -> tuple[float, tuple[int, int]]:
    """Return the two stickers of a face whose exchange would explain most of the costs (54, 6).

    How much that is compared with the colours (54,) of a cube, and the two facelets.
    """
    pairs = _same_face_pairs()
    crossed = costs[pairs, cube[pairs[:, ::-1]]]
    gains = (costs[pairs, cube[pairs]] - crossed).sum(axis=1)
    first, second = pairs[gains.argmax()].tolist()
    return float(gains.max()), (first, second)


def best_turn(costs: Float64Array, cube: Int64Array) -> tuple[float, int, BoolArray]:
    """Return the turn of a layer that explains most, if some faces show the cube after it.

    How much that is compared with the colours (54,) of a cube, the turn 0..17, and whether each
    face shows the cube after it (6,).
    """
    facelets = np.arange(FACELETS)
    after = cube[facelets_after_moves()]
    gains = (costs[facelets, cube] - costs[facelets, after]).reshape(len(after), 6, 9).sum(axis=2)
    totals = np.maximum(gains, 0).sum(axis=1)
    move = int(totals.argmax())
    return float(totals[move]), move, gains[move] > 0


def turns_between(looks: SeenLooks, cube: Int64Array) -> tuple[float, float]:
    """Return what a turn between two pictures explains, compared with the colours (54,) of a cube.

    At most by any turn that shows, which may be less than 0, and by one of which a face shows a
    single sticker. The cube is the one before the turn: if it is the one after it, the reading is
    right. So all that was seen later shows the cube after it, all but the turned layer's own face,
    which may be taken for one that is held otherwise. And a sticker that looked the same before the
    turn does not look like another colour because of it.
    """
    facelets = np.arange(FACELETS)
    after = cube[facelets_after_moves()]
    of_stickers = looks.costs[:, facelets, cube][:, None] - looks.costs[:, facelets, after]
    gains = of_stickers.reshape(len(looks.costs), -1, 6, 9).sum(axis=3)  # of look, turn, face
    is_new = looks.is_new[:, None]
    changed = (after != cube).reshape(-1, 6, 9).sum(axis=2)
    is_own = np.arange(len(after))[:, None] // 3 == np.arange(6)
    is_alone = is_new & (changed == 1)
    shows = is_new & (changed > 0) & ~is_own
    began, ended = np.moveaxis(looks.times[:, None], -1, 0)
    most, in_one_sticker = -np.inf, 0.0
    for time in np.unique(looks.times)[1:]:
        is_later, is_earlier = began >= time, ended < time
        looked_so = np.where(is_new & is_earlier, gains, 0.0).max(axis=0)
        news = np.where(is_new & ~is_earlier, gains - np.maximum(looked_so, 0), 0.0)
        is_sure = is_later & ~is_own  # else some of it may be seen, or nothing
        sure = np.where(is_sure, news, 0.0).sum(axis=(0, 2))
        perhaps = np.where(is_sure, 0.0, np.maximum(news, 0.0))
        # A turn has to show somewhere, though it may explain less there than the reading does.
        at_least = np.where(is_sure, 0.0, np.minimum(news, 0.0))
        shown = np.where(shows & ~is_earlier, at_least, -np.inf).max(axis=(0, 2))
        most = max(most, float((sure + perhaps.sum(axis=(0, 2)) + shown).max()))
        by_one = sure[:, None] + perhaps
        in_one_sticker = max(in_one_sticker, float(by_one[is_alone & ~is_earlier].max(initial=0.0)))
    return most, in_one_sticker


@cache
def facelets_after_moves() -> Int64Array:
    """Return which facelet's colour each facelet shows after each of the 18 moves, (18, 54)."""
    tables = np.tile(np.arange(FACELETS), (len(MOVE_CUBES), 1))
    for table, cube in zip(tables, MOVE_CUBES, strict=True):
        for facelets, pieces, turns in (
            (CORNER_FACELETS, cube.corner_permutation, cube.corner_twist),
            (EDGE_FACELETS, cube.edge_permutation, cube.edge_flip),
        ):
            for place, (piece, turn) in enumerate(zip(pieces, turns, strict=True)):
                sides = len(facelets[place])
                for side, came_from in enumerate(facelets[piece]):
                    table[facelets[place][(side + turn) % sides]] = came_from
    return tables
