"""All positions of phase 1 at most six moves from its goal, with the moves that lead there.

Most of phase 1's time would go into its last moves: each of thirteen neighbours would be looked up
in a table far larger than the processor's caches, to find the one or two that are nearer. This
graph of 75 000 positions, one edge per move that brings the goal nearer, stays in the cache.

A position is class * 2187 + twist, both in the representative's frame; see `coordinates`.
"""

from typing import Final, NamedTuple

import numpy as np

from solvers.foundation.arrays import Int32Array, UInt8Array, UInt16Array
from solvers.foundation.compiled import compiled, kernel
from solvers.rubik.two_phase.coordinates import TWISTS, Number

RADIUS = 6
"""Moves; with 7 the graph has 850 000 positions, falls out of the cache and the search slows."""

_NODES = 74_743  # positions at most RADIUS moves away
_EDGES = 89_225  # moves that bring one of them nearer
_SLOT_BITS = 18  # 3.5 slots a position keep the probes short
_FILTER_BITS = 21  # a filter of 256 KB lets 3.6 % of the other positions through
# Knuth's multiplicative hashing (The Art of Computer Programming 3, chapter 6.4): 2^32 divided by
# the golden ratio; the upper bits of the product, modulo 2^32, are the hash.
_HASH_FACTOR = 2_654_435_769

# An edge is packed as child * 512 + symmetry * 32 + move.
CHILD_SHIFT = 9
SYMMETRY_SHIFT = 5


class NearGoal(NamedTuple):
    """The graph; node 0 is the goal.

    slot_positions, slot_nodes: hash table from position to node, -1 for an empty slot.
    filter: one bit per hash, set if a node has it.
    positions, distances: of each node.
    first_edges: shape (nodes + 1), where each node's edges start in `edges`.
    edges: packed child, symmetry from the child's frame, move in the node's frame.
    """

    slot_positions: Int32Array
    slot_nodes: Int32Array
    filter: UInt8Array
    positions: Int32Array
    distances: UInt8Array
    first_edges: Int32Array
    edges: Int32Array


_LAYOUT: Final = np.dtype(
    [
        ("slot_positions", np.int32, 1 << _SLOT_BITS),
        ("slot_nodes", np.int32, 1 << _SLOT_BITS),
        ("filter", np.uint8, 1 << (_FILTER_BITS - 3)),
        ("positions", np.int32, _NODES),
        ("distances", np.uint8, _NODES),
        ("first_edges", np.int32, _NODES + 1),
        ("edges", np.int32, _EDGES),
    ],
    align=True,
)
GRAPH_BYTES: Final = _LAYOUT.itemsize


def graph_in(table: UInt8Array) -> NearGoal:
    """Return the graph in a table of `GRAPH_BYTES` bytes, without copying."""
    record = table.view(_LAYOUT)
    return NearGoal(*(record[name][0] for name in NearGoal._fields))


@kernel(inlining="llvm")
def _hash(position: Number, bits: int) -> Number:
    return (np.int64(position) * _HASH_FACTOR & 0xFFFF_FFFF) >> (32 - bits)


@kernel(inlining="llvm")
def slot_of(slot_positions: Int32Array, position: Number) -> Number:
    """Return the slot of `position`, or the empty slot where it would go."""
    # Open addressing with linear probing: the next slot is mostly in the same cache line.
    slot = _hash(position, _SLOT_BITS)
    while slot_positions[slot] >= 0 and slot_positions[slot] != position:
        slot = (slot + 1) & ((1 << _SLOT_BITS) - 1)
    return slot


@kernel(inlining="llvm")
def node_at(graph: NearGoal, position: Number) -> Number:
    """Return the node of `position`, -1 for one that is not in the graph."""
    slot = slot_of(graph.slot_positions, position)
    return graph.slot_nodes[slot] if graph.slot_positions[slot] >= 0 else -1


@kernel(inlining="llvm")
def may_be_near(graph: NearGoal, position: Number) -> Number:
    """Return 1 for every position in the graph and for few others, else 0."""
    # 256 KB for the filter instead of 2 MB for the slots: it answers most questions from the cache.
    bit = _hash(position, _FILTER_BITS)
    return np.int64(graph.filter[bit >> 3] >> (bit & 7) & 1)


def near_goal(
    class_moves: Int32Array,
    own_symmetries: UInt16Array,
    twist_moves: UInt16Array,
    normalised_twists: UInt16Array,
) -> UInt8Array:
    """Return a table with the graph, built by breadth-first search from the goal."""
    table = np.zeros(GRAPH_BYTES, np.uint8)
    graph = graph_in(table)
    graph.slot_positions[:] = -1
    _fill_nodes(graph, class_moves, own_symmetries, twist_moves, normalised_twists)
    _fill_edges(graph, class_moves, twist_moves, normalised_twists)
    return table


@compiled
def _fill_nodes(
    graph: NearGoal,
    class_moves: Int32Array,
    own_symmetries: UInt16Array,
    twist_moves: UInt16Array,
    normalised_twists: UInt16Array,
) -> None:
    graph.slot_positions[slot_of(graph.slot_positions, 0)] = 0
    # Breadth-first with the list of nodes as its own queue: nodes are in order of distance.
    found, here = 1, 0
    while graph.distances[here] < RADIUS:
        row, twist = graph.positions[here] // TWISTS, graph.positions[here] % TWISTS
        for move in range(18):
            packed = class_moves[row, move]
            target, own = packed >> 4, own_symmetries[packed >> 4]
            moved = normalised_twists[twist_moves[twist, move], packed & 15]
            # Symmetries that leave the representative alone still change the twist.
            for symmetry in range(16):
                if not own >> symmetry & 1:
                    continue
                position = np.int32(target * TWISTS + normalised_twists[moved, symmetry])
                slot = slot_of(graph.slot_positions, position)
                if graph.slot_positions[slot] < 0:
                    graph.slot_positions[slot] = position
                    graph.slot_nodes[slot] = found
                    graph.positions[found] = position
                    graph.distances[found] = graph.distances[here] + 1
                    found += 1
        here += 1


@compiled
def _fill_edges(
    graph: NearGoal,
    class_moves: Int32Array,
    twist_moves: UInt16Array,
    normalised_twists: UInt16Array,
) -> None:
    count = 0
    for node in range(graph.positions.size):
        graph.first_edges[node] = count
        bit = _hash(graph.positions[node], _FILTER_BITS)
        graph.filter[bit >> 3] |= np.uint8(1 << (bit & 7))
        row, twist = graph.positions[node] // TWISTS, graph.positions[node] % TWISTS
        for move in range(18):
            packed = class_moves[row, move]
            moved = normalised_twists[twist_moves[twist, move], packed & 15]
            slot = slot_of(graph.slot_positions, np.int32((packed >> 4) * TWISTS + moved))
            child = graph.slot_nodes[slot]
            is_known = graph.slot_positions[slot] >= 0
            # Only moves that bring the goal nearer: within the radius no search needs others.
            if is_known and graph.distances[child] + 1 == graph.distances[node]:
                graph.edges[count] = (
                    (child << CHILD_SHIFT) | ((packed & 15) << SYMMETRY_SHIFT) | move
                )
                count += 1
    graph.first_edges[graph.positions.size] = count
