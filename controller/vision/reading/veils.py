"""What a colour may look like: as it is, or with a lamp mirrored in it that lays white over it.

A glossy surface sends back light of its own colour and light of the lamp's (the dichromatic model,
Shafer 1985, Color Research and Application 10, 210): what a camera sees lies on a line from the
colour to white. That line is straight in linear light; in a picture whose bright parts the camera
has compressed it is nearly straight in the file's codes, so that both are tried. Close to white all
colours look alike, and a sticker there tells little: no outlier, but no evidence either.
"""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from controller.vision.reading.colour_space import weighted_lab
from solvers.foundation.arrays import Float64Array

# How probable it is beforehand that white lies over a sticker. 0.1 to 0.3 read as many cubes.
VEILED: Final = 0.2
# The same for a centre whose colour is not yet known: it may be what it is with white over it.
VEILED_CENTRE: Final = 0.05
# White laid over in linear light, and over the codes: the steps are nearly even to the eye.
_SHARES: Final[Float64Array] = np.linspace(0.2, 0.98, 12) ** 2
_CODE_SHARES: Final[Float64Array] = np.linspace(0.15, 0.97, 12)
_TAKEN_OFF: Final[Float64Array] = np.linspace(1 / 6, 1, 6)
# Under a glare nothing is seen exactly: by how much a spread grows until all is white.
_WIDER: Final = 0.5
_DARKEST_CODE: Final = 0.08
_GAMMA: Final = 2.2


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """What n colours may look like in p ways: `lab` (n, p, 3) is weighted Lab.

    `surprise` (p,) is -log of how probable each way is, `wider` (p,) multiplies the spread.
    """

    lab: Float64Array
    surprise: Float64Array
    wider: Float64Array

    @classmethod
    def of(cls, colours: Float64Array, white: Float64Array, *, are_known: bool) -> Self:
        """Return the looks of colours (n, 3) in linear light, where a lamp is `white` (3,).

        `are_known`: the colours are no single stickers, which may have white over them themselves.
        """
        codes = (np.maximum(colours, 0) / white)[:, None] ** (1 / _GAMMA)
        shares, code_shares = _SHARES[:, None], _CODE_SHARES[:, None]
        ways = [
            (colours[:, None], 1 - VEILED, np.zeros(1)),
            ((1 - shares) * colours[:, None] + shares * white, VEILED / 2, _SHARES),
            (
                white * ((1 - code_shares) * codes + code_shares) ** _GAMMA,
                VEILED / 2,
                _CODE_SHARES**_GAMMA,
            ),
        ]
        if not are_known:
            bare = white * _uncovered(codes) ** _GAMMA
            ways.append((bare, VEILED_CENTRE, np.zeros(len(_TAKEN_OFF))))
        return cls(
            weighted_lab(np.concatenate([light for light, _, _ in ways], axis=1)),
            np.concatenate([np.full(len(at), -np.log(p / len(at))) for _, p, at in ways]),
            1 + _WIDER * np.concatenate([at for _, _, at in ways]),
        )


def _uncovered(codes: Float64Array) -> Float64Array:
    """Return codes (n, 1, 3) of 0..1 with ever more white taken off, until one is dark."""
    most = np.clip((codes.min(axis=2) - _DARKEST_CODE) / (1 - _DARKEST_CODE), 0, 0.95)
    off = (most * _TAKEN_OFF)[..., None]
    return np.asarray((codes - off) / (1 - off))
