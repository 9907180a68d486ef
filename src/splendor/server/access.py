"""Who calls: by cookie or by token, with what they may do. Every route says which of these it needs."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from splendor.server import messages as m
from splendor.server.config import Settings
from splendor.server.database.people import SESSION_SECONDS, SignedIn
from splendor.server.refusal import Refused
from splendor.server.service import Service


def service_of(connection: HTTPConnection) -> Service:
    """The service behind the application."""
    service: Service = connection.app.state.service
    return service


Serving = Annotated[Service, Depends(service_of)]


def address_of(connection: HTTPConnection) -> str:
    """Where the caller is; behind a proxy that is believed, as the proxy says."""
    return connection.client.host if connection.client else "?"


def cookie_name(settings: Settings) -> str:
    """The prefix makes browsers insist on https and on this very host."""
    return "__Host-splendor" if settings.is_secure else "splendor"


COOKIE_SECONDS = int(SESSION_SECONDS)


class Caller:
    """Whoever calls, signed in or not."""

    def __init__(self, signed_in: SignedIn | None, address: str) -> None:
        """Without a sign of who it is, the caller is only an address."""
        self.signed_in, self.address = signed_in, address

    @property
    def id(self) -> str | None:
        """The id of the person, if there is one."""
        return self.signed_in.account.id if self.signed_in else None

    @property
    def person(self) -> m.Person:
        """The person; there must be one."""
        return self.need().account.person

    def need(self, scope: str | None = None) -> SignedIn:
        """Insist on a person who may do this; raises Refused."""
        if self.signed_in is None:
            raise Refused("sign_in")
        if scope is not None and scope not in self.signed_in.scopes:
            raise Refused("missing_scope", scope=scope)
        return self.signed_in


async def caller_of(connection: HTTPConnection, service: Serving) -> Caller:
    """Who calls; raises Refused for a token or cookie that is not valid."""
    address = address_of(connection)
    service.limits.spend("request", address)
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    now = service.sources.now()
    if kind.lower() == "bearer":
        signed_in = await service.people.by_token(token.strip(), now)
        if signed_in is None:
            raise Refused("sign_in")
        return Caller(signed_in, address)
    cookie = connection.cookies.get(cookie_name(service.settings))
    return Caller(await service.people.by_cookie(cookie, now) if cookie else None, address)


Calling = Annotated[Caller, Depends(caller_of)]


def _needing(scope: str) -> object:
    async def needing(caller: Calling) -> Caller:
        caller.need(scope)
        return caller

    return Depends(needing)


Reading = Annotated[Caller, _needing("read")]
Playing = Annotated[Caller, _needing("play")]
Creating = Annotated[Caller, _needing("create")]
Owning = Annotated[Caller, _needing("account")]  # only by cookie: a token cannot make tokens or change a password
