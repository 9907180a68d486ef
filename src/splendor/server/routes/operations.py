"""For those who run the server."""

from __future__ import annotations

import hmac
import ipaddress
from typing import Annotated

import sqlalchemy as sa
from fastapi import APIRouter, Header, Response
from starlette.requests import Request

from splendor.server import messages as m
from splendor.server.access import Serving, address_of
from splendor.server.refusal import Refused

router = APIRouter(tags=["operations"])


@router.get("/healthz", responses={503: {"model": m.Health}})
async def health(response: Response, service: Serving) -> m.Health:
    """Is the server up, and does its database answer?"""
    try:
        async with service.engine.connect() as connection:
            await connection.execute(sa.select(1))
    except (sa.exc.SQLAlchemyError, OSError):
        response.status_code = 503
        return m.Health(status="failing", build=service.build, tables=len(service.hub.tables))
    return m.Health(status="ok", build=service.build, tables=len(service.hub.tables))


@router.get("/metrics", include_in_schema=False)
async def metrics(request: Request, service: Serving, authorization: Annotated[str, Header()] = "") -> Response:
    """Counts for Prometheus: for the bearer of the metrics token, or without one for this machine only."""
    wanted = service.settings.metrics_token
    if wanted and not hmac.compare_digest(authorization.encode(), f"Bearer {wanted}".encode()):
        raise Refused("not_allowed")
    if not wanted and not is_loopback(address_of(request)):
        raise Refused("not_allowed")
    counts = service.metrics
    for status in ("open", "dealing", "live", "over", "aborted"):
        counts.tables.labels(status).set(sum(live.table.status == status for live in service.hub.tables.values()))
    counts.waiting.set(service.computers.waiting)
    counts.failures.set(service.computers.failures)
    return Response(counts.text(), media_type="text/plain; version=0.0.4")


def is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
