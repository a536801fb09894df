"""The routes: two pages behind two secret links, and their requests."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Awaitable, Callable
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from learn2fix.errors import Learn2FixError, StoreError
from learn2fix.model import Answer, Question, Reply, Same
from learn2fix.people.phrasing import reply_of
from learn2fix.store import Saved
from learn2fix.web.board import Status, question_id
from learn2fix.web.host import Actions, Host
from learn2fix.web.links import PROGRAMMER, REPORTER
from learn2fix.web.registry import Registry
from learn2fix.web.security import Gate, Site
from learn2fix.web.streams import stream
from learn2fix.web.views import programmer_view, reporter_view, session_rows, stored_view

Handler = Callable[[Request], Awaitable[Response]]
Served = Callable[[Request, Host], Awaitable[Response]]

MAX_EXPECTED = 10_000
KINDS = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
REPORTER_PAUSE, PROGRAMMER_PAUSE = 0.05, 0.3


class BadRequest(Exception):
    """A request that our own pages never send."""


def make_app(registry: Registry, site: Site, actions: Actions) -> Starlette:
    pages = Pages(registry, actions)
    routes = [
        Route("/static/{name}", pages.static),
        Route("/r/{token}/", pages.only(REPORTER, pages.reporter)),
        Route("/r/{token}/news", pages.only(REPORTER, pages.reporter_stream)),
        Route("/r/{token}/answer", pages.only(REPORTER, pages.answer), methods=["POST"]),
        Route("/r/{token}/undo", pages.only(REPORTER, pages.undo), methods=["POST"]),
        Route("/p/{token}/", pages.only(PROGRAMMER, pages.programmer)),
        Route("/p/{token}/news", pages.only(PROGRAMMER, pages.programmer_stream)),
        Route("/p/{token}/session/{id}", pages.only(PROGRAMMER, pages.stored)),
        Route("/p/{token}/open", pages.only(PROGRAMMER, pages.open), methods=["POST"]),
        Route("/p/{token}/answer", pages.only(PROGRAMMER, pages.answer), methods=["POST"]),
        Route("/p/{token}/undo", pages.only(PROGRAMMER, pages.undo), methods=["POST"]),
        Route("/p/{token}/retry", pages.only(PROGRAMMER, pages.retry), methods=["POST"]),
        Route("/p/{token}/settle", pages.only(PROGRAMMER, pages.settle), methods=["POST"]),
        Route("/p/{token}/apply", pages.only(PROGRAMMER, pages.apply), methods=["POST"]),
        Route("/p/{token}/export/{format}", pages.only(PROGRAMMER, pages.export)),
        Route("/{rest:path}", pages.nothing, methods=["GET", "HEAD", "POST"]),
    ]
    return Starlette(routes=routes, middleware=[Middleware(Gate, site=site)])


class Pages:
    def __init__(self, registry: Registry, actions: Actions) -> None:
        self._registry, self._actions = registry, actions
        self._templates = Environment(
            loader=PackageLoader("learn2fix.web"), autoescape=True, undefined=StrictUndefined
        )
        # Read once: no part of a URL ever becomes a file name.
        folder = resources.files("learn2fix.web") / "static"
        self._static = {entry.name: entry.read_bytes() for entry in folder.iterdir() if entry.is_file()}

    def only(self, role: str, handler: Served) -> Handler:
        """Guards a handler by one of a session's two links, and passes it that session."""

        async def guarded(request: Request) -> Response:
            found = await run_in_threadpool(self._registry.session_for, role, request.path_params["token"])
            if found is None:
                return PlainTextResponse("This link is not good (any more). Ask for a new one.", 403)
            id, request.state.voice = found
            try:
                host = await run_in_threadpool(self._registry.host, id)
            except Learn2FixError as problem:
                # Only the programmer is told the reason.
                said = f": {problem}" if role == PROGRAMMER else ". Please try again later."
                return PlainTextResponse(f"This session cannot be opened at the moment{said}", 503)
            try:
                return await handler(request, host)
            except BadRequest as problem:
                return JSONResponse({"message": str(problem)}, 400)

        return guarded

    # Pages.

    async def nothing(self, request: Request) -> Response:
        if request.method == "POST":
            return PlainTextResponse("Answers come through a link.", 403)
        return PlainTextResponse("There is nothing here. Use the link that you were sent.", 404)

    async def static(self, request: Request) -> Response:
        name = request.path_params["name"]
        content = self._static.get(name)
        if content is None:
            return await self.nothing(request)
        kind = KINDS.get(name.rpartition(".")[2], "application/octet-stream")
        return Response(content, media_type=kind, headers={"Cache-Control": "no-cache"})

    async def reporter(self, request: Request, host: Host) -> Response:
        return self._page("reporter.html")

    async def programmer(self, request: Request, host: Host) -> Response:
        rows = await run_in_threadpool(session_rows, self._registry, host.held.id)
        saved = host.held.saved
        return self._page(
            "programmer.html",
            title=saved.record.title,
            session=saved.id,
            sessions=rows,
            formats=self._actions.formats,
            reporter=str(request.base_url).rstrip("/") + self._registry.links(saved.id).path(REPORTER),
        )

    async def stored(self, request: Request, host: Host) -> Response:
        id = request.path_params["id"]
        if id not in await run_in_threadpool(host.store.ids):
            return await self.nothing(request)
        try:
            saved: Saved = await run_in_threadpool(host.store.load, id)
        except StoreError as problem:
            return PlainTextResponse(str(problem), 500)
        return self._page("stored.html", **stored_view(saved))

    async def open(self, request: Request, host: Host) -> Response:
        """Opens another session of the store on its own page, where it resumes."""
        id = _text(await _body(request), "session")
        if id not in await run_in_threadpool(host.store.ids):
            raise BadRequest("there is no such session")
        try:
            await run_in_threadpool(self._registry.host, id)
        except Learn2FixError as problem:
            return JSONResponse({"status": "refused", "message": str(problem)}, 409)
        return JSONResponse({"status": "open", "path": self._registry.path(id)})

    def _page(self, name: str, **values: Any) -> HTMLResponse:
        return HTMLResponse(self._templates.get_template(name).render(**values))

    # Event streams.

    async def reporter_stream(self, request: Request, host: Host) -> Response:
        return stream(host.board, lambda: reporter_view(host), REPORTER_PAUSE, self._good(REPORTER, request))

    async def programmer_stream(self, request: Request, host: Host) -> Response:
        good = self._good(PROGRAMMER, request)
        return stream(host.board, lambda: programmer_view(host), PROGRAMMER_PAUSE, good)

    def _good(self, role: str, request: Request) -> Callable[[], bool]:
        token = request.path_params["token"]
        return lambda: self._registry.session_for(role, token) is not None

    # Answers.

    async def answer(self, request: Request, host: Host) -> Response:
        body = await _body(request)
        id = _text(body, "question")
        question = await run_in_threadpool(host.board.find, id)
        if question is None:
            return JSONResponse({"status": Status.GONE.value}, 409)
        reply = read_reply(question, _text(body, "key"), body.get("expected"), host.session.subject.same)
        try:
            receipt = await run_in_threadpool(host.board.submit, id, reply, request.state.voice)
        except StoreError as problem:
            # The reporter need not see paths of this machine.
            return JSONResponse({"status": "not saved", "message": _words(problem, request)}, 503)
        code = 409 if receipt.status is Status.GONE else 200
        return JSONResponse({"status": receipt.status.value, "agrees": receipt.agrees}, code)

    async def undo(self, request: Request, host: Host) -> Response:
        answers = (await _body(request)).get("answers")
        if not isinstance(answers, int) or isinstance(answers, bool):
            raise BadRequest("answers is not a number")
        try:
            done = await run_in_threadpool(host.board.undo, answers)
        except StoreError as problem:
            return JSONResponse({"status": "not saved", "message": _words(problem, request)}, 503)
        return JSONResponse({"status": "undone" if done else Status.GONE.value}, 200 if done else 409)

    # For the programmer.

    async def retry(self, request: Request, host: Host) -> Response:
        await _body(request)
        done = await run_in_threadpool(host.board.retry)
        return JSONResponse({"status": "again" if done else Status.GONE.value}, 200 if done else 409)

    async def settle(self, request: Request, host: Host) -> Response:
        body = await _body(request)
        id, place = _text(body, "question"), body.get("place")
        said = [each for each in host.board.opinions if question_id(each.question) == id]
        if not isinstance(place, int) or not 0 <= place < len(said):
            raise BadRequest("there is no such answer")
        chosen = said[place].reply
        if not isinstance(chosen, Answer):
            raise BadRequest("that is not an answer")
        try:
            done = await run_in_threadpool(host.board.settle, id, chosen)
        except StoreError as problem:
            return JSONResponse({"status": "not saved", "message": str(problem)}, 503)
        return JSONResponse({"status": "settled" if done else Status.GONE.value}, 200 if done else 409)

    async def apply(self, request: Request, host: Host) -> Response:
        patch = _text(await _body(request), "patch")
        try:
            done = await run_in_threadpool(self._actions.apply, host.held.saved, patch)
        except Learn2FixError as problem:
            return JSONResponse({"status": "refused", "message": str(problem)}, 409)
        return JSONResponse({"status": "applied", "message": done})

    async def export(self, request: Request, host: Host) -> Response:
        format = request.path_params["format"]
        if format not in self._actions.formats:
            return await self.nothing(request)
        saved = host.held.saved
        try:
            files = await run_in_threadpool(self._actions.export, saved, format)
        except Learn2FixError as problem:
            return PlainTextResponse(f"Nothing was exported: {problem}", 409)
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in sorted(files.items()):
                archive.writestr(name, content)
        name = f"{saved.id}-{format}.zip"
        return Response(
            packed.getvalue(),
            media_type="application/zip",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )


def read_reply(question: Question, key: str, expected: Any, same: Same) -> Reply:
    """What one of the buttons means for this question."""
    if expected is not None and (not isinstance(expected, str) or len(expected) > MAX_EXPECTED):
        raise BadRequest("what is right is too long")
    if expected is not None and not is_text(expected):
        raise BadRequest("what is right holds half a character, which no file can hold")
    right = expected.strip() if expected and expected.strip() else None
    reply = reply_of(key, question, right, same)
    if reply is None:
        raise BadRequest("that is not one of the answers")
    return reply


def is_text(text: str) -> bool:
    """Whether it can be written: JSON lets halves of surrogate pairs in."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


async def _body(request: Request) -> dict[str, Any]:
    if request.headers.get("content-type", "").split(";")[0].strip() != "application/json":
        raise BadRequest("not JSON")
    try:
        found = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise BadRequest("not JSON") from None
    except ClientDisconnect:
        raise BadRequest("the rest never came") from None
    if not isinstance(found, dict):
        raise BadRequest("not an object")
    return found


def _text(body: dict[str, Any], name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str) or len(value) > 200 or not is_text(value):
        raise BadRequest(f"{name} is missing")
    return value


def _words(problem: StoreError, request: Request) -> str:
    if request.url.path.startswith(f"/{PROGRAMMER}/"):
        return str(problem)
    return "Your answer could not be saved. Nothing is lost; please try again in a while."
