"""Printable sheets: A4 pages with eight cards, and pages with their solutions layer by layer."""

from collections.abc import Sequence

from solvers.drawing import shapes as draw
from solvers.polycube.lattice import Cell
from solvers.polycube.pictures.solids import Block, paint
from solvers.polycube.puzzle import PackingSolution
from solvers.polycube.puzzle import Shape as PieceShape
from solvers.polycube.ubongo.card import FIELD, Card, shapes
from solvers.polycube.ubongo.generator import NewCard

PAGE_MM = (210.0, 297.0)
CARD_MM = (92.0, 65.0)
MARGIN_MM = (10.0, 12.0)
GAP_MM = (6.0, 4.0)
COLUMNS, ROWS = 2, 4
CARDS_PER_PAGE = COLUMNS * ROWS

INK, GREY, CARD_PAPER, FIELD_PAPER = "#2b2b2b", "#8a857a", "#fbf6e9", "#ffffff"
BOARD_MM = (40.0, 42.0)  # room for the base area on a card
PIECES_MM = (40.0, 42.0)
LARGEST_FIELD_MM = 10.0


def pages(cards: Sequence[NewCard], *, with_solutions: bool) -> list[draw.Drawing]:
    """Return the pages with the cards, and then those with the solutions."""
    drawn = [[_card(new, number) for number, new in enumerate(cards, start=1)]]
    if with_solutions:
        drawn.append([_solution(new, number) for number, new in enumerate(cards, start=1)])
    return [
        _page(same_kind[start : start + CARDS_PER_PAGE])
        for same_kind in drawn
        for start in range(0, len(same_kind), CARDS_PER_PAGE)
    ]


def stacked(sheets: Sequence[draw.Drawing]) -> draw.Drawing:
    """Return one tall drawing with the pages below one another, for formats without pages."""
    shapes_of_all = [
        shape
        for number, page in enumerate(sheets)
        for shape in draw.shift(page.shapes, 0, number * PAGE_MM[1])
    ]
    return draw.Drawing(PAGE_MM[0], len(sheets) * PAGE_MM[1], tuple(shapes_of_all))


def _page(cards: Sequence[list[draw.Shape]]) -> draw.Drawing:
    placed: list[draw.Shape] = []
    for index, card in enumerate(cards):
        row, column = divmod(index, COLUMNS)
        right = MARGIN_MM[0] + column * (CARD_MM[0] + GAP_MM[0])
        placed += draw.shift(card, right, MARGIN_MM[1] + row * (CARD_MM[1] + GAP_MM[1]))
    return draw.Drawing(*PAGE_MM, tuple(placed))


def _card(new: NewCard, number: int) -> list[draw.Shape]:
    card = new.card
    grade = f"{new.difficulty.grade.value} ({new.difficulty.expected_tries:.0f} tries)"
    head = _head(f"Card {number}", f"{card.height} layers high, {grade}")
    board = _fit(_board(card), (5.0, 16.0), BOARD_MM, LARGEST_FIELD_MM)
    return [*head, *board, *_pieces(card)]


def _solution(new: NewCard, number: int) -> list[draw.Shape]:
    colours = {str(piece): _colour(piece) for piece in new.card.pieces}
    head = _head(f"Solution of card {number}", "lowest layer first")
    room = (CARD_MM[0] - 10.0, 42.0)
    layers = _layers(new.solution, colours, new.card.height)
    return [*head, *_fit(layers, (5.0, 16.0), room, LARGEST_FIELD_MM * 0.8)]


def _head(title: str, remark: str) -> list[draw.Shape]:
    width, height = CARD_MM
    corners = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    return [
        draw.Polygon(corners, CARD_PAPER, GREY, 0.3),
        draw.Text((5.0, 8.0), title, 4.6, INK, bold=True),
        draw.Text((width - 5.0, 8.0), remark, 3.0, GREY, "end"),
    ]


def _board(card: Card) -> list[draw.Shape]:
    """Return the base area in units of fields."""
    return [
        _square(x, y, FIELD_PAPER, GREY)
        for y, row in enumerate(card.rows)
        for x, mark in enumerate(row)
        if mark == FIELD
    ]


def _layers(solution: PackingSolution, colours: dict[str, str], height: int) -> list[draw.Shape]:
    """Return the layers side by side, every cube with its piece's number, in units of fields."""
    owner = {cell: placement.piece for placement in solution.placements for cell in placement.cells}
    width = max(x for x, _, _ in owner) + 1
    drawn: list[draw.Shape] = []
    for layer in range(height):
        for (x, y, z), piece in sorted(owner.items()):
            if z == layer:
                at = x + layer * (width + 1.0)
                drawn.append(_square(at, y, draw.mix(colours[piece], "#ffffff", 0.35), INK))
                drawn.append(draw.Text((at + 0.5, y + 0.66), piece, 0.45, INK, "middle"))
    return drawn


def _pieces(card: Card) -> list[draw.Shape]:
    """Return the pieces as small pictures with their numbers, in a grid on the right."""
    columns = 2 if len(card.pieces) <= 4 else 4
    rows = -(-len(card.pieces) // columns)
    cell = (PIECES_MM[0] / columns, PIECES_MM[1] / rows)
    left, top = CARD_MM[0] - PIECES_MM[0] - 4.0, 14.0
    drawn: list[draw.Shape] = []
    for index, number in enumerate(card.pieces):
        row, column = divmod(index, columns)
        at = (left + column * cell[0] + 1.5, top + row * cell[1] + 1.0)
        room = (cell[0] - 3.0, cell[1] - 7.0)
        picture = paint([Block(_best_orientation(shapes()[number]), _colour(number))])
        drawn += _fit(picture, at, room, 0.5)
        caption = (at[0] + room[0] / 2, at[1] + room[1] + 4.2)
        drawn.append(draw.Text(caption, str(number), 3.4, INK, "middle", bold=True))
    return drawn


def _best_orientation(shape: PieceShape) -> frozenset[Cell]:
    """Return the flattest orientation, and among these the one that hides the fewest cubes."""

    def effort(turned: PieceShape) -> tuple[int, int]:
        cells = turned.cells
        hidden = sum((x + 1, y + 1, z + 1) in cells for x, y, z in cells)
        return hidden, sum(z for _, _, z in cells) * 4 - sum(x + y for x, y, _ in cells)

    return min(shape.rotations(), key=effort).cells


def _colour(piece: int) -> str:
    return draw.distinct_colour(piece - 1)


def _square(x: float, y: float, fill: str, stroke: str) -> draw.Polygon:
    return draw.Polygon(((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)), fill, stroke, 0.3)


def _fit(
    drawn: Sequence[draw.Shape], at: tuple[float, float], room: tuple[float, float], largest: float
) -> list[draw.Shape]:
    """Return shapes centred in the room and scaled to it, by at most `largest`."""
    left, top, right, bottom = draw.bounds(drawn)
    scale = min(room[0] / (right - left), room[1] / (bottom - top), largest)
    across = at[0] + (room[0] - (right - left) * scale) / 2 - left * scale
    down = at[1] + (room[1] - (bottom - top) * scale) / 2 - top * scale
    return draw.shift(draw.resize(drawn, scale), across, down)
