"""Who calls: by cookie or by token, with what they may do. Every route says which of these it needs.

Scopes are asked here and nowhere else. `Caller.may` is the question; a route gets a caller by one of the types at
the end of this file, and a caller that looks on without the scope to read looks on as nobody.
"""

from __future__ import annotations

from math import inf
from typing import Annotated, Literal

from fastapi import Depends
from starlette.requests import HTTPConnection

from splendor.server import messages as m
from splendor.server.access.networks import network_of
from splendor.server.access.security import address_of
from splendor.server.config import Settings
from splendor.server.database.people import GUEST_IDLE, SignedIn
from splendor.server.labor.queue import Visitor
from splendor.server.live.service import Service
from splendor.server.refusal import RequestRefused


def service_of(connection: HTTPConnection) -> Service:
    """The service behind the application."""
    service: Service = connection.app.state.service
    return service


Serving = Annotated[Service, Depends(service_of)]


def cookie_name(settings: Settings) -> str:
    """The prefix makes browsers insist on https and on this very host."""
    return "__Host-splendor" if settings.is_secure else "splendor"


Scope = m.Scope | Literal["account"]
COOKIE_SECONDS = int(GUEST_IDLE)
CONFIRMED_SECONDS = 600.0  # for which a password that was asked for is good


class Caller:
    """Whoever calls, signed in or not."""

    def __init__(self, signed_in: SignedIn | None, address: str) -> None:
        """Without a sign of who it is, the caller is only an address."""
        self.signed_in, self.address = signed_in, address

    @property
    def network(self) -> str:
        """Where the caller is, as limits and shares count it."""
        return network_of(self.address)

    @property
    def visitor(self) -> str:
        """Whose share it is that a request uses up: the person's, or the network's of a stranger."""
        return self.signed_in.account.id if self.signed_in else self.network

    @property
    def credential(self) -> str | None:
        """The session or token that the caller came with."""
        return (self.signed_in.session or self.signed_in.token) if self.signed_in else None

    @property
    def asker(self) -> Visitor:
        """The caller as queues count it."""
        return Visitor(self.visitor, self.network)

    @property
    def until(self) -> float:
        """When the session or token ends by itself."""
        return self.signed_in.until if self.signed_in else inf

    @property
    def person(self) -> m.Person:
        """The person; there must be one."""
        return self.need().account.person

    @property
    def eyes(self) -> str | None:
        """The id of the person as whom the caller sees; None for whoever sees what strangers see."""
        return self.signed_in.account.id if self.signed_in and self.may("read") else None

    @property
    def has_chat(self) -> bool:
        """Is it somebody with an account at a browser, who may be shown what others write?"""
        account = self.signed_in.account if self.signed_in and self.may("account") else None
        return account is not None and account.is_registered and not account.is_computer

    def may(self, scope: Scope) -> bool:
        """The one place where a scope is asked."""
        return self.signed_in is not None and scope in self.signed_in.scopes

    def need(self, scope: Scope | None = None) -> SignedIn:
        """Insist on a person who may do this; raises RequestRefused."""
        if self.signed_in is None:
            raise RequestRefused("sign_in")
        if scope is not None and not self.may(scope):
            raise RequestRefused("missing_scope", scope=scope)
        return self.signed_in


async def caller_of(connection: HTTPConnection, service: Serving) -> Caller:
    """Who calls; raises RequestRefused for a token or cookie that is not valid."""
    address = address_of(connection.scope)
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    now = service.sources.now()
    if kind.lower() == "bearer":
        signed_in = await service.people.by_token(token.strip(), now)
        if signed_in is None:
            raise RequestRefused("sign_in")
        return Caller(signed_in, address)
    cookie = connection.cookies.get(cookie_name(service.settings))
    return Caller(await service.people.by_cookie(cookie, now) if cookie else None, address)


Calling = Annotated[Caller, Depends(caller_of)]


def _needing(scope: Scope) -> object:
    async def needing(caller: Calling) -> Caller:
        caller.need(scope)
        return caller

    return Depends(needing)


async def looking(caller: Calling) -> Caller:
    """A caller as it may look on; raises RequestRefused."""
    if caller.signed_in is not None:
        caller.need("read")
    return caller


Looking = Annotated[Caller, Depends(looking)]  # strangers too, but no token that may not read
Reading = Annotated[Caller, _needing("read")]
Playing = Annotated[Caller, _needing("play")]
Creating = Annotated[Caller, _needing("create")]


async def confirmed(caller: Annotated[Caller, _needing("account")], service: Serving) -> Caller:
    """An owner whose password was asked for a short time ago; guests have none. Raises RequestRefused."""
    signed_in = caller.need()
    if signed_in.account.is_registered and service.sources.now() - signed_in.confirmed > CONFIRMED_SECONDS:
        raise RequestRefused("confirm_password")
    return caller


Confirmed = Annotated[Caller, Depends(confirmed)]
Owning = Annotated[Caller, _needing("account")]  # only by cookie: a token cannot make tokens or change a password
