"""What the journal keeps of a run with the program on the brick."""

import msgspec


class ProgramState(msgspec.Struct, forbid_unknown_fields=True):
    """What has to be known to go on: kept in the journal.

    `home` is what the counters of cradle, arm and pusher show at home, `session` the program's,
    `number` of the primitive that was finished last, with the cradle `cradle_quarters` from home;
    `ahead` says how many more the brick may have begun by itself.
    """

    home: tuple[int, int, int] = (0, 0, 0)
    cradle_quarters: int = 0
    session: int = 0
    number: int = 0
    ahead: int = 0
