"""Access control of the dashboard: its own pages, in the browser that it was opened in.

Any page of the web may send requests to 127.0.0.1, and any user of this computer may connect to it.
So the host must be ours (a name that was rebound to this address by DNS is not), every request that
changes something and every socket must come from our own page, and each needs the secret: it is in
the address that the command opens, and in a cookie from then on.

With `Lan`, requests over the network need one of two secrets of this start: the one in the link
lets a device watch, the other, which it gets for a code, lets it steer. The lasting secret of this
computer's own browser is refused there, because it would be sent unencrypted.
"""

import secrets
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import partial
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from solvers.foundation.clock import Clock, SystemClock

MOST_BYTES: Final = 64 * 1024
"""Of a request, but for files that are dropped on a page."""

MOST_OF_A_FILE: Final = {"/api/board/open": 256 * 1024, "/api/puzzles/open": 1024 * 1024}
"""An Intel HEX file of a full board has 90 KB, the largest public BurrTools file some 700."""

HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-cache",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_READING: Final = ("GET", "HEAD")
STEER: Final = "/api/steer"
"""Takes the code; the device that sends it may steer from then on."""
FOR_WATCHERS: Final = frozenset(
    (
        "/api/stop",  # anyone who sees that something goes wrong
        "/api/cube/check",
        "/api/cube/aim",
        "/api/cube/patterns",
        "/api/cube/scramble",
        "/api/cube/prepare",
        "/api/board/ports",
        "/api/puzzles/show",
        "/api/puzzles/show_tiles",
        "/api/puzzles/cards",
    )
)
"""Requests that pages send by themselves or that change nothing, and the one that stops."""
CODE_DIGITS: Final = 8
PATIENCE_S: Final = 1.0
"""Between two wrong codes, from any device: two hours of guesses find it once in 14,000 times."""
A_YEAR_S: Final = 365 * 24 * 3600


def new_code() -> str:
    """Return a code that a person reads in the terminal and types."""
    return "".join(secrets.choice("0123456789") for _ in range(CODE_DIGITS))


@dataclass(frozen=True, slots=True)
class Lan:
    """Access over the network. `host` is our address there, with port.

    `watch` is the secret in the link, `code` what is typed to get the secret `steer`.
    """

    host: str
    watch: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    steer: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    code: str = field(default_factory=new_code)


class Guard:
    """Admits requests of our own pages. `hosts` are our names on this computer, with port."""

    def __init__(
        self,
        app: ASGIApp,
        hosts: Collection[str],
        token: str,
        cookie: str,
        lan: Lan | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._app = app
        self._hosts = frozenset(hosts)
        self._token = token
        self._cookie = cookie
        self._lan = lan
        self._clock = SystemClock() if clock is None else clock
        self._next_code_s = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it to the application."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        # By the address that was connected to: a request can name any host.
        is_local = self._lan is None or "{}:{}".format(*scope["server"]) != self._lan.host
        lan = None if is_local else self._lan
        refusal = _refusal(scope, headers, self._hosts if lan is None else (lan.host,))
        if refusal is not None:
            await _refuse(scope, receive, send, refusal)
            return
        key = self._token if lan is None else lan.watch  # what the address may have in it
        held = self._held(headers)
        if scope["type"] == "http" and _equal(_given(scope), key):
            steers = lan is not None and _equal(held, lan.steer)  # the link does not take that away
            await self._let_in(scope, receive, send, held if steers else key)
        elif not any(_equal(held, each) for each in (key, *((lan.steer,) if lan else ()))):
            await _refuse(
                scope, receive, send, (403, "Open the address that `cuberobot dashboard` prints.")
            )
        elif scope["type"] == "websocket":
            await self._app(scope, receive, send)
        elif lan is not None and (scope["method"], scope["path"]) == ("POST", STEER):
            await self._hand_on(scope, receive, send, headers, partial(self._take_code, lan))
        elif lan is not None and _is_steering(scope) and not _equal(held, lan.steer):
            sentence = (
                "This device only watches. To steer, enter the code from the dashboard's terminal."
            )
            await JSONResponse({"error": sentence}, 401)(scope, receive, send)
        else:
            await self._hand_on(scope, receive, send, headers, self._app)

    def _held(self, headers: Headers) -> str:
        """Return the secret in the cookie, "" for none."""
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            return ""
        return cookies[self._cookie].value if self._cookie in cookies else ""

    async def _take_code(self, lan: Lan, scope: Scope, receive: Receive, send: Send) -> None:
        """Exchange the code for the secret that steers; after a wrong one, a second has to pass."""
        now_s = self._clock.now()
        if now_s < self._next_code_s:
            error = "A wrong code was entered a moment ago. Try again in a second."
            await JSONResponse({"error": error}, 429)(scope, receive, send)
            return
        self._next_code_s = now_s + PATIENCE_S
        given = (await receive())["body"].decode("latin-1")
        if not _equal("".join(filter(str.isdigit, given)), lan.code):
            error = "This is not the code in the dashboard's terminal."
            await JSONResponse({"error": error}, 403)(scope, receive, send)
            return
        self._next_code_s = now_s
        response = JSONResponse({})
        response.set_cookie(self._cookie, lan.steer, httponly=True, samesite="strict")
        await response(scope, receive, send)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send, key: str) -> None:
        """Put the secret into a cookie, and take it out of the address."""
        # A browser takes "//name/" for another host, so that the path may have one slash in front.
        response = RedirectResponse("/" + scope["path"].lstrip("/"), 303)
        # Bookmarks outlive the browser; a secret of this start need not.
        most_s = A_YEAR_S if key == self._token else None
        response.set_cookie(self._cookie, key, max_age=most_s, httponly=True, samesite="strict")
        await response(scope, receive, send)

    async def _hand_on(
        self, scope: Scope, receive: Receive, send: Send, headers: Headers, app: ASGIApp
    ) -> None:
        """Pass a request to `app` with its body as one message; refuse one that is too large."""
        declared = headers.get("content-length", "0")
        most = MOST_OF_A_FILE.get(scope["path"], MOST_BYTES)
        too_large = (413, f"A request to this address may have {most} bytes.")
        if not declared.isdecimal() or int(declared) > most:
            await _refuse(scope, receive, send, too_large)
            return
        # Read here, because the application answers 500 to whatever is raised while it reads.
        body, is_whole = bytearray(), False
        while not is_whole:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            if len(body) > most:
                await _refuse(scope, receive, send, too_large)
                return
            is_whole = not message.get("more_body")
        waiting: list[Message] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

        async def replayed() -> Message:
            return waiting.pop() if waiting else await receive()

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    given.setdefault(name, value)
            await send(message)

        await app(scope, replayed, with_headers)


def _refusal(scope: Scope, headers: Headers, hosts: Collection[str]) -> tuple[int, str] | None:
    """Return status and sentence for what is not sent by a page of ours."""
    host = headers.get("host")
    if host not in hosts:
        return 403, "This is not the name of the dashboard."
    changes = scope["type"] == "websocket" or scope["method"] not in _READING
    if changes and headers.get("origin") != f"http://{host}":
        return 403, "This request comes from another site's page."
    return None


def _given(scope: Scope) -> str:
    """Return the secret in the address, "" for none."""
    query: str = scope["query_string"].decode("latin-1")
    return parse_qs(query).get("token", [""])[0]


def _is_steering(scope: Scope) -> bool:
    return scope["method"] not in _READING and scope["path"] not in FOR_WATCHERS


async def _refuse(scope: Scope, receive: Receive, send: Send, why: tuple[int, str]) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": why[1]})
        return
    await PlainTextResponse(why[1], why[0])(scope, receive, send)


def _equal(given: str, wanted: str) -> bool:
    return secrets.compare_digest(given.encode(), wanted.encode())
