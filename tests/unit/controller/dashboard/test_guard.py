"""Who is let in, spoken as a browser and as an attacker would, without a server in between."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.dashboard.guard import MOST_BYTES, Guard

HOST, TOKEN = "127.0.0.1:8010", "secret"
ORIGIN = ("origin", f"http://{HOST}")
COOKIE = ("cookie", f"other=1; puzzlerig={TOKEN}")


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"in"})


def asked(
    headers: Sequence[tuple[str, str]],
    *,
    host: str = HOST,
    method: str = "GET",
    query: str = "",
    kind: str = "http",
    path: str = "/robot",
    body: Sequence[bytes] = (b"",),
    app: ASGIApp = echo,
) -> list[Message]:
    """Return what is answered to a request."""
    scope: dict[str, Any] = {
        "type": kind,
        "path": path,
        "query_string": query.encode(),
        "headers": [(k.encode(), v.encode()) for k, v in (("host", host), *headers)],
    }
    if kind == "http":
        scope["method"] = method
    waiting, sent = list(body), []

    async def receive() -> Message:
        return {"type": "http.request", "body": waiting.pop(0), "more_body": bool(waiting)}

    async def send(message: Message) -> None:
        sent.append(message)

    def ask() -> None:
        asyncio.run(Guard(app, [HOST], TOKEN, "puzzlerig")(scope, receive, send))

    with ThreadPoolExecutor(1) as beside:  # in this thread the loop of a test's browser may run
        beside.submit(ask).result()
    return sent


def status(*headers: tuple[str, str], **rest: Any) -> int:
    code: int = asked(headers, **rest)[0]["status"]
    return code


def test_the_address_that_is_printed_lets_in_and_leaves_a_cookie() -> None:
    sent = asked([], query=f"token={TOKEN}")[0]
    headers = {name.decode(): value.decode() for name, value in sent["headers"]}
    assert (sent["status"], headers["location"]) == (303, "/robot")
    cookie = headers["set-cookie"]
    assert cookie.startswith(f"puzzlerig={TOKEN};")
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert status(COOKIE) == 200


@pytest.mark.parametrize("path", ["//evil.example/", "///evil.example/robot", "/\\evil.example/"])
def test_the_token_leads_to_no_other_site(path: str) -> None:
    (location,) = (
        value.decode()
        for name, value in asked([], path=path, query=f"token={TOKEN}")[0]["headers"]
        if name == b"location"
    )
    assert location.startswith("/")
    assert location[1] not in "/\\"


@pytest.mark.parametrize("headers", [(), (("cookie", "puzzlerig=guess"),), (("cookie", "a=\x01"),)])
def test_nobody_else_comes_in(headers: tuple[tuple[str, str], ...]) -> None:
    assert status(*headers) == 403
    assert status(*headers, query="token=guess") == 403


def test_another_name_for_this_computer_is_refused() -> None:
    assert status(COOKIE, host="evil.example") == 403
    assert status(COOKIE, host="127.0.0.1:8011") == 403


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_what_changes_something_comes_from_our_own_page(method: str) -> None:
    assert status(COOKIE, ORIGIN, method=method) == 200
    assert status(COOKIE, method=method) == 403
    assert status(COOKIE, ("origin", "http://evil.example"), method=method) == 403
    assert status(COOKIE, ("origin", "null"), method=method) == 403
    assert status(ORIGIN, method=method) == 403


def test_a_socket_is_ours_or_closed() -> None:
    assert asked([COOKIE, ORIGIN], kind="websocket")[0]["type"] == "websocket.accept"
    for headers in ([COOKIE], [ORIGIN], [COOKIE, ("origin", "http://evil.example")]):
        assert asked(headers, kind="websocket")[0]["type"] == "websocket.close"


def test_too_many_bytes_are_refused_declared_or_not() -> None:
    declared = ("content-length", str(MOST_BYTES + 1))
    assert status(COOKIE, ORIGIN, declared, method="POST") == 413
    assert status(COOKIE, ORIGIN, ("content-length", "-1"), method="POST") == 413
    half = bytes(MOST_BYTES // 2)
    assert status(COOKIE, ORIGIN, method="POST", body=[half, half]) == 200
    assert status(COOKIE, ORIGIN, method="POST", body=[half, half, b"!"]) == 413


def test_a_body_in_chunks_reaches_the_application_whole_or_not_at_all() -> None:
    async def count(request: Request) -> PlainTextResponse:
        return PlainTextResponse(str(len(await request.body())))

    app = Starlette(routes=[Route("/robot", count, methods=["POST"])])
    half = bytes(MOST_BYTES // 2)
    sent = asked([COOKIE, ORIGIN], method="POST", body=[half, half], app=app)
    assert (sent[0]["status"], sent[1]["body"]) == (200, str(MOST_BYTES).encode())
    assert status(COOKIE, ORIGIN, method="POST", body=[half, half, b"!"], app=app) == 413


def test_every_page_may_load_nothing_but_ours() -> None:
    headers = dict(asked([COOKIE])[0]["headers"])
    policy = headers[b"content-security-policy"].decode()
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
