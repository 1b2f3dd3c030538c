"""A receiver of infrared light, as IS1U60: it tells whether 40 kHz arrives, not how strong.

Its output is low while the carrier arrives. It takes a carrier that stays for daylight: after some
30 ms the output goes high again, until the carrier has been away (board's handbook, 2.2.3).
"""

from dataclasses import dataclass
from typing import Final

SEEN_US: Final = 30_000
CONTINUOUS_HZ: Final = 0


@dataclass
class InfraredLight:
    """Light that shines on a receiver since `since_us`, flashing at `rate_hz`, or continuous."""

    rate_hz: float
    since_us: int

    def is_seen(self, now_us: int) -> bool:
        """Return whether the receiver's output is low now."""
        age_us = now_us - self.since_us
        if self.rate_hz != CONTINUOUS_HZ:
            period_us = 1e6 / self.rate_hz
            age_us = int(age_us % period_us)
            if age_us >= period_us / 2:
                return False
        return 0 <= age_us < SEEN_US
