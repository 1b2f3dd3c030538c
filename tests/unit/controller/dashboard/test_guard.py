"""Who is let in, spoken as a browser and as an attacker would, without a server in between."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.dashboard.guard import FOR_WATCHERS, MOST_BYTES, PATIENCE_S, STEER, Guard, Lan
from hardware_sims.clock import VirtualClock

HOST, TOKEN = "127.0.0.1:8010", "secret"
ORIGIN = ("origin", f"http://{HOST}")
COOKIE = ("cookie", f"other=1; puzzlerig={TOKEN}")
LAN = Lan("192.168.1.5:8010", watch="watcher", steer="driver", code="12345678")
LAN_ORIGIN = ("origin", f"http://{LAN.host}")
WATCHER, DRIVER = (("cookie", f"puzzlerig={secret}") for secret in (LAN.watch, LAN.steer))


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
    at: str = HOST,
    method: str = "GET",
    query: str = "",
    kind: str = "http",
    path: str = "/robot",
    body: Sequence[bytes] = (b"",),
    app: ASGIApp = echo,
    guard: Guard | None = None,
) -> list[Message]:
    """Return what is answered to a request to the address `at`; without network if not said."""
    guard = Guard(app, [HOST], TOKEN, "puzzlerig") if guard is None else guard
    name, _, port = at.partition(":")
    scope: dict[str, Any] = {
        "type": kind,
        "server": (name, int(port)),
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
        asyncio.run(guard(scope, receive, send))

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
    assert "Max-Age=31536000" in cookie  # a bookmark outlives the browser
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


def in_network(clock: VirtualClock | None = None) -> Guard:
    return Guard(echo, [HOST], TOKEN, "puzzlerig", LAN, VirtualClock() if clock is None else clock)


TO_NETWORK: Final[dict[str, Any]] = {"host": LAN.host, "at": LAN.host}


def network_status(*headers: tuple[str, str], **rest: Any) -> int:
    return status(*headers, **{**TO_NETWORK, "guard": in_network(), **rest})


def test_in_a_network_the_link_lets_watch_and_nothing_else() -> None:
    sent = asked([], **TO_NETWORK, query=f"token={LAN.watch}", guard=in_network())[0]
    cookie = dict(sent["headers"])[b"set-cookie"].decode()
    assert cookie.startswith(f"puzzlerig={LAN.watch};")
    assert "Max-Age" not in cookie  # of this start alone
    assert network_status(WATCHER) == 200
    socket = asked([WATCHER, LAN_ORIGIN], **TO_NETWORK, kind="websocket", guard=in_network())
    assert socket[0]["type"] == "websocket.accept"
    for path in FOR_WATCHERS:
        assert network_status(WATCHER, LAN_ORIGIN, method="POST", path=path) == 200
    for path in ("/api/robot/solve", "/api/board/flash", "/api/cube/solve", "/api/stop/", "/"):
        assert network_status(WATCHER, LAN_ORIGIN, method="POST", path=path) == 401
        assert network_status(DRIVER, LAN_ORIGIN, method="POST", path=path) == 200
        assert network_status(LAN_ORIGIN, method="POST", path=path) == 403


def test_a_network_has_the_same_guard_against_foreign_pages_and_names() -> None:
    for cookie in (WATCHER, DRIVER):
        for origin in ("http://evil.example", f"http://{HOST}", "null"):
            assert network_status(cookie, ("origin", origin), method="POST") == 403
            headers = [cookie, ("origin", origin)]
            line = asked(headers, **TO_NETWORK, kind="websocket", guard=in_network())
            assert line[0]["type"] == "websocket.close"
        assert network_status(cookie, host="evil.example") == 403
        assert network_status(cookie, host="192.168.1.5") == 403
        assert network_status(cookie, host=HOST) == 403
        assert network_status(cookie, host=HOST, at=HOST) == 403  # another secret is valid here
    assert status(WATCHER, host=LAN.host) == 403  # where nobody asked for a network


def test_the_lasting_secret_is_not_admitted_over_the_network() -> None:
    assert network_status(COOKIE) == 403
    assert network_status(query=f"token={TOKEN}") == 403
    assert network_status(COOKIE, host=HOST) == 403  # whatever host a request claims
    assert network_status(query=f"token={TOKEN}", host=HOST) == 403
    assert network_status(query=f"token={LAN.steer}") == 403  # no address lets steer
    assert network_status(COOKIE, host=HOST, at=HOST) == 200


def test_the_code_lets_a_watcher_steer() -> None:
    def send(*headers: tuple[str, str], code: bytes = b'"1234 5678"', **rest: Any) -> Message:
        request = {"method": "POST", "path": STEER, "body": [code], **TO_NETWORK}
        return asked(headers, **{**request, "guard": in_network(), **rest})[0]

    done = send(WATCHER, LAN_ORIGIN)
    assert done["status"] == 200
    assert dict(done["headers"])[b"set-cookie"].decode().startswith(f"puzzlerig={LAN.steer};")
    assert send(WATCHER, LAN_ORIGIN, code=b'"1234 5679"')["status"] == 403
    assert send(WATCHER, LAN_ORIGIN, code=b"")["status"] == 403
    assert send(WATCHER)["status"] == 403  # from a foreign page
    assert send(LAN_ORIGIN)["status"] == 403  # the link comes first
    assert network_status(WATCHER, path=STEER) == 200  # a page to look at, and no code
    again = asked([DRIVER], **TO_NETWORK, query=f"token={LAN.watch}", guard=in_network())[0]
    assert f"puzzlerig={LAN.steer};" in dict(again["headers"])[b"set-cookie"].decode()


def test_secrets_of_a_network_are_of_one_start() -> None:
    for name in ("watch", "steer", "code"):
        assert getattr(Lan(LAN.host), name) != getattr(Lan(LAN.host), name)


def test_after_a_wrong_code_a_second_has_to_pass() -> None:
    clock = VirtualClock()
    guard = in_network(clock)

    def guess(code: str) -> int:
        return network_status(
            WATCHER, LAN_ORIGIN, method="POST", path=STEER, body=[code.encode()], guard=guard
        )

    assert guess("00000000") == 403
    assert guess(LAN.code) == 429
    clock.sleep(PATIENCE_S)
    assert guess(LAN.code) == 200
    assert guess(LAN.code) == 200  # only after a wrong one
