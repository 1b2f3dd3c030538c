"""The page that plays a solution: its content, and how a real browser shows it."""

import json
import re
from pathlib import Path

import pytest

from solvers.rubik.beginner import solve_by_layers
from solvers.rubik.cubies import SOLVED
from solvers.rubik.facelets import format_facelets
from solvers.rubik.held_cube import HeldCube, read_position, sticker_colours
from solvers.rubik.notation import Move, Notation, parse_moves
from solvers.rubik.player import Part, to_html
from solvers.rubik.scramble import random_state
from tests.dumped_page import dumped_result

CUBE = random_state(5)

PROBE = """
<script>
const found = { seen: [], stages: [] };
function note() { found.seen.push(document.body.dataset.stickers); }
note();
for (let move = 1; move <= moves.length; move++) { jump(move); note(); }
const press = key => dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
press("Home");
found.home = document.body.dataset.at;
for (const _ of data.parts) { found.stages.push(element("stage").textContent); press("PageDown"); }
found.end = document.body.dataset.at;
press("Home");
press("ArrowRight");
found.turning = [...document.querySelectorAll(".piece")].filter(
  piece => piece.style.transform.startsWith("rotate3d")).length;
press("ArrowRight");
found.second = document.body.dataset.at;
element("last").click();
press("ArrowLeft");
press("ArrowLeft");
found.beforeLast = document.body.dataset.at;
const result = document.createElement("pre");
result.id = "result";
result.textContent = JSON.stringify(found);
document.body.append(result);
</script>
"""


def data_of(page: str) -> dict[str, object]:
    match = re.search(r'<script type="application/json" id="data">(.*?)</script>', page)
    assert match
    data: dict[str, object] = json.loads(match[1])
    return data


def test_the_page_holds_the_cube_as_it_is_held_and_every_stage_by_name() -> None:
    held = read_position("".join(9 * colour for colour in "grwbyo"))
    page = to_html(held, [Part("<cross>", "", parse_moves("R U2 F'"))], "a <title>")
    assert "a &lt;title&gt;" in page
    assert "<cross>" not in page
    assert "http" not in page.partition("<body>")[2]
    assert data_of(page) == {
        "stickers": "".join(9 * colour for colour in "GRWBYO"),
        "colours": sticker_colours("GRWBYO"),
        "parts": [
            {
                "name": "<cross>",
                "purpose": "",
                "moves": [
                    {"face": "R", "quarters": 1, "text": "R"},
                    {"face": "U", "quarters": 2, "text": "U2"},
                    {"face": "F", "quarters": -1, "text": "F'"},
                ],
            }
        ],
    }


def test_moves_are_written_as_the_owner_writes_them() -> None:
    page = to_html(HeldCube(SOLVED), [Part("all", "", (Move.D1,))], "", Notation.GERMAN)
    assert '{"face":"D","quarters":1,"text":"U"}' in page


@pytest.mark.parametrize(
    ("centres", "first"), [("URFDLB", "#f4f4f4"), ("GRWBYO", "#009b48"), ("123456", "#f4f4f4")]
)
def test_a_letter_has_the_colour_that_it_names(centres: str, first: str) -> None:
    assert sticker_colours(centres)[centres[0]] == first


def test_a_real_browser_turns_the_cube_as_the_moves_do(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    stages = [Part(each.name, each.purpose, each.moves) for each in solve_by_layers(CUBE, SOLVED)]
    all_moves = [move for part in stages for move in part.moves]
    written = to_html(HeldCube(CUBE), stages, "cube")
    page.write_text(written.replace("</body>", PROBE + "</body>"))
    found = dumped_result(page, "--disable-gpu")
    positions = [CUBE.apply(all_moves[:done]) for done in range(len(all_moves) + 1)]
    assert found["seen"] == [format_facelets(position) for position in positions]
    assert found["stages"][0].startswith("1. cross")
    assert len(set(found["stages"])) == len([part for part in stages if part.moves])
    assert (found["home"], found["end"]) == ("0", str(len(all_moves)))
    assert found["turning"] == 9
    assert found["second"] == "1"
    assert found["beforeLast"] == str(len(all_moves) - 1)
