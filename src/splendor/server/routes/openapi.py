"""The OpenAPI document, with the messages of the socket and the streams among its schemas."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter
from starlette.requests import Request
from starlette.responses import JSONResponse

from splendor.server import messages as m

router = APIRouter(include_in_schema=False)

UNIONS: dict[str, Any] = {
    "ServerMessage": m.ServerMessage,
    "ClientMessage": m.ClientMessage,
    "PersonalMessage": m.PersonalMessage,
    "ReviewMessage": m.ReviewMessage,
    "Evaluation": m.Evaluation,
}


@router.get("/api/openapi.json")
async def openapi(request: Request) -> JSONResponse:
    """The document; making it takes a moment, the first time."""
    return JSONResponse(await asyncio.to_thread(document, request.app))


def document(app: FastAPI) -> dict[str, Any]:
    """The document of an application."""
    if app.openapi_schema is None:
        made = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        schemas = made["components"]["schemas"]
        for name, kind in UNIONS.items():
            schema = TypeAdapter(kind).json_schema(ref_template="#/components/schemas/{model}")
            for nested, definition in schema.pop("$defs", {}).items():
                schemas.setdefault(nested, definition)
            schemas[name] = schema
        for operation in (one for path in made["paths"].values() for one in path.values()):
            refusal = operation["responses"].get("4XX")
            if refusal is not None:  # which is JSON, whatever a route answers otherwise
                refusal["content"] = {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
        app.openapi_schema = made
    return app.openapi_schema
