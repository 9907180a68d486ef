"""The application: routes, middleware and the OpenAPI document put together."""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import splendor
from splendor.server import messages as m
from splendor.server.access.security import Guard
from splendor.server.config import Settings, from_environment
from splendor.server.database.connect import STORAGE_ERRORS
from splendor.server.labor.starting import Starter, start_anew
from splendor.server.live.service import Service
from splendor.server.live.sources import Sources
from splendor.server.logs import logger
from splendor.server.refusal import RequestRefused
from splendor.server.routes import (
    account,
    archive,
    calendar,
    chat,
    imports,
    invitations,
    library,
    openapi,
    operations,
    people,
    push,
    reviews,
    sharing,
    socket,
    tables,
    web,
)

HTTP_CODES = {404: "not_found", 405: "wrong_method"}


def create_app(
    settings: Settings | None = None, sources: Sources | None = None, start: Starter = start_anew
) -> FastAPI:
    """A server, by its settings; without any, by the environment. `start` is how its workers come to be."""
    service = Service(settings or from_environment(), sources, start)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        try:
            await service.open()
        except Exception:
            logger.exception("the server cannot start")
            raise
        try:
            yield
        finally:
            await service.close()

    app = FastAPI(
        title="splendor",
        version=splendor.__version__,
        description="Tables, play, archive. Errors are codes with parameters. See docs/api.md.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,  # `routes/openapi.py` serves it
        responses={"4XX": {"model": m.Refusal, "description": "refused, with a code"}},
    )
    app.state.service = service
    for topic in (
        people,
        account,
        invitations,
        tables,
        socket,
        library,
        archive,
        imports,
        reviews,
        sharing,
        push,
        calendar,
        chat,
        operations,
        openapi,
        web,
    ):
        app.include_router(topic.router)
    app.add_middleware(Guard, settings=service.settings, limits=service.limits)
    app.add_middleware(Counting, service=service)
    app.add_exception_handler(RequestRefused, refused)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, failed)
    for error in STORAGE_ERRORS:
        app.add_exception_handler(error, not_stored)
    return app


class Counting:
    """Middleware that counts and logs each request by its route, which has no ids in it."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        """Around the whole application."""
        self.app, self.service = app, service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Note a request when its answer begins, or when there will be none."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, is_noted = time.perf_counter(), False

        def note(status: int) -> None:
            nonlocal is_noted
            if is_noted:
                return
            is_noted = True
            route = getattr(scope.get("route"), "path", "?")
            self.service.metrics.requests.labels(scope["method"], route, status).inc()
            seconds = round(time.perf_counter() - began, 4)
            details = {"method": scope["method"], "route": route, "status": status, "seconds": seconds}
            logger.debug("request", extra=details)

        async def send_and_note(message: Message) -> None:
            if message["type"] == "http.response.start":
                note(message["status"])
            await send(message)

        try:
            await self.app(scope, receive, send_and_note)
        except Exception:
            note(500)
            raise


# ---------------------------------------------------------------------------------------------------- errors


def refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestRefused)
    headers = {"retry-after": "5"} if error.status in (429, 503) else None
    return JSONResponse(error.body, error.status, headers)


def not_stored(request: Request, error: Exception) -> Response:
    """The database does not do what it should, perhaps because the disk is full. Nothing was acknowledged."""
    logger.error("the database failed", extra={"error": type(error).__name__})
    return refused(request, RequestRefused("busy"))


def invalid(_: Request, error: Exception) -> Response:
    """A request that is not what the OpenAPI document says; what it held is not repeated."""
    assert isinstance(error, RequestValidationError)
    found = [
        {"where": ".".join(str(part) for part in problem["loc"])[:100], "problem": problem["type"]}
        for problem in error.errors()[:5]
    ]
    return JSONResponse(RequestRefused("invalid", problems=found).body, 422)


def failed(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if "refused" in request.scope:  # the body was too large, which looks like an unreadable one here
        return refused(request, request.scope["refused"])
    code = HTTP_CODES.get(error.status_code, "invalid")
    return JSONResponse(RequestRefused(code).body, error.status_code, error.headers)
