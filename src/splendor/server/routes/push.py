"""Messages to browsers that are closed: our key, and which browsers want them."""

from __future__ import annotations

from fastapi import APIRouter

from splendor.server import messages as m
from splendor.server.refusal import RequestRefused
from splendor.server.routes.callers import Calling, Owning, Serving
from splendor.server.web_push import AUTH, Subscription, decoded, encoded, is_allowed, is_point, public_point

router = APIRouter(prefix="/api", tags=["push"])


@router.get("/push")
async def key(_: Calling, service: Serving) -> m.PushKey:
    """The key that a browser needs to subscribe; none if this server tells nobody."""
    return m.PushKey(key=encoded(public_point(service.herald.key)) if service.settings.push_services else None)


@router.post("/push", status_code=204)
async def subscribe(wish: m.PushSubscription, caller: Owning, service: Serving) -> None:
    """Tell this browser when it is its person's turn at a game by days, until it signs out."""
    signed_in = caller.need()
    service.limits.spend("manners", signed_in.account.id, caller.network)
    try:
        to = Subscription(wish.endpoint, decoded(wish.p256dh), decoded(wish.auth))
    except ValueError:
        raise RequestRefused("bad_subscription") from None
    if not is_allowed(to.endpoint, service.settings.push_services):
        raise RequestRefused("unknown_push_service")
    if not is_point(to.p256dh) or len(to.auth) != AUTH or signed_in.session is None:
        raise RequestRefused("bad_subscription")
    await service.subscriptions.add(signed_in.account.id, signed_in.session, to, wish.language, service.sources.now())


@router.delete("/push", status_code=204)
async def unsubscribe(caller: Owning, service: Serving) -> None:
    """Do not tell this browser any more."""
    session = caller.need().session
    if session is not None:
        await service.subscriptions.remove(session)
