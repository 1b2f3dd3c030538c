"""Colours that stay apart from one another, and shades of a colour."""

import colorsys

# Well apart in hue and lightness; the first twelve serve the twelve-piece puzzles.
DISTINCT = (
    "#e4572e", "#2e86ab", "#f3a712", "#5b8e3e", "#8e4585", "#17a398",
    "#c9486c", "#3d5a98", "#b9c840", "#a0623a", "#7fb7d6", "#d98cb3",
    "#6b6f78", "#efc9a0", "#38705c", "#a3a3e0",
)  # fmt: skip

GOLDEN_RATIO = 0.6180339887498949


def distinct(index: int) -> str:
    """Return the colour of the thing number `index` (from 0), as `#rrggbb`."""
    if index < len(DISTINCT):
        return DISTINCT[index]
    # Steps of the golden ratio keep any number of further hues apart.
    red, green, blue = colorsys.hls_to_rgb(index * GOLDEN_RATIO % 1.0, 0.55, 0.55)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"


def mixed(colour: str, other: str, share: float) -> str:
    """Return the colour with `share` (0 to 1) of the other one mixed in."""

    def channel(at: int) -> str:
        first, second = int(colour[at : at + 2], 16), int(other[at : at + 2], 16)
        return f"{round(first + (second - first) * share):02x}"

    return "#" + channel(1) + channel(3) + channel(5)
