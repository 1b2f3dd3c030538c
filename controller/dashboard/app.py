"""The dashboard as a web application: pages, pictures, commands, and one socket for each tab."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import ExitStack
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
from controller.dashboard.page_files import PAGES, asset, digest, page
from controller.dashboard.puzzles.controller import PuzzlesController
from controller.dashboard.robot.controller import RobotController
from solvers.foundation.clock import SystemClock
from solvers.foundation.errors import InvalidInputError, PuzzlerigError

TELL_S: Final = 1 / 15
"""A tab hears at most so often; what was replaced meanwhile it does not hear."""
KEPT: Final = "private, max-age=31536000, immutable"
"""For what never changes under its address."""
LAST_PAGE: Final = "puzzlerig_page"
"""The cookie that has the name of the page that was used last."""


class Dashboard:
    """Everything that the pages show and steer."""

    def __init__(self, simulator_options: Sequence[str] = ()) -> None:
        """`simulator_options` are for every simulated robot that is started."""
        self.hub = Hub()
        self.cameras = CameraHub(SystemClock())
        self.robot = RobotController(self.hub, self.cameras, simulator_options)
        self.cube = CubeController(self.hub)
        self.robot.hear_reading = self.cube.readings.take
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
    """Return the application; it does not ask who is there: that is the guard's."""

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
        return Response(found[0], media_type=found[1], headers={"Cache-Control": KEPT})

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
        await _tell(socket, dashboard.hub)

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
    """Do what was asked and return the answer; an error is its sentence."""
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


async def _tell(socket: WebSocket, hub: Hub) -> None:
    """Tell a tab what is so now and what changes, until it goes."""
    await socket.accept()
    loop, told = asyncio.get_running_loop(), asyncio.Event()
    subscriber = hub.subscribe(lambda: loop.call_soon_threadsafe(told.set))
    gone = asyncio.create_task(_gone(socket))
    try:
        while not gone.done():
            await asyncio.wait({gone, waiting := asyncio.create_task(told.wait())}, **_FIRST)
            waiting.cancel()
            told.clear()
            if messages := subscriber.take():
                await socket.send_text(msgspec.json.encode(messages).decode())
                await asyncio.sleep(TELL_S)
    except WebSocketDisconnect:
        pass
    finally:
        subscriber.close()
        gone.cancel()


_FIRST: Final[Any] = {"return_when": asyncio.FIRST_COMPLETED}


async def _gone(socket: WebSocket) -> None:
    """Return when the tab is gone; it says nothing here itself."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass
