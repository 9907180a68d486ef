"""Answers that take more than some milliseconds: worked out in a worker, for one visitor after the other."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from splendor.server.labor.kinds import QUICK
from splendor.server.live.service import Service
from splendor.server.routes.callers import Caller
from splendor.server.routes.encoding import accepted
from splendor.server.tables.questions import Ask, answer


async def answered(request: Request, service: Service, caller: Caller, ask: Ask) -> Response:
    """The reply to a question; raises RequestRefused."""
    service.limits.spend("analysis", caller.visitor, caller.network)
    reads_gzip = "gzip" in accepted(request.headers.get("accept-encoding", ""))
    body, is_packed = await service.labor.run(QUICK, caller.asker, answer, ask, reads_gzip)
    headers = {"vary": "accept-encoding"}
    if is_packed:
        headers["content-encoding"] = "gzip"
    return Response(body, media_type="application/json", headers=headers)
