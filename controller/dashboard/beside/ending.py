"""What `DeviceJobs` steers a search by that runs in a process of its own."""

import threading

from controller.dashboard.beside.child import Child


class Ending:
    """Stop ends the process; there is no pause, since what was stopped can be begun again."""

    def __init__(self, child: Child) -> None:
        self._child = child
        self.was_used = False

    def pause(self) -> None: ...

    def go_on(self) -> None: ...

    def stop(self) -> None:
        """End the process; whoever asks for that need not wait until it is gone."""
        self.was_used = True
        threading.Thread(target=self._child.end).start()
