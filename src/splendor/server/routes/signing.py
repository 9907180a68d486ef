"""Signing in, whatever the route: cookies, known devices, and how tries are slowed down.

Tries at a name are counted with the address they come from, so that somebody far away cannot lock the owner out. All
tries from devices that are not known are counted together, at a much higher number. A device on which the owner has
signed in before is counted by itself, and gets in whatever happens elsewhere.
"""

from __future__ import annotations

import secrets

from fastapi import Request, Response

from splendor.server.access import passwords, recovery, totp
from splendor.server.config import Settings
from splendor.server.database.people import SECRET_BYTES, Account, hash_secret
from splendor.server.live.service import Service
from splendor.server.logs import note
from splendor.server.refusal import RequestRefused
from splendor.server.routes.callers import COOKIE_SECONDS, Caller, cookie_name

DEVICE_SECONDS = 400 * 86_400  # the longest that browsers keep a cookie
LONGEST_AGENT = 120


def agent_of(request: Request) -> str:
    """The browser, as it names itself, for the list of sessions."""
    text = request.headers.get("user-agent", "")
    return "".join(sign for sign in text if sign.isprintable())[:LONGEST_AGENT]


def give_cookie(response: Response, service: Service, secret: str) -> None:
    """Sign a browser in: a cookie that scripts cannot read and other sites cannot send."""
    _set(response, service.settings, cookie_name(service.settings), secret, COOKIE_SECONDS)


def device_cookie(settings: Settings) -> str:
    return f"{cookie_name(settings)}-device"


def _set(response: Response, settings: Settings, name: str, secret: str, seconds: int) -> None:
    response.set_cookie(
        name, secret, max_age=seconds, path="/", secure=settings.is_secure, httponly=True, samesite="lax"
    )


async def know_device(request: Request, response: Response, service: Service, person: str) -> None:
    """Remember that a person has signed in here."""
    name = device_cookie(service.settings)
    secret = request.cookies.get(name) or secrets.token_urlsafe(SECRET_BYTES)
    await service.people.know_device(person, secret, service.sources.now())
    _set(response, service.settings, name, secret, DEVICE_SECONDS)


async def slow_down(request: Request, service: Service, caller: Caller, key: str, account: Account | None) -> None:
    """Count a try at a name; raises RequestRefused."""
    device = request.cookies.get(device_cookie(service.settings))
    if device and account and await service.people.is_known_device(account.id, device):
        service.limits.spend("sign_in", f"device {hash_secret(device)} {account.id}")
        return
    service.limits.spend("account", caller.network)
    service.limits.spend("sign_in", f"{caller.network} {key}")
    service.limits.spend("guess", key)


async def check_password(caller: Caller, account: Account | None, password: str) -> Account:
    """The account, if the password is its own; raises RequestRefused."""
    if not await passwords.is_right(password, account.password if account else None) or account is None:
        note("wrong password", person=account.id if account else None, source=caller.network)
        raise RequestRefused("wrong_credentials")
    return account


async def check_second_factor(service: Service, caller: Caller, account: Account, code: str | None) -> None:
    """The code of the second factor, if there is one; raises RequestRefused."""
    if not account.has_second_factor:
        return
    if code is None:
        raise RequestRefused("code_needed")
    if await use_code(service, account, code):
        return
    if await service.people.use_recovery_code(account.id, recovery.plain(code)):
        note("recovery code used", person=account.id, source=caller.network)
        return
    note("wrong code", person=account.id, source=caller.network)
    raise RequestRefused("wrong_code")


async def use_code(service: Service, account: Account, code: str) -> bool:
    """Is this a code of now, and not used before?"""
    assert account.second_factor is not None
    step = totp.accepted_step(
        account.second_factor, code.replace(" ", ""), service.sources.now(), account.second_factor_step
    )
    return step is not None and await service.people.use_step(account.id, step)
