"""The listening socket and the server loop. Requests are not logged: links are secrets."""

from __future__ import annotations

import logging
import re
import socket
import ssl
from dataclasses import dataclass
from ipaddress import ip_address

import uvicorn
from starlette.applications import Starlette

from learn2fix.errors import UsageError
from learn2fix.web.patience import Bounded, new_protocol
from learn2fix.web.security import Site

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def listen(host: str, port: int) -> socket.socket:
    """A socket on exactly this address; port 0 picks one."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind(address)
            listening.listen(128)
        except OSError:
            listening.close()
            raise
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(
            f"cannot listen on {host} port {port}: {reason}", "--port 0 picks a free one"
        ) from None
    return listening


def is_loopback(host: str) -> bool:
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def is_everywhere(host: str) -> bool:
    try:
        return ip_address(host.strip("[]")).is_unspecified
    except ValueError:
        return host == ""


def in_url(host: str) -> str:
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def site_for(host: str, port: int, name: str | None) -> tuple[Site, str]:
    """The host names the server accepts, and the one used in links."""
    if name is None:
        name = socket.gethostname() if is_everywhere(host) else in_url(host)
    shown = name if _has_port(name) else f"{name}:{port}"
    names = {shown.lower(), f"{in_url(host)}:{port}".lower()}
    if is_loopback(host) or is_everywhere(host):
        names |= {f"{other}:{port}" for other in LOOPBACK}
    if port == 80:
        names |= {each.removesuffix(":80") for each in names}
    return Site(frozenset(names)), shown


def _has_port(name: str) -> bool:
    return re.search(r"(^[^:]+|\]):\d+$", name) is not None


def _worth_saying(record: logging.LogRecord) -> bool:
    """A stream that is cut off when the server stops is no error."""
    return "without completing response" not in record.getMessage()


@dataclass(frozen=True, slots=True)
class Certificate:
    """For HTTPS, as files in PEM form."""

    file: str
    key: str | None = None

    def check(self) -> None:
        """Refuses what no server could use, in a line, before anything is opened."""
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(self.file, self.key, password=lambda: "")
        except (OSError, ValueError) as error:
            reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or error
            raise UsageError(
                f"cannot use the certificate {self.file}: {reason}",
                "give both as PEM: --certificate cert.pem --key key.pem",
            ) from None


def make_server(app: Starlette, certificate: Certificate | None = None) -> uvicorn.Server:
    """No access log: links are secrets."""
    config = uvicorn.Config(
        app,
        http=new_protocol(),
        ws="none",
        ssl_certfile=certificate.file if certificate else None,
        ssl_keyfile=certificate.key if certificate else None,
        access_log=False,
        log_level="error",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=2,
        h11_max_incomplete_event_size=32 * 1024,
        lifespan="off",
    )
    logger = logging.getLogger("uvicorn.error")
    for each in [each for each in logger.filters if isinstance(each, Bounded)]:
        logger.removeFilter(each)  # of a server before this one
    logger.addFilter(_worth_saying)
    logger.addFilter(Bounded())
    return uvicorn.Server(config)


def serve_forever(app: Starlette, listening: socket.socket, certificate: Certificate | None = None) -> None:
    """Runs until a signal arrives."""
    make_server(app, certificate).run(sockets=[listening])
