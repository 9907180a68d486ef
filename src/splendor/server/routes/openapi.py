"""The OpenAPI document, with the messages of the socket and the streams among its schemas.

`python -m splendor.server.openapi` prints it, for generating types without a running server.
"""

from __future__ import annotations

import asyncio
import json
import sys
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
        app.openapi_schema = made
    return app.openapi_schema


def main() -> None:
    """Print the document."""
    from splendor.server.app import create_app

    json.dump(document(create_app()), sys.stdout, indent=1)


if __name__ == "__main__":
    main()
