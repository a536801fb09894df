"""Checks every request before anything else sees it, and sets security headers on every response."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY = 64 * 1024

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)

HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

NO_TOKEN = re.compile(rb"/[rp](/?(\?.*)?\Z|//)")
"""A page without the secret that opens it."""

READING = ("GET", "HEAD")


@dataclass(frozen=True, slots=True)
class Site:
    """The host names the server accepts, and no others: this prevents DNS rebinding."""

    hosts: frozenset[str]
    """As in a Host header: `127.0.0.1:8000`, lower case."""


class Gate:
    """Middleware that rejects what does not come from our own pages."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app = app
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            # Websockets are not supported: close.
            await send({"type": "websocket.close", "code": 1008})
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refusal = refuse(scope, self._site)
        if refusal is not None:
            await refusal(scope, receive, send_with_headers)
            return
        await self._app(scope, receive, send_with_headers)


def refuse(scope: Scope, site: Site) -> PlainTextResponse | None:
    """The response to a rejected request; None for one that may pass."""
    headers = Headers(scope=scope)
    hosts = headers.getlist("host")
    if len(hosts) != 1 or hosts[0].lower() not in site.hosts:
        return _no("This server does not answer under that name.")
    if NO_TOKEN.match(scope.get("raw_path") or scope["path"].encode()):
        return _no("A link is needed for this.")
    if not plain_path(scope.get("raw_path") or scope["path"].encode()):
        return PlainTextResponse("There is nothing here.", 404)
    fetched = headers.get("sec-fetch-site")
    origin = headers.get("origin")
    if scope["method"] in READING:
        # Following a link in a mail is a cross-site request: it may open pages, and nothing else.
        if fetched not in (None, "same-origin", "none") and headers.get("sec-fetch-mode") != "navigate":
            return _no("Only our own pages may ask for this.")
        return None
    if scope["method"] != "POST":
        return PlainTextResponse("Only GET and POST are known here.", 405)
    if fetched is None and origin is None:
        return _no("A page says where it comes from; this request does not.")
    if fetched not in (None, "same-origin"):
        return _no("Another site must not answer.")
    if origin is not None and not same_origin(origin, hosts[0]):
        return _no("Another site must not answer.")
    length = headers.get("content-length", "0")
    if "transfer-encoding" in headers or not length.isdecimal() or int(length) > MAX_BODY:
        return PlainTextResponse("That is too long.", 413)
    return None


def same_origin(origin: str, host: str) -> bool:
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    plain = f"{parts.scheme}://{parts.netloc}" == origin
    return plain and parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


def plain_path(raw: bytes) -> bool:
    """Whether a path is plain: no traversal, no NUL, no hidden characters, however often encoded."""
    path = raw.split(b"?")[0]
    for _ in range(3):
        if any(byte < 0x20 or byte == 0x7F or byte == 0x5C for byte in path):
            return False
        if any(part in (b".", b"..") for part in path.split(b"/")) or b"//" in path:
            return False
        path = unquote_to_bytes(path)
    return True


def _no(text: str) -> PlainTextResponse:
    return PlainTextResponse(text, 403)
