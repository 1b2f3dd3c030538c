"""Somebody who talks to a brick on the table in bytes, in virtual time."""

from pathlib import Path

from hardware_sims.clock import VirtualClock
from hardware_sims.nxt_brick.brick import SimulatedBrick
from hardware_sims.nxt_brick.faults import NO_LATENCY
from hardware_sims.nxt_brick.sensors.plugged_in import parse_sensor

PROGRAMS = Path(__file__).parents[3] / "data" / "nxt_programs" / "programs"


class Host:
    """Sends telegrams written in hex, and waits."""

    def __init__(self, **options: object) -> None:
        self.clock = VirtualClock()
        self.brick = SimulatedBrick(self.clock, latency=NO_LATENCY, **options)  # type: ignore[arg-type]
        self.machine = self.brick.machine

    def ask(self, telegram: str | bytes) -> bytes:
        data = telegram if isinstance(telegram, bytes) else bytes.fromhex(telegram)
        reply = self.brick.handle(data)
        assert reply is not None
        return reply

    def status(self, telegram: str | bytes) -> int:
        return self.ask(telegram)[2]

    def wait(self, seconds: float) -> None:
        self.clock.sleep(seconds)
        self.brick.advance()

    def plug_in(self, text: str) -> None:
        self.machine.plug_in(*parse_sensor(text))

    def install(self, program: str) -> str:
        """Put a program on the brick; return the telegram that starts it."""
        path = next(PROGRAMS.parent.glob(f"*/{program}.rxe"))
        name = path.name
        self.machine.files.store(name.encode(), path.read_bytes())
        return "00 00" + name.encode().ljust(20, b"\0").hex()
