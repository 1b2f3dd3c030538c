"""The likeliest mistake is named, with the face, the stickers or the piece."""

import re
from collections.abc import Callable
from itertools import combinations
from math import log

import numpy as np
import pytest

from controller.vision.reading.explanation import explain, worst_face
from controller.vision.reading.legal_reader import (
    Assembly,
    assembly_odds,
    cheapest_assembled,
    cheapest_legal,
    impossible_odds,
)
from controller.vision.reading.reader import read_cube
from controller.vision.reading.result import Verdict
from controller.vision.reading_order import turned_orders
from solvers.foundation.arrays import Float64Array
from solvers.rubik.cubies import CORNER_NAMES, CubieCube
from solvers.rubik.errors import FaceletError
from solvers.rubik.facelets import FACE_LETTERS, check_solvable, format_facelets, is_odd
from solvers.rubik.notation import Move
from solvers.rubik.scramble import random_state
from tests.eyes import mistakes
from tests.eyes.mistakes import Named, named_case

CUBE = random_state(4)
FACELETS = format_facelets(CUBE)
CLEAR = 8.0


def costs_of(facelets: str, clear: float = CLEAR) -> Float64Array:
    """Return the costs of stickers that look clearly like these letters."""
    costs = np.full((54, 6), clear)
    costs[np.arange(54), [FACE_LETTERS.index(letter) for letter in facelets]] = 0.0
    return costs


def explained(
    costs: Float64Array, of_pieces: Float64Array | None = None, *, is_broken: bool = True
) -> str:
    """Return what explains the costs, by which pieces are compared as well unless they have own."""
    return explain(costs, costs if of_pieces is None else of_pieces, is_broken=is_broken)


def faces_of(facelets: str) -> list[str]:
    return [facelets[first : first + 9] for first in range(0, 54, 9)]


def test_a_corner_is_named_whose_turning_mends_the_cube() -> None:
    twisted = mistakes.twisted_corner(np.random.default_rng(1), CUBE)
    sentence = explained(costs_of(format_facelets(twisted)))
    found = re.search(r"Turning the corner at (\w{3}) .* (\S*clockwise) would", sentence)
    assert found, sentence
    place, turn = CORNER_NAMES.index(found[1]), 1 if found[2] == "clockwise" else 2
    twists = list(twisted.corner_twist)
    twists[place] = (twists[place] + turn) % 3
    pieces = twisted.corner_permutation, twisted.edge_permutation
    check_solvable(CubieCube(pieces[0], tuple(twists), pieces[1], twisted.edge_flip))


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (mistakes.flipped_edge, "An edge is flipped"),
        (mistakes.exchanged_corners, "Two pieces are swapped"),
        (mistakes.exchanged_edges, "Two pieces are swapped"),
    ],
)
def test_pieces_that_are_put_in_wrongly_are_named(
    spoil: Callable[[np.random.Generator, CubieCube], CubieCube], words: str
) -> None:
    wrong = spoil(np.random.default_rng(1), CUBE)
    sentence = explained(costs_of(format_facelets(wrong)))
    assert sentence.startswith(words)
    assert sentence.endswith("Or these stickers were misread.")


@pytest.mark.parametrize("face", range(6))
def test_a_face_of_another_cube_is_named(face: int) -> None:
    faces = faces_of(FACELETS)
    faces[face] = faces_of(format_facelets(random_state(9)))[face]
    sentence = explained(costs_of("".join(faces)))
    assert sentence.startswith(f"Face {FACE_LETTERS[face]} does not belong to this cube")


def test_exchanged_pictures_are_named() -> None:
    for first, second in combinations(range(6), 2):
        faces = faces_of(FACELETS)
        faces[first], faces[second] = faces[second], faces[first]
        letters = "".join(faces)
        swap = {
            FACE_LETTERS[first]: FACE_LETTERS[second],
            FACE_LETTERS[second]: FACE_LETTERS[first],
        }
        shown = "".join(swap.get(letter, letter) for letter in letters)  # named by their centres
        words = f"Faces {FACE_LETTERS[first]} and {FACE_LETTERS[second]} seem to be exchanged"
        assert explained(costs_of(shown)).startswith(words)


def test_a_layer_that_was_turned_between_two_pictures_is_named() -> None:
    before, after = faces_of(FACELETS), faces_of(format_facelets(CUBE.apply([Move.R1])))
    sentence = explained(costs_of("".join([*before[:2], *after[2:4], *before[4:]])))
    assert sentence.startswith("Layer R seems to have been turned before face")


def test_exchanged_stickers_are_named() -> None:
    letters = list(FACELETS)
    first, second = next((i, i + 1) for i in (18, 20, 24) if letters[i] != letters[i + 1])
    letters[first], letters[second] = letters[second], letters[first]
    words = f"Stickers F{first - 17} and F{second - 17} seem to be exchanged"
    assert explained(costs_of("".join(letters))).startswith(words)


@pytest.mark.parametrize("face", range(6))
def test_a_turned_picture_is_turned_back(face: int) -> None:
    faces = faces_of(FACELETS)
    faces[face] = "".join(faces[face][cell] for cell in turned_orders()[1])
    words = f"Face {FACE_LETTERS[face]} fits if its picture is turned a quarter"
    assert explained(costs_of("".join(faces))).startswith(words)


def test_one_sticker_that_looks_amiss_is_no_mistake() -> None:
    for facelet in (0, 1, 20, 53):
        letters = list(FACELETS)
        letters[facelet] = FACE_LETTERS[FACE_LETTERS.index(letters[facelet]) - 1]
        assert explained(costs_of("".join(letters))) == ""


def test_pieces_of_similar_colours_are_named_though_misread_as_easily() -> None:
    wrong = mistakes.exchanged_edges(np.random.default_rng(1), CUBE)
    costs = costs_of(format_facelets(wrong), clear=0.4)
    assert cheapest_legal(costs).cost < log(11)
    assert explained(costs).startswith("Two pieces are swapped")


def test_two_edges_are_named_rather_than_two_edges_and_a_corner() -> None:
    """As good cubes of similar colours count together, and a second mistake is less likely."""
    wrong = mistakes.exchanged_edges(some_random(), CUBE)
    costs = costs_of(format_facelets(wrong))
    twisted = mistakes.twisted_corner(some_random(), wrong)
    looks = costs_of(format_facelets(twisted))
    for share, words in ((0.48, "Two pieces"), (0.52, "Two pieces"), (0.6, "A corner is twisted")):
        assert explained((1 - share) * costs + share * looks).startswith(words), share


def test_a_whole_picture_is_blamed_less_easily_where_the_colours_add_up() -> None:
    faces = faces_of(FACELETS)
    faces[1] = faces_of(format_facelets(random_state(9)))[1]
    costs = costs_of("".join(faces), clear=3.5)
    assert explained(costs).startswith("Face R does not belong")
    assert not explained(costs, is_broken=False).startswith("Face R")


def test_an_exchange_is_named_rather_than_a_flip_that_fits_alike() -> None:
    """Two corners or two edges are exchanged, which is twice as likely as an edge flipped."""
    exchanged = costs_of(format_facelets(mistakes.exchanged_edges(some_random(), CUBE)))
    flipped = costs_of(format_facelets(mistakes.flipped_edge(np.random.default_rng(2), CUBE)))
    apart = int((exchanged.argmin(axis=1) != flipped.argmin(axis=1)).sum())
    for better_by, words in ((0.5, "Two pieces"), (0.9, "An edge is flipped")):
        share = 0.5 + better_by / (2 * CLEAR * apart)
        assert explained((1 - share) * exchanged + share * flipped).startswith(words), better_by


def test_pieces_are_compared_by_costs_of_their_own() -> None:
    wrong = format_facelets(mistakes.flipped_edge(some_random(), CUBE))
    assert explained(costs_of(FACELETS)) == ""
    assert explained(costs_of(FACELETS), costs_of(wrong)).startswith("An edge is flipped")


def test_the_face_without_which_a_cube_fits_is_the_worst() -> None:
    faces = faces_of(FACELETS)
    faces[2] = faces_of(format_facelets(random_state(9)))[2]
    assert worst_face(costs_of("".join(faces))) == 2


def test_the_best_cube_of_each_wrong_assembly_is_one_that_turning_cannot_reach() -> None:
    costs = np.random.default_rng(2).gamma(2.0, size=(54, 6))
    stickers = [i for i in range(54) if i % 9 != 4]
    for assembly in assembly_odds(costs):
        wrong = cheapest_assembled(costs, assembly)
        assert wrong.cost == pytest.approx(costs[stickers, wrong.colours[stickers]].sum())
        cube = wrong.cube
        odd = is_odd(cube.corner_permutation) != is_odd(cube.edge_permutation)
        assert Assembly(sum(cube.corner_twist) % 3, sum(cube.edge_flip) % 2, odd) == assembly
        with pytest.raises(FaceletError, match="solvable"):
            check_solvable(cube)
    legal = cheapest_assembled(costs, Assembly(0, 0, 0))
    assert legal.cost == pytest.approx(cheapest_legal(costs).cost)


def test_the_odds_of_all_wrong_assemblies_are_those_of_all_impossible_cubes() -> None:
    costs = np.random.default_rng(3).gamma(2.0, size=(54, 6))
    odds = assembly_odds(costs)
    assert len(odds) == 11
    assert np.logaddexp.reduce(list(odds.values())) == pytest.approx(impossible_odds(costs))
    clear = assembly_odds(costs_of(format_facelets(mistakes.flipped_edge(some_random(), CUBE))))
    assert max(clear, key=lambda assembly: clear[assembly]) == Assembly(0, 1, 0)


def some_random() -> np.random.Generator:
    return np.random.default_rng(1)


@pytest.mark.parametrize("kind", list(Named))
def test_colours_with_a_mistake_are_refused_and_it_is_named(kind: Named) -> None:
    cases = [named_case(kind, seed, held_out=False) for seed in range(12)]
    clear = [case for case in cases if case.light is mistakes.USUAL][:3]
    results = [read_cube(case.rgb) for case in clear]
    assert all(result.verdict is not Verdict.ACCEPTED for result in results)
    for case, result in zip(clear, results, strict=True):
        assert case.words in " ".join(result.reasons)


@pytest.mark.parametrize(("kind", "seed"), [(Named.FLIP, 17), (Named.FLIP, 94), (Named.EDGES, 115)])
def test_pieces_are_named_where_a_whole_picture_explains_hardly_more(
    kind: Named, seed: int
) -> None:
    case = named_case(kind, seed, held_out=False)
    assert case.words in " ".join(read_cube(case.rgb).reasons)


@pytest.mark.parametrize(
    ("kind", "seed"),
    [
        (Named.CORNERS, 900237),
        (Named.CORNERS, 900407),
        (Named.EDGES, 900199),
        (Named.EDGES, 900228),
    ],
)
def test_exchanged_pieces_of_similar_colours_in_poor_light_are_named(
    kind: Named, seed: int
) -> None:
    """Colours learnt from single stickers blamed a flipped edge or exchanged pictures."""
    case = named_case(kind, seed, held_out=False)
    assert case.light is mistakes.POOR
    assert case.words in " ".join(read_cube(case.rgb).reasons)


@pytest.mark.parametrize("seed", [22, 76])
def test_a_face_shown_twice_in_poor_light_is_named(seed: int) -> None:
    """Noise makes its two pictures differ more than two faces of some solved cube."""
    case = named_case(Named.REPEATED, seed, held_out=False)
    result = read_cube(case.rgb)
    assert result.verdict is Verdict.RESCAN
    assert case.words in result.reasons[0]
