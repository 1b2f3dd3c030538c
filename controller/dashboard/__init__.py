"""The dashboard: what the robot does, shown and steered in a browser.

    server ── app ── guard, page_files ── pages/NAME.html, components/NAME, components/shared
               │
               └── robot ── desk        what its page's buttons do
                     │       └── show    what its page shows
                     └── jobs           one job per device, on a thread of its own
                         camera_hub     one reader of the camera, many viewers
                         hub            what is so now, told to every tab

Only `server`, `app` and `guard` know that there is HTTP. A further page is a folder beside `robot`
with a desk (`desk.py` says what that is), a page, and a folder of components; a line in `app.py`
and one in `page_files.py` name it.
"""
