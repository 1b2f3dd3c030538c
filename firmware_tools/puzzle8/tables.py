"""The tables of the 8-puzzle programs, laid out in the board's code memory and written as C.

All policy tables are in pages of 256 bytes: a program reads an entry with the page in DPH and the
index in A, which saves a 16-bit addition. A coset's number is the place of its policy bytes: bits
0 to 6 are the page and bit 7 selects the half of the page. apps/puzzle8/README.md describes each
table. apps/puzzle8/program.toml names `policy_sources`, `small_sources` and `neural_sources`.
"""

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations

from firmware_tools.puzzle8 import network as nets
from solvers.sliding_tile import hub_states, policy

PAGE_BYTES = 256
HALF_BYTES = 128
FIRST_PAGE = 0x14
"""The program's own code is below; the assembler core's blocks follow the tables."""

FLIP_BIT = 0x80
"""In a row page: the step ends in a mirrored coset."""

UNUSED = 0xFF
ONE_HOT_OFFSET = HALF_BYTES
"""The upper half of the first row page, which rows leave free."""


@dataclass(frozen=True)
class TableImage:
    """Tables as they stand in code memory from page `FIRST_PAGE` on, and their page numbers."""

    data: bytes
    pages: Mapping[str, int]

    @property
    def checksum(self) -> int:
        """Return the CRC-32 of the tables, which the board's identity names."""
        return zlib.crc32(self.data)

    @property
    def definitions(self) -> dict[str, int]:
        """Return what the programs need to find their way: page numbers and offsets."""
        pages = {f"{name}_PAGE": page for name, page in self.pages.items()}
        offsets = {"ONE_HOT": ONE_HOT_OFFSET, "ODD_ELEMENT": HALF_BYTES}
        return {"FIRST_PAGE": FIRST_PAGE, **pages, **offsets}


@cache
def policy_image() -> TableImage:
    """Return the tables of the `policy` programs. Takes about half a second the first time."""
    return _Layout(policy.build_policy_tables()).image()


class _Layout:
    def __init__(self, tables: policy.PolicyTables) -> None:
        self._cosets = tables.cosets
        self._policy = tables.policy
        pages = {"TURN": FIRST_PAGE}
        pages["ROWS"] = pages["TURN"] + 2 * len(hub_states.TURNS)
        pages["POLICY"] = pages["ROWS"] + len(self._cosets.rows)
        pages["ACTION"] = pages["POLICY"] + (len(self._policy) + 1) // 2
        pages["DISTANCE"] = pages["ACTION"] + hub_states.EDGE_COUNT
        for number, name in enumerate(("HUB_DISTANCE", "PAIR", "SHAPE", "UPRIGHT", "COUNT")):
            pages[name] = pages["DISTANCE"] + hub_states.EDGE_COUNT + number
        self._pages = pages

    def image(self) -> TableImage:
        """Return all tables, one page after the other."""
        cosets = self._cosets
        parts = [*self._turn_pages(), *_row_pages(cosets), *self._policy_pages()]
        parts += [_action_page(edge) for edge in range(hub_states.EDGE_COUNT)]
        parts += [_distance_page(edge) for edge in (*range(hub_states.EDGE_COUNT), None)]
        parts += [_pair_page(cosets), self._shape_page(), self._upright_page()]
        parts.append(bytes(index.bit_count() for index in range(PAGE_BYTES)))
        data = b"".join(part.ljust(PAGE_BYTES, bytes([UNUSED])) for part in parts)
        return TableImage(data, self._pages)

    def _coset_byte(self, coset: int) -> int:
        page = self._pages["POLICY"] + coset // 2
        return page | (FLIP_BIT if coset % 2 else 0)

    def _turn_pages(self) -> list[bytes]:
        """Return for each turn a page of next cosets and a page of rows."""
        pages = []
        for steps in self._cosets.steps:
            cosets, rows = bytearray([UNUSED] * PAGE_BYTES), bytearray([UNUSED] * PAGE_BYTES)
            for coset, step in enumerate(steps):
                index = self._coset_byte(coset)
                cosets[index] = self._coset_byte(step.coset)
                rows[index] = self._pages["ROWS"] + step.row + (FLIP_BIT if step.flips else 0)
            pages += [bytes(cosets), bytes(rows)]
        return pages

    def _policy_pages(self) -> list[bytes]:
        rows = [*self._policy, b""] if len(self._policy) % 2 else self._policy
        return [
            rows[low].ljust(HALF_BYTES, bytes([UNUSED])) + rows[low + 1]
            for low in range(0, len(rows), 2)
        ]

    def _shape_page(self) -> bytes:
        """Return the coset of each shape, by 8 * number of the pair + ring index of label 0."""
        page = bytearray([UNUSED] * PAGE_BYTES)
        for index, shape in shapes().items():
            page[index] = self._coset_byte(self._cosets.locate(shape)[0])
        return bytes(page)

    def _upright_page(self) -> bytes:
        """Return, by the same index, the row that mirrors upright, or 0.

        Bit 7 is 1 where the representative of the shape has label 1 before label 7.
        """
        page = bytearray([UNUSED] * PAGE_BYTES)
        for index, shape in shapes().items():
            row = self._cosets.upright_row(shape)
            ordered = self._cosets.pair_is_ordered(shape)
            page[index] = (0 if row is None else self._pages["ROWS"] + row) | (ordered << 7)
        return bytes(page)


def pair_numbers() -> dict[tuple[int, int], int]:
    """Return the number of each pair of ring indices, the lower one first."""
    return {
        pair: number for number, pair in enumerate(combinations(range(hub_states.RING_SIZE), 2))
    }


def shapes() -> dict[int, hub_states.Shape]:
    """Return each shape of a coset by 8 * number of the pair + ring index of label 0."""
    return {
        hub_states.RING_SIZE * number + zero: (zero, frozenset(pair))
        for pair, number in pair_numbers().items()
        for zero in range(hub_states.RING_SIZE)
        if zero not in pair
    }


def _pair_page(cosets: hub_states.CosetTables) -> bytes:
    """Return 8 * number of the pair + (1 before 7), by 16 * index of label 1 + index of label 7.

    In the upper half: for each element 1 if it orders the five labels oddly.
    """
    page = bytearray([UNUSED] * HALF_BYTES)
    for (low, high), number in pair_numbers().items():
        page[16 * low + high] = 8 * number + 1
        page[16 * high + low] = 8 * number
    odd = (element[1] != 1 for element in cosets.elements)
    return bytes(page) + bytes(odd)


def _trits(value: int) -> list[int]:
    return [value // 3**edge % 3 for edge in range(hub_states.EDGE_COUNT)]


def _action_page(edge: int) -> bytes:
    """Return what each policy byte says at `edge`: 64 * edge + 16 * target + 8 * direction.

    Target is the edge that the turn starts from; it differs from `edge` where the blank crosses the
    centre first. Direction is 0 for clockwise. In the goal's hub state bit 1 is set instead: the
    blank goes to edge 0, or stays there.
    """
    page = bytearray(64 * edge + _action(edge, value) for value in range(policy.GOAL_BYTE))
    page.append(64 * edge + 16 * edge + 2)
    return bytes(page)


def _action(edge: int, value: int) -> int:
    trits = _trits(value)
    leaving = [edge, *(other for other in range(hub_states.EDGE_COUNT) if other != edge)]
    target = next((other for other in leaving if trits[other] != policy.THROUGH_CENTRE), None)
    if target is None:
        return UNUSED - 64 * edge  # no policy byte has four trits of 0
    return 16 * target + (8 if trits[target] == policy.COUNTER_CLOCKWISE else 0)


def _distance_page(edge: int | None) -> bytes:
    """Return the distance mod 3 of the edge state, or of the hub state, for each policy byte."""
    page = bytearray()
    for value in range(policy.GOAL_BYTE):
        distance = value // policy.DISTANCE_UNIT
        if edge is not None:
            distance += 1 if _trits(value)[edge] == policy.THROUGH_CENTRE else -1
        page.append(distance % 3)
    page.append({None: 1, 0: 0}.get(edge, 2))
    return bytes(page)


def _row_pages(cosets: hub_states.CosetTables) -> list[bytes]:
    """Return the rows; in the upper half of the first page, by index: 1 << (index mod 8)."""
    pages = [bytes(row).ljust(HALF_BYTES, bytes([UNUSED])) for row in cosets.row_tables]
    pages[0] += bytes(
        1 << index % hub_states.RING_SIZE for index in range(2 * hub_states.RING_SIZE)
    )
    return pages


BYTES_PER_LINE = 20
DO_NOT_EDIT = "Generated by firmware_tools/puzzle8/tables.py. Do not edit."


def policy_sources() -> dict[str, str]:
    """Return, by file name, the sources that `policy` and `policy-c` are compiled with."""
    image = policy_image()
    name = "AT(FIRST_PAGE << 8) puzzle8_tables"
    return {
        "puzzle8_tables.c": _c_file("puzzle8_tables.h", [_c_array(name, image.data)]),
        "puzzle8_tables.h": _c_header(image.definitions, image.checksum, [name]),
        "puzzle8_tables.inc": _assembler_header(image.definitions),
    }


@cache
def small_sources() -> dict[str, str]:
    """Return, by file name, the sources that `policy-small` is compiled with."""
    tables = policy.build_policy_tables()
    cosets = bytearray([UNUSED] * (hub_states.RING_SIZE * len(pair_numbers())))
    mirrors: dict[bool, bytes] = {}
    for index, shape in shapes().items():
        coset, flipped = tables.cosets.locate(shape)
        cosets[index] = coset | (FLIP_BIT if flipped else 0)
        row = tables.cosets.upright_row(shape)
        if row is not None:
            mirrors[0 in {shape[0], *shape[1]}] = bytes(tables.cosets.row_tables[row])
    pairs = bytearray([UNUSED] * hub_states.RING_SIZE**2)
    for one, seven in permutations(range(hub_states.RING_SIZE), 2):
        pairs[hub_states.RING_SIZE * one + seven] = pair_numbers()[min(one, seven), max(one, seven)]
    arrays = {
        "policy_rows": b"".join(tables.policy),
        "shape_cosets": bytes(cosets),
        "pair_numbers": bytes(pairs),
        "mirror": mirrors[True],
        "mirror_from_0": mirrors[False],
    }
    definitions = {"ELEMENTS": hub_states.ELEMENT_COUNT, "GOAL_BYTE": policy.GOAL_BYTE}
    checksum = zlib.crc32(b"".join(arrays.values()))
    name = "puzzle8_small_tables"
    return {
        f"{name}.c": _c_file(f"{name}.h", [_c_array(key, data) for key, data in arrays.items()]),
        f"{name}.h": _c_header(definitions, checksum, arrays),
    }


def neural_sources(network: nets.Network | None = None) -> dict[str, str]:
    """Return, by file name, the sources of `neural`; its network is the shipped one by default.

    The array `network` has `UNIT_BYTES` for each unit: the weights of its inputs as two's
    complement, then those of the four moves plus 128.
    """
    network = network or nets.read_network(nets.shipped_network_path())
    units = bytearray()
    for row in network.rows:
        units += bytes(weight & 0xFF for weight in row[: nets.INPUTS])
        units += bytes(weight + 128 for weight in row[nets.INPUTS :])
    arrays = {
        "network": bytes(units),
        "seen_labels": bytes(label for row in nets.SEEN_LABELS for label in row),
        "seen_cells": bytes(cell for row in nets.SYMMETRIES for cell in row),
        "actions_seen": bytes(action for row in nets.ACTIONS_SEEN for action in row),
    }
    definitions = {
        "UNITS": network.units,
        "UNIT_BYTES": nets.UNIT_BYTES,
        "FIRST_TILE": nets.BLANK_INPUTS,
        "SECOND_LAYER": nets.INPUTS,
        "SYMMETRIES": len(nets.SYMMETRIES),
    }
    checksum = zlib.crc32(b"".join(arrays.values()))
    name = "puzzle8_network"
    return {
        f"{name}.c": _c_file(f"{name}.h", [_c_array(key, data) for key, data in arrays.items()]),
        f"{name}.h": _c_header(definitions, checksum, arrays),
    }


def _c_array(name: str, data: bytes) -> str:
    starts = range(0, len(data), BYTES_PER_LINE)
    lines = [
        f"    {', '.join(map(str, data[start : start + BYTES_PER_LINE]))}," for start in starts
    ]
    head = f"const CODE unsigned char {name}[{len(data)}] = {{"
    return "\n".join([head, *lines, "};", ""])


def _c_file(header: str, arrays: Iterable[str]) -> str:
    return "\n".join([f"/* {DO_NOT_EDIT} */", f'#include "{header}"', "", *arrays])


def _c_header(definitions: Mapping[str, int], checksum: int, arrays: Iterable[str]) -> str:
    lines = [f"#define {name} 0x{value:02X}" for name, value in definitions.items()]
    lines.append(f'#define TABLES_CHECKSUM "{checksum:08X}"')
    lines += [f"extern const CODE unsigned char {name}[];" for name in arrays]
    return "\n".join([f"/* {DO_NOT_EDIT} */", '#include "solver.h"', *lines, ""])


def _assembler_header(definitions: Mapping[str, int]) -> str:
    lines = [f"{name} = 0x{value:02X}" for name, value in definitions.items()]
    return "\n".join([f"; {DO_NOT_EDIT}", *lines, ""])
