"""The dashboard as a web application: pages, assets, requests, and one socket for each tab.

Styles and scripts have an address with a digest of all of them, so that a browser caches them
without asking again: what changes has another address. A page names all scripts that it will need,
so that they are loaded at once.
"""

import asyncio
import hashlib
import re
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from controller.dashboard.board.controller import BoardController
from controller.dashboard.camera_hub import CameraHub
from controller.dashboard.controller import Controller
from controller.dashboard.cube.controller import CubeController
from controller.dashboard.hub import Hub
from controller.dashboard.jobs import DeviceBusyError
from controller.dashboard.puzzles.controller import PuzzlesController
from controller.dashboard.robot.controller import RobotController
from solvers.foundation.clock import SystemClock
from solvers.foundation.errors import InvalidInputError, PuzzlerigError

FOLDER: Final = Path(__file__).parent
PAGES: Final = {"cube": "Cube", "robot": "Robot", "board": "Board", "puzzles": "Puzzles"}
TYPES: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
DIGEST_BYTES: Final = 8
_IMPORT: Final = re.compile(rb"^import .*'/assets/([\w.]+)';", re.MULTILINE)


@cache
def page(name: str) -> str:
    """Return the HTML of a page."""
    frame = _text(FOLDER / "pages" / "frame.html")
    for key, text in {
        "TITLE": PAGES[name],
        "ICONS": _text(FOLDER / "pages" / "icons.svg"),
        "PAGE": _text(FOLDER / "pages" / f"{name}.html"),
        "PRELOADS": "\n".join(
            f'<link rel="modulepreload" href="{{{{ASSETS}}}}/{each}">'
            for each in imported_by(f"{name}.js")
        ),
        "ASSETS": f"/assets/{digest()}",
        "NAME": name,
    }.items():
        frame = frame.replace(f"{{{{{key}}}}}", text)
    return frame.replace(f'href="/{name}"><svg', f'href="/{name}" aria-current="page"><svg')


def asset(name: str) -> tuple[bytes, str] | None:
    """Return a style or script and its media type. What scripts import has the digest's address."""
    found = _assets().get(name)
    if found is None:
        return None
    content, media_type = found
    return content.replace(b"'/assets/", f"'/assets/{digest()}/".encode()), media_type


@cache
def digest() -> str:
    """Return what names these styles and scripts, and no others."""
    found = hashlib.blake2b(digest_size=DIGEST_BYTES)
    for name, (content, _) in sorted(_assets().items()):
        found.update(f"{name} {len(content)} ".encode() + content)
    return found.hexdigest()


def imported_by(script: str) -> list[str]:
    """Return the scripts that a script imports, with those that they import in turn."""
    found = [script]
    for each in found:  # grows as it is gone through
        names = [name.decode() for name in _IMPORT.findall(_assets()[each][0])]
        found += [name for name in names if name not in found]
    return found[1:]


@cache
def _assets() -> dict[str, tuple[bytes, str]]:
    """Return styles and scripts by name, each with its media type.

    Those of a page are in a folder of its name; what several pages show is in `shared`.
    """
    paths = (FOLDER / "components").rglob("*")
    return {
        path.name: (path.read_bytes(), TYPES[path.suffix]) for path in paths if path.suffix in TYPES
    }


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


PUBLISH_INTERVAL_S: Final = 1 / 15
"""The least time between two messages to a tab; values replaced meanwhile are not sent."""
BEAT_S: Final = 0.5
"""The longest time between two, so that a tab notices a dashboard that is frozen."""
CACHE_FOR_EVER: Final = "private, max-age=31536000, immutable"
"""For what never changes under its address."""
CAMERA: Final = "camera"
"""The topic that says why the camera gives no picture, "" where it gives one or none is there."""
LAST_PAGE: Final = "puzzlerig_page"
"""The cookie with the name of the page that was used last."""


class Dashboard:
    """The controllers of all pages, and what they share."""

    def __init__(self, simulator_options: Sequence[str] = ()) -> None:
        """`simulator_options` are for every simulated robot that is started."""
        self.hub = Hub()
        self.hub.publish(CAMERA, "")
        self.cameras = CameraHub(SystemClock(), lambda why: self.hub.publish(CAMERA, why))
        self.robot = RobotController(self.hub, self.cameras, simulator_options)
        self.cube = CubeController(self.hub)
        self.robot.on_reading = self.cube.readings.take
        self.board = BoardController(self.hub)
        self.puzzles = PuzzlesController(self.hub)
        self.controllers: Final[dict[str, Controller]] = {
            "robot": self.robot,
            "cube": self.cube,
            "board": self.board,
            "puzzles": self.puzzles,
        }

    def stop(self) -> None:
        """Stop whatever moves or computes."""
        for controller in self.controllers.values():
            controller.stop()

    def close(self) -> None:
        """End everything, motors off first."""
        with ExitStack() as ending:  # one that fails keeps no other from its end
            ending.callback(self.cameras.close)
            for controller in reversed(self.controllers.values()):
                ending.callback(controller.close)


def application(dashboard: Dashboard) -> Starlette:
    """Return the application without access control, which is the guard's."""

    async def start(request: Request) -> Response:
        last = request.cookies.get(LAST_PAGE, "")
        name = last if last in PAGES and not dashboard.robot.is_active else "robot"
        return RedirectResponse(f"/{name}", 303)

    async def show(request: Request) -> Response:
        name = request.url.path.strip("/")
        response = HTMLResponse(page(name))
        response.set_cookie(LAST_PAGE, name, httponly=True, samesite="strict")
        return response

    async def show_asset(request: Request) -> Response:
        found = asset(request.path_params["name"])
        if found is None or request.path_params["digest"] != digest():
            return Response(status_code=404)
        return Response(found[0], media_type=found[1], headers={"Cache-Control": CACHE_FOR_EVER})

    async def stop(_: Request) -> Response:
        dashboard.stop()
        return JSONResponse({})

    async def command(request: Request) -> Response:
        body, name = await request.body(), request.path_params["command"]
        controller = dashboard.controllers.get(request.path_params["page"])
        if controller is None:
            return Response(status_code=404)
        return await _answer(lambda: controller.handle(name, body))

    async def file(request: Request) -> Response:
        controller = dashboard.controllers.get(request.path_params["page"])
        name = request.path_params["name"]
        try:
            served = None if controller is None else await run_in_threadpool(controller.file, name)
        except PuzzlerigError as error:
            return JSONResponse({"error": str(error)}, 503)
        if served is None:
            return Response(status_code=404)
        return Response(served.content, media_type=served.media_type)

    async def events(socket: WebSocket) -> None:
        await _publish(socket, dashboard.hub)

    return Starlette(
        routes=[
            Route("/", start),
            *(Route(f"/{name}", show) for name in PAGES),
            Route("/assets/{digest}/{name}", show_asset),
            Route("/api/stop", stop, methods=["POST"]),
            Route("/api/{page}/{command}", command, methods=["POST"]),
            Route("/files/{page}/{name}", file),
            WebSocketRoute("/events", events),
        ]
    )


async def _answer(work: Callable[[], object]) -> Response:
    """Carry out a request and return its response; an error is its sentence."""
    try:
        answer = await run_in_threadpool(work)
    except DeviceBusyError as error:
        return JSONResponse({"error": str(error)}, 409)
    except InvalidInputError as error:
        return JSONResponse({"error": str(error)}, 400)
    except PuzzlerigError as error:
        return JSONResponse({"error": str(error)}, 500)
    content = msgspec.json.encode({} if answer is None else answer)
    return Response(content, media_type="application/json")


async def _publish(socket: WebSocket, hub: Hub) -> None:
    """Send a tab the latest values and then what changes, until it is closed.

    An empty message says that nothing has changed.
    """
    await socket.accept()
    loop, changed = asyncio.get_running_loop(), asyncio.Event()
    subscriber = hub.subscribe(lambda: loop.call_soon_threadsafe(changed.set))
    gone = asyncio.create_task(_gone(socket))
    try:
        while not gone.done():
            waiting = asyncio.create_task(changed.wait())
            await asyncio.wait({gone, waiting}, timeout=BEAT_S, **_FIRST)
            waiting.cancel()
            if gone.done():
                break
            changed.clear()
            await socket.send_text(msgspec.json.encode(subscriber.take()).decode())
            await asyncio.sleep(PUBLISH_INTERVAL_S)
    except WebSocketDisconnect:
        pass
    finally:
        subscriber.close()
        gone.cancel()


_FIRST: Final[Any] = {"return_when": asyncio.FIRST_COMPLETED}


async def _gone(socket: WebSocket) -> None:
    """Return when the tab is closed; it sends nothing."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass
