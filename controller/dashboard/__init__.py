"""The dashboard: what the robot, the board and the searches do, shown and steered in a browser.

    server  ── app ── guard, page_files ── pages/*.html, components/*.js, style.css
                │
                └── desks (robot_desk, ...)   what a page's buttons do
                        ├── jobs          one job per device, on a thread of its own
                        ├── camera_hub    one reader of the camera, many viewers
                        └── hub           what is so now, told to every tab

Only `app`, `guard`, and `server` know that there is HTTP.
"""
