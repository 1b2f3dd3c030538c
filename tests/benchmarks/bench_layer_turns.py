"""Held layer turns, as rigid bodies

A cube of two bodies in the turning cradle, between a pad that presses and the pusher, in MuJoCo
(`tests/physics/layer_turns.py`). A hold works if the upper layers are never more than 2 degrees off
their place and the bottom layer ends within 2 degrees of its quarter.
"""

from itertools import chain, product
from typing import Final

from tests.physics import FRICTIONS, family
from tests.physics.layer_turns import Clamp, Turned, turn, turns
from tests.physics.oracle import MOTOR_TORQUE_NM, PRESS_NM, hold

FORCES_N: Final = (1.5, 2.5, 4.0, 6.0, 10.0, 15.0)
LAYERS_NM: Final = (0.05, 0.1, 0.2, 0.3, 0.4)
WIDTHS_MM: Final = (30.0, 57.0)
WAYS: Final = {
    "a quarter": (1,),
    "a quarter back": (-1,),
    "a quarter, then back": (1, -1),
    "a quarter back, then forward": (-1, 1),
    "a half": (2,),
    "two quarters, then one back": (1, 1, -1),
}


def run() -> str:
    """Return the section of RESULTS.md."""
    by_force = {
        force: {
            (way, layers, width): [
                turn(Clamp(force, width, friction=friction, layers_nm=layers), *turns(quarters))
                for friction in FRICTIONS
            ]
            for (way, quarters), layers, width in product(WAYS.items(), LAYERS_NM, WIDTHS_MM)
        }
        for force in FORCES_N
    }
    heads = " | ".join(f"{layers} Nm, {width:g} mm" for layers, width in _columns())
    lines = [f"| press | {heads} |", "|---|" + "---:|" * len(_columns())]
    for force, results in by_force.items():
        cells = " | ".join(
            f"{max(each.upper_most for way in WAYS for each in results[way, *column]):.1f}"
            for column in _columns()
        )
        lines.append(f"| {force:g} N | {cells} |")
    share = [f"| press | {' | '.join(WAYS)} |", "|---|" + "---:|" * len(WAYS)]
    for force, results in by_force.items():
        cells = " | ".join(
            _share([each for column in _columns() for each in results[way, *column]])
            for way in WAYS
        )
        share.append(f"| {force:g} N | {cells} |")
    all_turned = chain.from_iterable(chain.from_iterable(map(dict.values, by_force.values())))
    lag = max(each.cradle_lag for each in all_turned)
    return "\n".join(
        [
            "The most that the upper layers were off, in degrees, by the layers' friction and the "
            f"width of pad and pusher; worst of {len(WAYS)} ways to turn and frictions "
            f"{', '.join(map(str, FRICTIONS))}:",
            "",
            *lines,
            "",
            "Share of these cases that work, by the way they are turned:",
            "",
            *share,
            "",
            f"The cradle's motor was never more than {lag:.1f} degrees behind: nothing jams, "
            "either way. The model has no enclosure and no part that bends.",
            "",
            *_presses(),
        ]
    )


def _columns() -> list[tuple[float, float]]:
    return list(product(LAYERS_NM, WIDTHS_MM))


def _share(turned: list[Turned]) -> str:
    return f"{sum(each.works for each in turned) / len(turned):.0%}"


def _presses() -> list[str]:
    """Return with what force the arms of the family press that can clamp."""
    rigs = [rig for rig in family() if rig.clamps]
    if not rigs:
        return []
    lines = ["How hard the arms of the family press that can clamp a cube:", ""]
    lines += ["| torque of the arm's motor | least | mean | most |", "|---|---:|---:|---:|"]
    for name, torque in (("40 % at 8 V", PRESS_NM), ("as much as it gives", MOTOR_TORQUE_NM)):
        forces = [hold(rig, 0.3, torque).force_n for rig in rigs]
        least, most = min(forces), max(forces)
        mean = sum(forces) / len(forces)
        lines.append(f"| {torque} Nm, {name} | {least:.1f} N | {mean:.1f} N | {most:.1f} N |")
    return lines
