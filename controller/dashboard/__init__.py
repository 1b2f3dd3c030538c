"""The dashboard: the robot, the cube, the board and the puzzles in a browser.

    server ── app ── guard          pages/NAME.html, components/NAME, components/shared
               │
               └── robot, cube, board, puzzles ── controller    carries out the page's requests
                     │                             view          requests and views, as plain values
                     └── worker         long computations in worker processes
                         jobs           one job per device, each on a thread
                         camera_hub     one reader of the camera, many viewers
                         hub            publishes the latest values to every tab

Only `server`, `app` and `guard` know that there is HTTP. A further page is a folder like `robot`
with a controller (`controller.py` says what that is), a page, and a folder of components; two lines
in `app.py` name it.
"""
