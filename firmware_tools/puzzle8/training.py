"""Training of the network in network.py, with the exact distances of all positions as its teacher.

Plain numpy: two matrix products each way and Adam (Kingma and Ba, 2015) are the whole training,
which takes some ten CPU seconds; a larger library would cost 30 to 200 MB and save forty lines.
Only the network's walks from all positions are compiled.

What is learned is a finite table: each image is trained on, and each is what the network is then
judged by. So there is no test set. The loss of an image is minus the logarithm of the share that
the network gives to moves of shortest solutions. Three things matter:

* **Weights of the images.** An image counts by how often it is met: by shortest solutions from all
  positions, each spread evenly over its moves, and by the network's own walks, which are repeated
  during the training. An error next to the goal costs all walks; without these weights walks are
  40 % longer than necessary instead of 1 %. The power below 1 keeps rare images from being dropped.
* **The last move is never taken back**, so an image is rated for each move that may have led to
  it, and counts by how often that one did. In a corner there is then nothing left to learn.
* **Quantisation.** From some epoch on, products are made with the weights rounded as the board
  has them, and gradients are applied to those not rounded ("straight-through").
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from firmware_tools.puzzle8.network import (
    ACTIONS,
    ACTIONS_SEEN,
    EMPTY,
    INPUTS,
    MOST_MOVES,
    MOST_UNITS,
    RATING_LIMIT,
    SUM_LIMIT,
    CentrePositions,
    InvalidNetworkError,
    Network,
    centre_positions,
    permutations,
    ways_to_centre,
)
from solvers.foundation.arrays import BoolArray, Float32Array, Float64Array, Int32Array, Int64Array
from solvers.foundation.compiled import kernel
from solvers.foundation.progress import Job, Progress
from solvers.sliding_tile.whole_space import CELLS, UNREACHED, distances_to

UNITS: Final = 48
SEED: Final = 1
EPOCHS: Final = 100

_BATCH: Final = 256
_RATE: Final = 0.02
_MOMENTA: Final = (0.9, 0.99)
_POWER: Final = 0.6
_OWN_SHARE: Final = 20.0
"""Weight of the network's own walks, that of the shortest solutions being 1."""

_PERIOD: Final = 10
"""Epochs between two judgements of the rounded network."""

_PATIENCE: Final = 3
"""Judgements without progress after which the training ends."""

_ROUNDED_FROM: Final = 0.5
"""Share of the epochs after which the weights are rounded."""

_SUM_AIM, _WEIGHT_AIM = 124, 127
_NO_ACTION: Final = len(ACTIONS)


@dataclass(frozen=True)
class Walks:
    """Walks of a network from every position to the goal with the blank in the centre.

    `lengths[p]`, -1 where a walk is not over after `MOST_MOVES`; `last[p]` and `last_but_one[p]`,
    the positions before its last two moves (-1: none); `visits[image, action]`, how often an image
    was met after that move as seen, `_NO_ACTION` being a start.
    """

    lengths: Int64Array
    last: Int64Array
    last_but_one: Int64Array
    visits: Int64Array

    @property
    def unfinished(self) -> int:
        """Return how many walks do not reach the goal."""
        return int((self.lengths < 0).sum())

    @property
    def excess(self) -> float:
        """Return the mean length of the finished walks, over that of shortest solutions."""
        finished = self.lengths >= 0
        shortest = centre_positions().distances[finished].sum()
        return float(self.lengths[finished].sum() / max(shortest, 1))


def walk_all(choices: Int64Array, *, guarded: bool = True) -> Walks:
    """Walk from every position; `guarded` as on the board: never twice to the same one.

    `choices` has the moves of each image as seen, the best first (`Network.choices`).

    Without the guard it takes half the time, and differs for walks that would not end.
    """
    space = centre_positions()
    symmetric = np.array(ACTIONS_SEEN)
    seen_as = np.concatenate([np.argsort(symmetric, axis=1), np.full((len(symmetric), 1), 4)], 1)
    lengths, last, before_last = np.full((3, len(space.tiles)), -1, dtype=np.int64)
    visits = np.zeros((len(space.inputs), len(ACTIONS) + 1), dtype=np.int64)
    lengths[space.goal] = 0
    _walk_from_each(
        space.neighbours,
        space.views,
        space.images,
        np.ascontiguousarray(choices, dtype=np.int64),
        symmetric,
        seen_as,
        int(space.goal),
        guarded,
        np.empty(MOST_MOVES, dtype=np.int64),
        lengths,
        last,
        before_last,
        visits,
    )
    return Walks(lengths, last, before_last, visits)


@kernel(entry=True)
def _walk_from_each(
    neighbours: Int64Array,
    views: Int64Array,
    images: Int64Array,
    choices: Int64Array,
    symmetric: Int64Array,
    seen_as: Int64Array,
    goal: int,
    guarded: bool,
    passed: Int64Array,
    lengths: Int64Array,
    last: Int64Array,
    before_last: Int64Array,
    visits: Int64Array,
) -> None:
    """Fill in the walks of all positions; `passed` has room for the positions of one walk."""
    for start in range(len(lengths)):
        here, action = start, _NO_ACTION
        for moves in range(1, MOST_MOVES + 1):
            if here == goal:
                break
            view, image = views[here], images[here]
            visits[image, seen_as[view, action]] += 1
            passed[moves - 1] = here
            target = chosen = -1
            for column in range(choices.shape[1]):
                tried = symmetric[view, choices[image, column]]
                there = neighbours[here, tried]
                if there < 0 or tried == action ^ 1:
                    continue
                if chosen < 0:  # the best of all, where each leads back
                    target, chosen = there, tried
                if not guarded:
                    break
                is_new = True
                # A position comes up again only after an even number of moves.
                for earlier in range(moves % 2, moves, 2):
                    is_new = is_new and passed[earlier] != there
                if is_new:
                    target, chosen = there, tried
                    break
            before_last[start], last[start] = last[start], here
            here, action = target, chosen
            if here == goal:
                lengths[start] = moves


@dataclass(frozen=True)
class PairReport:
    """What the board's program finds for every pair that can be solved.

    `solved` of `pairs` within `MOST_MOVES` moves; `excess`, the mean length of these over that of
    shortest solutions; `longest`, the greatest length.
    """

    pairs: int
    solved: int
    excess: float
    longest: int


def measure_pairs(choices: Int64Array) -> PairReport:
    """Return the figures of all 1,632,960 pairs, exactly, in some two CPU seconds.

    `choices` has the moves of each image as seen, the best first (`Network.choices`).
    """
    walks, tiles = walk_all(choices), permutations()
    pairs = solved = found = shortest = longest = 0
    for blank in range(CELLS):
        distances = distances_to(blank)
        ranks = np.flatnonzero(distances != UNREACHED)
        lengths = pair_lengths(walks, tiles[ranks], blank)
        reached = lengths <= MOST_MOVES
        pairs, solved = pairs + len(ranks), solved + int(reached.sum())
        found += int(lengths[reached].sum())
        shortest += int(distances[ranks][reached].sum())
        longest = max(longest, int(lengths[reached].max()))
    return PairReport(pairs, solved, found / shortest, longest)


def pair_lengths(walks: Walks, tiles: Int64Array, blank: int) -> Int64Array:
    """Return the lengths that the board's program finds; more than `MOST_MOVES` where it gives up.

    `tiles[i, cell]` names tiles by their cells in the goal, whose blank is in `blank`. Every walk
    of a pair is one of those to the goal with the blank in the centre, its tiles renamed; the
    program takes the shortest of two to four of them.
    """
    lengths = _over_ways(walks, tiles, blank)
    inverse, start_blanks = np.argsort(tiles, axis=1), np.argmax(tiles == blank, axis=1)
    for cell in range(CELLS):
        here = start_blanks == cell
        lengths[here] = np.minimum(lengths[here], _over_ways(walks, inverse[here], cell))
    lengths[(tiles == np.arange(CELLS)).all(axis=1)] = 0
    return lengths


def _over_ways(walks: Walks, tiles: Int64Array, blank: int) -> Int64Array:
    space = centre_positions()
    shortest = np.full(len(tiles), 2 * MOST_MOVES)
    for way in ways_to_centre(blank):
        # The goal, and the boards on the way of its blank to the centre.
        boards, cell = [list(range(CELLS))], blank
        for move in way:
            target = EMPTY.target(cell, move)
            assert target is not None
            board = boards[-1].copy()
            board[cell], board[target] = board[target], board[cell]
            boards, cell = [*boards, board], target
        renamed = np.argsort(boards.pop())  # as the tiles are named at the end of the way
        numbers = space.ranks_to_numbers(renamed[tiles])
        lengths = walks.lengths[numbers]
        is_finished = (lengths >= 0) & (lengths <= MOST_MOVES - len(way))
        lengths = lengths + len(way)
        # A last move that would be taken back is left out, with the one that takes it back.
        is_undone = is_finished
        for board, before in zip(reversed(boards), (walks.last, walks.last_but_one), strict=False):
            is_undone = is_undone & (
                before[numbers] == space.ranks_to_numbers(renamed[np.array([board])])
            )
            lengths = lengths - 2 * is_undone
        shortest = np.where(is_finished, np.minimum(lengths, shortest), shortest)
    return shortest


@dataclass(frozen=True)
class TrainingReport:
    """A trained network and what its walks to the centre goal are like; epochs that it took."""

    network: Network
    epochs: int
    unfinished: int
    excess: float


def train(
    units: int = UNITS, seed: int = SEED, epochs: int = EPOCHS
) -> Job[Progress, TrainingReport]:
    """Train a network from random weights and return the best that was judged on the way.

    The same seed gives the same network on the same machine; numpy's products may differ in the
    last bit on another one. Raises InvalidNetworkError for a number of units that is not possible.
    """
    if not 1 <= units <= MOST_UNITS:
        raise InvalidNetworkError(f"A network has 1 to {MOST_UNITS} units, not {units}.")
    trainer = _Trainer(units, seed, epochs)
    best: TrainingReport | None = None
    waited = 0
    for epoch in range(epochs):
        yield Progress(f"train {units} units", epoch, epochs, "epochs")
        trainer.run_epoch(epoch)
        if (epoch + 1) % _PERIOD and epoch + 1 < epochs:
            continue
        report = trainer.judge(epoch + 1)
        waited += 1
        if best is None or (report.unfinished, report.excess) < (best.unfinished, best.excess):
            best, waited = report, 0
        if waited >= _PATIENCE and epoch >= epochs * _ROUNDED_FROM:
            break
    assert best is not None
    return best


class _Trainer:
    def __init__(self, units: int, seed: int, epochs: int) -> None:
        self._random = np.random.default_rng(seed)
        self._units, self._seed, self._epochs = units, seed, epochs
        self._space = centre_positions()
        self._met = _met_by_shortest(self._space)
        self._possible = _without_undoing(self._space.legal)
        self._right = self._possible & self._space.optimal[:, None, :]
        self._importance = self._weigh(self._met)
        self._inputs = np.zeros((len(self._space.inputs), INPUTS), dtype=np.float32)
        np.put_along_axis(self._inputs, self._space.inputs, 1, axis=1)
        first = self._random.normal(0, np.sqrt(2 / 9), (INPUTS, units))
        second = self._random.normal(0, np.sqrt(1 / units), (units, len(ACTIONS)))
        self._weights = [first.astype(np.float32), second.astype(np.float32)]
        self._means = [np.zeros_like(each) for each in self._weights]
        self._squares = [np.zeros_like(each) for each in self._weights]
        self._steps = 0
        self._scales: tuple[Float32Array, Float32Array] | None = None

    def _weigh(self, met: Float64Array) -> Float32Array:
        """Return the weight of each image and move before it, 1 for an image on average."""
        is_choice = self._right.any(axis=2) & (self._possible.sum(axis=2) > self._right.sum(axis=2))
        met = np.where(is_choice, met, 0)
        all_met = met.sum(axis=1, keepdims=True)
        weights = met * np.maximum(all_met, 1e-9) ** (_POWER - 1)
        scaled: Float32Array = (weights * (len(met) / weights.sum())).astype(np.float32)
        return scaled

    def run_epoch(self, epoch: int) -> None:
        """Show every image once."""
        if epoch >= self._epochs * _ROUNDED_FROM:
            self._scales = self._choose_scales()
        for batch in self._batches():
            self._step(batch)

    def _batches(self) -> Iterator[Int64Array]:
        order = self._random.permutation(len(self._inputs))
        yield from (order[start : start + _BATCH] for start in range(0, len(order), _BATCH))

    def _step(self, batch: Int64Array) -> None:
        first, second = self._rounded()
        inputs = self._inputs[batch]
        hidden = np.maximum(inputs @ first, 0)
        ratings = hidden @ second
        shares = np.exp(ratings - ratings.max(axis=1, keepdims=True))[:, None, :] + 1e-20
        shares = shares * self._possible[batch]
        shares /= np.maximum(shares.sum(axis=2, keepdims=True), 1e-20)
        right = shares * self._right[batch]
        right /= np.maximum(right.sum(axis=2, keepdims=True), 1e-20)
        error = ((shares - right) * self._importance[batch][:, :, None]).sum(axis=1) / len(batch)
        error_before = (error @ second.T) * (hidden > 0)
        self._descend([inputs.T @ error_before, hidden.T @ error])

    def _descend(self, gradients: list[Float32Array]) -> None:
        """Make a step of Adam; its rate falls from the first to the last as a cosine does."""
        total = self._epochs * -(-len(self._inputs) // _BATCH)
        rate = _RATE / 2 * (1 + np.cos(np.pi * self._steps / total))
        self._steps += 1
        short, long = _MOMENTA
        for each, gradient, mean, square in zip(
            self._weights, gradients, self._means, self._squares, strict=True
        ):
            mean += (1 - short) * (gradient - mean)
            square += (1 - long) * (gradient**2 - square)
            length = np.sqrt(square / (1 - long**self._steps)) + 1e-8
            each -= (rate / (1 - short**self._steps) * mean / length).astype(np.float32)

    def _choose_scales(self) -> tuple[Float32Array, Float32Array]:
        """Return by how much a weight of each unit is divided before it is rounded.

        The largest sum of every unit is given the largest byte; what that changes is taken back in
        the second layer, whose largest weight is given the largest byte too.
        """
        first, second = self._weights
        largest = np.abs(self._inputs @ first).max(axis=0)
        before = np.maximum(largest, 1e-6) / _SUM_AIM
        after = np.abs(before[:, None] * second).max() / _WEIGHT_AIM / before
        return before.astype(np.float32), after[:, None].astype(np.float32)

    def _rounded(self) -> list[Float32Array]:
        if self._scales is None:
            return self._weights
        return [
            np.round(each / scale) * scale
            for each, scale in zip(self._weights, self._scales, strict=True)
        ]

    def judge(self, epochs: int) -> TrainingReport:
        """Round the network, walk with it, and weigh the images by these walks from now on."""
        network = self._round()
        walks = walk_all(network.choices(), guarded=False)
        self._importance = self._weigh(self._met + _OWN_SHARE * walks.visits)
        return TrainingReport(network, epochs, walks.unfinished, walks.excess)

    def _round(self) -> Network:
        """Return the network in whole numbers; rounded coarser until all sums and ratings fit."""
        origin = f"aksen puzzle8 train --units {self._units} --seed {self._seed}"
        before, after = self._choose_scales()
        while True:
            first = np.round(self._weights[0] / before).astype(np.int32)
            second = np.round(self._weights[1] / after).astype(np.int32)
            network = Network(first, second, origin)
            sums, ratings = network.ratings(self._space.inputs)
            too_large = _exceeds(sums, SUM_LIMIT) | _exceeds(first, SUM_LIMIT)
            if not too_large.any() and not _exceeds(ratings, RATING_LIMIT).any():
                return network
            before = np.where(too_large, before * np.float32(1.01), before)
            if not too_large.any():
                after = after * np.float32(1.01)


def _exceeds(values: Int32Array, limit: int) -> BoolArray:
    exceeds: BoolArray = np.abs(values).max(axis=0) > limit
    return exceeds


def _met_by_shortest(space: CentrePositions) -> Float64Array:
    """Return how often shortest solutions from all positions meet each image after each move.

    A solution is spread evenly over the moves that lead nearer to the goal. The last column is for
    the solutions that start there.
    """
    seen_as = np.argsort(np.array(ACTIONS_SEEN), axis=1)
    met = np.zeros((len(space.inputs), len(ACTIONS) + 1))
    met[:, _NO_ACTION] = np.bincount(space.images)
    flow = np.ones(len(space.tiles))
    targets = space.neighbours
    nearer = (targets >= 0) & (space.distances[targets] < space.distances[:, None])
    for distance in range(int(space.distances.max()), 0, -1):
        here = np.flatnonzero(space.distances == distance)
        share = flow[here] / nearer[here].sum(axis=1)
        for action in range(len(ACTIONS)):
            leads = nearer[here, action]
            there = targets[here[leads], action]
            np.add.at(flow, there, share[leads])
            columns = seen_as[space.views[there], action]
            np.add.at(met, (space.images[there], columns), share[leads])
    return met


def _without_undoing(legal: BoolArray) -> BoolArray:
    """Return which moves are possible in each image after each move, and at a start."""
    possible = np.repeat(legal[:, None, :], len(ACTIONS) + 1, axis=1)
    for action in range(len(ACTIONS)):
        possible[:, action, action ^ 1] = False
    return possible
