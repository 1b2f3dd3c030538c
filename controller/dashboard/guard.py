"""Access control of the dashboard: its own pages, in the browser that it was opened in.

Any page of the web may send requests to 127.0.0.1, and any user of this computer may connect to it.
So the host must be ours (a name that was rebound to this address by DNS is not), every request that
changes something and every socket must come from our own page, and each needs the secret of this
start: it is in the address that the command opens, and in a cookie from then on.
"""

import secrets
from collections.abc import Collection
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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


class Guard:
    """Admits requests of our own pages. `hosts` are our names, with port."""

    def __init__(self, app: ASGIApp, hosts: Collection[str], token: str, cookie: str) -> None:
        self._app = app
        self._hosts = frozenset(hosts)
        self._origins = frozenset(f"http://{host}" for host in hosts)
        self._token = token
        self._cookie = cookie

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it to the application."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await _refuse(scope, receive, send, refusal)
        elif scope["type"] == "http" and self._token_in_address(scope):
            await self._let_in(scope, receive, send)
        elif not self._is_known(headers):
            await _refuse(
                scope, receive, send, (403, "Open the address that `cuberobot dashboard` prints.")
            )
        elif scope["type"] == "websocket":
            await self._app(scope, receive, send)
        else:
            await self._hand_on(scope, receive, send, headers)

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        if headers.get("host") not in self._hosts:
            return 403, "This is not the name of the dashboard."
        changes = scope["type"] == "websocket" or scope["method"] not in _READING
        if changes and headers.get("origin") not in self._origins:
            return 403, "This request comes from another site's page."
        return None

    def _token_in_address(self, scope: Scope) -> bool:
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        return _equal(given, self._token)

    def _is_known(self, headers: Headers) -> bool:
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            return False
        return self._cookie in cookies and _equal(cookies[self._cookie].value, self._token)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Put the token into a cookie, and take it out of the address."""
        # A browser takes "//name/" for another host, so that the path may have one slash in front.
        response = RedirectResponse("/" + scope["path"].lstrip("/"), 303)
        response.set_cookie(self._cookie, self._token, httponly=True, samesite="strict")
        await response(scope, receive, send)

    async def _hand_on(self, scope: Scope, receive: Receive, send: Send, headers: Headers) -> None:
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

        await self._app(scope, replayed, with_headers)


async def _refuse(scope: Scope, receive: Receive, send: Send, why: tuple[int, str]) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": why[1]})
        return
    await PlainTextResponse(why[1], why[0])(scope, receive, send)


def _equal(given: str, wanted: str) -> bool:
    return secrets.compare_digest(given.encode(), wanted.encode())
