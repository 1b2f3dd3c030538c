"""Drawings of a solution: a picture for each step, or a plan of its layers."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from math import hypot
from typing import Final

from solvers.drawing import shapes as draw
from solvers.polycube.lattice import Cell, Lattice, in_space, transform
from solvers.polycube.lattices import CUBES
from solvers.polycube.pictures.signs import Sign
from solvers.polycube.pictures.solids import EDGE_ON, Block, paint, shades
from solvers.polycube.pictures.story import IN_PLACE, Frame, Story
from solvers.polycube.puzzle import PackingSolution, Placement
from solvers.polycube.text_drawing import symbols

COLUMNS: Final = 4
# Each has about 100 KB; browsers take seconds for a drawing of several megabytes.
MOST_PICTURES: Final = 24
MARGIN_MM: Final = 3.0
ARROW_MM: Final = 13.0
CAPTION_MM: Final = 4.2
SMALL_CAPTION_MM: Final = 3.0
# Average width of a letter in heights of the type, with some margin.
LETTER: Final = 0.53
INK: Final = "#222222"
ALREADY_PLACED_PALER: Final = 0.62


def steps_drawing(
    story: Story, signs: Collection[Sign] = (), lattice: Lattice = CUBES
) -> draw.Drawing:
    """Return the pictures of all steps in one drawing."""
    return _in_rows(step_pictures(story, signs, lattice))


def steps_drawings(pictures: Sequence[draw.Drawing]) -> list[draw.Drawing]:
    """Return the pictures of steps in drawings of at most MOST_PICTURES."""
    return [
        _in_rows(pictures[first : first + MOST_PICTURES])
        for first in range(0, len(pictures), MOST_PICTURES)
    ]


def _in_rows(pictures: Sequence[draw.Drawing]) -> draw.Drawing:
    rows = draw.arrange(pictures, COLUMNS, gap_mm=6.0)
    # Not `with_margin`, which ignores the width of text.
    shapes = draw.shift(rows.shapes, MARGIN_MM, MARGIN_MM)
    return draw.Drawing(
        rows.width_mm + 2 * MARGIN_MM, rows.height_mm + 2 * MARGIN_MM, tuple(shapes)
    )


def step_pictures(
    story: Story, signs: Collection[Sign] = (), lattice: Lattice = CUBES
) -> list[draw.Drawing]:
    """Return one picture per step: what moves in full colour, with an arrow.

    A story that puts pieces together ends with the finished solution, one that takes them apart
    starts with it.
    """
    blocks = _blocks(story.pieces)
    ground = _ground(story.pieces, lattice)
    whole = (paint(blocks, signs, lattice), story.ending)
    pictures = [] if story.puts_together else [whole]
    before = Frame(story.start, frozenset(), IN_PLACE, "")
    for number, frame in enumerate(story.frames, start=1):
        picture = _picture(blocks, before, frame, signs, lattice)
        pictures.append((picture, f"{number}. {frame.words}"))
        before = frame
    if story.puts_together:
        pictures.append(whole)
    # One common outline keeps every picture at the same place within its frame.
    frame_box = _outline(
        draw.bounds([*ground, *(shape for shapes, _ in pictures for shape in shapes)])
    )
    return [
        add_caption(draw.with_margin([frame_box, *ground, *shapes], MARGIN_MM), caption)
        for shapes, caption in pictures
    ]


def _picture(
    blocks: Sequence[Block],
    before: Frame,
    frame: Frame,
    signs: Collection[Sign],
    lattice: Lattice,
) -> list[draw.Shape]:
    """Return the pieces after a step, with those that leave in it still in place, and an arrow.

    If none moves, the step only shows which are there.
    """
    shown: list[Block] = []
    moving: set[Cell] = set()
    there: list[Sign] = []
    for number, block in enumerate(blocks):
        leaves = number in frame.moved and frame.places[number] is None
        shows = before if leaves else frame
        if shows.places[number] is None:
            continue
        cells = frozenset(filter(None, (shows.place(number, cell) for cell in block.cells)))
        there += [sign_after(sign, shows, number) for sign in signs if sign.cell in block.cells]
        moving |= cells if number in frame.moved else set()
        rests = frame.moved and number not in frame.moved
        shown.append(_paler(Block(cells, block.colour)) if rests else Block(cells, block.colour))
    if not moving or frame.way == IN_PLACE:
        return paint(shown, there, lattice)
    leaving = any(frame.places[number] is None for number in frame.moved)
    return [*paint(shown, there, lattice), *_arrow(moving, frame.way, lattice, outwards=leaving)]


def _blocks(placements: Sequence[Placement]) -> list[Block]:
    colours = shades([placement.piece for placement in placements])
    return [
        Block(placement.cells, colour)
        for placement, colour in zip(placements, colours, strict=True)
    ]


def _paler(block: Block) -> Block:
    return Block(block.cells, draw.mix(block.colour, "#ffffff", ALREADY_PLACED_PALER))


def _outline(box: tuple[float, float, float, float]) -> draw.Polygon:
    left, top, right, bottom = box
    return draw.Polygon(((left, top), (right, top), (right, bottom), (left, bottom)))


def _ground(placements: Sequence[Placement], lattice: Lattice) -> list[draw.Shape]:
    """Return the outlines of all prisms that the finished solution covers on the ground."""
    if not lattice.layered:
        return []
    cells = [cell for placement in placements for cell in placement.cells]
    below = [
        face.corners for cell in cells for face in lattice.faces(cell) if face.beyond[2] < cell[2]
    ]
    ground = min(z for corners in below for _, _, z in corners)
    bases = {tuple((x, y, ground) for x, y, _ in corners) for corners in below}
    return [
        draw.Polygon(
            tuple(draw.project(corner, lattice.enlarged) for corner in base),
            fill="#f4f2ec",
            stroke="#cfcabd",
            stroke_width_mm=0.2,
        )
        for base in sorted(bases)
    ]


def _arrow(
    cells: Collection[Cell], direction: Cell, lattice: Lattice, *, outwards: bool
) -> list[draw.Shape]:
    """Return an arrow along `direction` to the centre of some cells, or away from it.

    Movements straight towards or away from the viewer have none.
    """
    way = draw.project(in_space(lattice.frame, direction))
    tip = draw.project(lattice.centre(sorted(cells)), lattice.enlarged)
    length = hypot(*way)
    if length < EDGE_ON:
        return []
    along = (way[0] / length, way[1] / length)
    if outwards:
        tip = (tip[0] + along[0] * ARROW_MM, tip[1] + along[1] * ARROW_MM)
    start = (tip[0] - along[0] * ARROW_MM, tip[1] - along[1] * ARROW_MM)
    neck = (tip[0] - along[0] * 4.0, tip[1] - along[1] * 4.0)
    side = (-along[1] * 1.9, along[0] * 1.9)
    head = (tip, (neck[0] + side[0], neck[1] + side[1]), (neck[0] - side[0], neck[1] - side[1]))
    return [
        draw.Line(start, neck, "#ffffff", 2.2),
        draw.Polygon(head, INK, "#ffffff", 0.6),
        draw.Line(start, neck, INK, 1.1),
    ]


def add_caption(picture: draw.Drawing, caption: str) -> draw.Drawing:
    """Return a picture with a caption, in smaller type or with more room if it is long."""
    room = picture.width_mm / (LETTER * len(caption))
    size = min(CAPTION_MM, max(SMALL_CAPTION_MM, room))
    width = max(picture.width_mm, size * LETTER * len(caption))
    aside = (width - picture.width_mm) / 2
    text = draw.Text((width / 2, picture.height_mm + 5.0), caption, size, INK, "middle")
    return draw.Drawing(
        width, picture.height_mm + 8.0, (*draw.shift(picture.shapes, aside, 0.0), text)
    )


def sign_after(sign: Sign, frame: Frame, piece: int) -> Sign:
    """Return a sign where the piece it is on is after a step."""
    way = transform(frame.turned[piece], sign.way) if frame.turned else sign.way
    return sign._replace(cell=frame.place(piece, sign.cell) or sign.cell, way=way)


# Plans: the layers next to each other as seen from above.

SIDE_MM: Final = 10.0
LAYERS_IN_A_ROW: Final = 4

# The corners of a cell as seen from above, in side lengths, rows downwards.
Outline = tuple[draw.Point, ...]

# The ends of an edge, in thousandths of a side length.
Edge = frozenset[tuple[int, int]]


def plan_drawing(solution: PackingSolution, lattice: Lattice) -> draw.Drawing:
    """Return the layers, lowest first, each cell with its piece's colour and letter."""
    layers: dict[int, list[tuple[int, Outline]]] = defaultdict(list)
    for number, placement in enumerate(solution.placements):
        for cell in placement.cells:
            layers[lattice.place_of(cell)[2]].append((number, _cell_outline(lattice, cell)))
    letters = symbols(solution)
    fills = shades([placement.piece for placement in solution.placements])
    corners = [at for cells in layers.values() for _, outline in cells for at in outline]
    pictures = []
    for at in sorted(layers):
        shapes = _layer(layers[at], fills, letters)
        # One common outline keeps every layer at the same place within its picture.
        drawing = draw.with_margin([_frame(corners), *shapes], 3.0)
        if len(layers) > 1:
            drawing = add_caption(drawing, f"layer {at - min(layers) + 1}")
        pictures.append(drawing)
    return draw.with_margin(draw.arrange(pictures, LAYERS_IN_A_ROW, gap_mm=6.0).shapes, 6.0)


def _layer(
    cells: list[tuple[int, Outline]], fills: list[str], letters: tuple[str, ...]
) -> list[draw.Shape]:
    """Return a layer's cells; edges within one piece are thin, all others thick."""
    sides: dict[Edge, list[int]] = defaultdict(list)
    shapes: list[draw.Shape] = []
    texts: list[draw.Shape] = []
    for number, outline in cells:
        points = tuple(map(_on_page, outline))
        shapes.append(draw.Polygon(points, fills[number], fills[number], 0.1))
        middle = sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
        texts.append(draw.Text((middle[0], middle[1] + 1.1), letters[number], 3.2, INK, "middle"))
        for start, end in _sides(outline):
            sides[frozenset((_round(start), _round(end)))].append(number)
    for number, outline in cells:
        for start, end in _sides(outline):
            pieces_at = sides[frozenset((_round(start), _round(end)))]
            inner = pieces_at == [number, number]
            ink = draw.mix(fills[number], "#000000", 0.16 if inner else 0.62)
            shapes.append(draw.Line(_on_page(start), _on_page(end), ink, 0.15 if inner else 0.5))
    return shapes + texts


def _cell_outline(lattice: Lattice, cell: Cell) -> Outline:
    """Return the base of a prism as seen from above, rows downwards."""
    base = next(face for face in lattice.faces(cell) if _level(face.corners))
    return tuple((x, -y) for x, y, _ in base.corners)


def _level(corners: tuple[tuple[float, float, float], ...]) -> bool:
    return len({z for _, _, z in corners}) == 1


def _sides(outline: Outline) -> list[tuple[draw.Point, draw.Point]]:
    return list(zip(outline, (*outline[1:], outline[0]), strict=True))


def _round(corner: draw.Point) -> tuple[int, int]:
    return round(1000 * corner[0]), round(1000 * corner[1])


def _on_page(corner: draw.Point) -> draw.Point:
    return corner[0] * SIDE_MM, corner[1] * SIDE_MM


def _frame(corners: list[draw.Point]) -> draw.Polygon:
    xs, ys = zip(*map(_on_page, corners), strict=True)
    left, right, top, bottom = min(xs), max(xs), min(ys), max(ys)
    return draw.Polygon(((left, top), (right, top), (right, bottom), (left, bottom)))
