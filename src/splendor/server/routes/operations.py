"""For those who run the server."""

from __future__ import annotations

import hmac
import ipaddress
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Annotated, get_args

from fastapi import APIRouter, Header, Response
from starlette.requests import Request

from splendor.server import messages as m
from splendor.server.access.security import address_of
from splendor.server.refusal import RequestRefused
from splendor.server.routes.callers import Serving
from splendor.server.tables.table import Status

router = APIRouter(tags=["operations"])

CONTACT_GOOD_FOR = timedelta(days=180)


@router.get("/healthz", responses={503: {"model": m.Health}})
async def health(response: Response, service: Serving) -> m.Health:
    """Is the server up, and can it write to its database? Tried at most every few seconds, whoever asks."""
    is_well = await service.health.is_well()
    if not is_well:
        response.status_code = 503
    return m.Health(status="ok" if is_well else "failing", build=service.build, tables=len(service.hub.tables))


@router.get("/.well-known/security.txt", include_in_schema=False)
async def security_contact(service: Serving) -> Response:
    """Whom to tell of a weakness (RFC 9116), if the settings say so."""
    contact = service.settings.security_contact
    if not contact:
        raise RequestRefused("not_found")
    expires = datetime.fromtimestamp(service.sources.now(), UTC) + CONTACT_GOOD_FOR
    text = f"Contact: {contact}\nExpires: {expires:%Y-%m-%dT00:00:00Z}\nPreferred-Languages: en, de, nl, nb\n"
    return Response(text, media_type="text/plain; charset=utf-8")


@router.get("/metrics", include_in_schema=False)
async def metrics(request: Request, service: Serving, authorization: Annotated[str, Header()] = "") -> Response:
    """Counts for Prometheus: for the bearer of the metrics token, or without one for this machine only."""
    wanted = service.settings.metrics_token
    if wanted and not hmac.compare_digest(authorization.encode(), f"Bearer {wanted}".encode()):
        raise RequestRefused("not_allowed")
    if not wanted and not is_loopback(address_of(request.scope)):
        raise RequestRefused("not_allowed")
    counts = service.metrics
    statuses = Counter(table.status for table in service.hub.tables)
    for status in get_args(Status):
        counts.tables.labels(status).set(statuses[status])
    counts.waiting.set(service.computers.waiting)
    counts.failures.set(service.computers.failures)
    return Response(counts.text(), media_type="text/plain; version=0.0.4")


def is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
