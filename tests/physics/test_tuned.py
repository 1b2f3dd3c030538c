"""What an onlooker sees of a rig in MuJoCo: the tuner's judge."""

import pytest

from controller.rigs.rig import Earned
from solvers.rubik.facelets import parse_facelets
from tests.physics import rig_named
from tests.physics.tuned import TunedRig, quarters_of
from tests.virtual_robot import play

TOE = rig_named("toe-3")


@pytest.mark.parametrize(("turns", "works"), [(198.0, True), (110.0, False)])
def test_an_onlooker_sees_whether_the_tilts_of_a_trial_worked(turns: float, *, works: bool) -> None:
    """A pusher that turns before it has reached the cube rolls none."""
    tuned = TunedRig(TOE, frictions=(0.3,))
    margins = tuned.margins
    with tuned.connected(margins.setup({"pusher_turns": Earned(turns, turns)})) as mechanism:
        mechanism.set_home()
        before = tuned.rig.cube
        play(mechanism, margins.trial)
        tuned.camera.check()
        mechanism.release()
    expected = before.tilted().tilted().spun(1).tilted().spun(-1).tilted()
    assert (not tuned.rig.is_askew and tuned.rig.cube == expected) is works
    assert parse_facelets(before.facelets) != parse_facelets(expected.facelets)
    assert quarters_of(-314.2) == -1
