"""Tells the page of earlier runs and solves, and keeps new ones."""

from typing import Final

from controller.dashboard.hub import Hub
from controller.dashboard.robot.kept.history import History, Solve, history_path
from controller.dashboard.robot.kept.prices import calibrated
from controller.dashboard.robot.kept.runs import earlier_runs
from controller.errors import RobotError

RUNS: Final = "runs"
HISTORY: Final = "history"
PRICES: Final = "prices"


class Shelf:
    """What is kept on disk, as the page shows it."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._history = History(history_path())
        self.trouble = self._history.trouble
        """Why the history could not be read, if so."""
        self._hub.tell(HISTORY, self._history.solves)
        self.look(None)

    def look(self, address: str | None) -> None:
        """Tell which runs there are, for the robot at an address or for none, and the prices."""
        self._hub.tell(RUNS, earlier_runs(address))
        self._hub.tell(PRICES, calibrated())

    def add(self, solve: Solve) -> str:
        """Keep a solve; return the sentence that says why it is not kept on disk, if so."""
        try:
            self._history.add(solve)
        except (RobotError, OSError) as error:
            return f"{error} It is shown until the dashboard ends."
        finally:
            self._hub.tell(HISTORY, self._history.solves)
        return ""
