"""The rigs by name. A new one is a folder next to the others and a line here."""

from importlib import import_module
from typing import TYPE_CHECKING, Final

from solvers.foundation.errors import InvalidInputError

if TYPE_CHECKING:
    from controller.rigs.rig import Rig

RIGS: Final[dict[str, str]] = {
    "nxt-cradle": "controller.rigs.nxt_cradle.rig",
    "mindcuber": "controller.rigs.mindcuber.rig",
}
"""The name of each rig and the module whose `RIG` it is, imported only when it is asked for."""

DEFAULT_RIG: Final = "nxt-cradle"


def get_rig(name: str) -> "Rig":
    """Return a rig. Raises InvalidInputError with the names there are."""
    if name not in RIGS:
        raise InvalidInputError(f"There is no rig {name!r}. The rigs are {', '.join(RIGS)}.")
    rig: Rig = import_module(RIGS[name]).RIG
    return rig


def get_drive(rig: "Rig", name: str | None) -> str:
    """Return `name` if it is one of the rig's drives, its usual one for None.

    Raises InvalidInputError with the names there are.
    """
    if name is None:
        return rig.drives[0]
    if name not in rig.drives:
        raise InvalidInputError(
            f"There is no drive {name!r} for this rig. Its drives are {', '.join(rig.drives)}."
        )
    return name
