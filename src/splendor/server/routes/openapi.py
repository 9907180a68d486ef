"""The OpenAPI document, with the messages of the socket and the streams among its schemas."""

from __future__ import annotations

import asyncio
import gzip
import json
from functools import cache

from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter
from starlette.requests import Request
from starlette.responses import Response

from splendor.notation.json import JsonObject
from splendor.server import messages as m
from splendor.server.routes.encoding import LEVEL, accepted

router = APIRouter(include_in_schema=False)

UNIONS: JsonObject = {
    "ServerMessage": m.ServerMessage,
    "ClientMessage": m.ClientMessage,
    "PersonalMessage": m.PersonalMessage,
    "ReviewMessage": m.ReviewMessage,
    "Evaluation": m.Evaluation,
}


@router.get("/api/openapi.json")
async def openapi(request: Request) -> Response:
    """The document, which is made once."""
    plain, small = await asyncio.to_thread(bodies, request.app)
    if "gzip" in accepted(request.headers.get("accept-encoding", "")):
        headers = {"vary": "accept-encoding", "content-encoding": "gzip"}
        return Response(small, media_type="application/json", headers=headers)
    return Response(plain, media_type="application/json", headers={"vary": "accept-encoding"})


@cache
def bodies(app: FastAPI) -> tuple[bytes, bytes]:
    """The document as it goes out, also packed."""
    plain = json.dumps(document(app), separators=(",", ":"), ensure_ascii=False).encode()
    return plain, gzip.compress(plain, LEVEL, mtime=0)


def document(app: FastAPI) -> JsonObject:
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
