"""A dashboard in a process of its own, which solves a cube until a signal ends it.

Takes the brick's address, the cube's stickers and the speed of its clock.
"""

import sys
import threading

from controller.dashboard.app import Dashboard
from controller.dashboard.robot.view import ConnectRequest, SolveRequest
from controller.dashboard.server import Server

LONGEST_S = 60


def main() -> None:
    """Serve, and connect and solve meanwhile."""
    address, facelets, speed = sys.argv[1:]
    dashboard = Dashboard()

    def solve() -> None:
        dashboard.robot.connect(ConnectRequest(address, speed=float(speed)))
        dashboard.robot.wait(LONGEST_S)
        dashboard.robot.solve(SolveRequest(facelets))

    threading.Thread(target=solve, daemon=True).start()
    Server(dashboard).run()


if __name__ == "__main__":
    main()
