"""Being somebody: guest, account, and signing in and out."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from splendor.server import messages as m
from splendor.server.access import names, passwords, recovery
from splendor.server.database.people import NameTaken, SignedIn
from splendor.server.live.service import Service
from splendor.server.logs import note
from splendor.server.refusal import RequestRefused
from splendor.server.routes.callers import Calling, Owning, Reading, Serving, cookie_name
from splendor.server.routes.signing import (
    agent_of,
    check_password,
    check_second_factor,
    give_cookie,
    know_device,
    slow_down,
)

router = APIRouter(prefix="/api", tags=["people"])

ALL_SCOPES = ["read", "play", "create", "account"]


def me(signed_in: SignedIn) -> m.Me:
    return m.Me(
        person=signed_in.account.person,
        is_registered=signed_in.account.is_registered,
        scopes=list(signed_in.scopes),
    )


def checked_name(text: str) -> str:
    """A name that can be used; raises RequestRefused."""
    try:
        return names.normalise(text)
    except names.BadName as error:
        raise RequestRefused(error.code, longest=names.LONGEST) from None


def allowed_name(text: str, service: Service) -> str:
    """One that a person may have; raises RequestRefused."""
    name = checked_name(text)
    try:
        names.check_reserved(name, service.hub.levels)
    except names.BadName as error:
        raise RequestRefused(error.code) from None
    return name


def check_new_password(password: str, name: str) -> None:
    """Raises RequestRefused for a password that would soon be guessed."""
    if len(password) < passwords.SHORTEST:
        raise RequestRefused("password_too_short", shortest=passwords.SHORTEST)
    if passwords.is_common(password, name):
        raise RequestRefused("password_too_common")


@router.post("/session")
async def begin(request: Request, response: Response, caller: Calling, service: Serving) -> m.Me:
    """Be somebody: who you are already, or a new guest with a cookie."""
    if caller.signed_in is not None:
        return me(caller.need("read"))
    service.limits.spend("account", caller.network)
    account, secret = await service.people.new_guest(service.sources.now(), agent_of(request))
    give_cookie(response, service, secret)
    return m.Me(person=account.person, is_registered=False, scopes=ALL_SCOPES)


@router.get("/me")
async def who_am_i(caller: Reading) -> m.Me:
    """Who the caller is."""
    return me(caller.need())


@router.post("/me")
async def introduce(wish: m.Introduction, caller: Owning, service: Serving) -> m.Me:
    """Choose a picture, and as a guest a name; all own tables show it at once."""
    account = caller.need().account
    service.limits.spend("manners", account.id, caller.network)
    if account.is_registered and wish.name is not None:
        raise RequestRefused("already_registered")
    nick = None if wish.name is None else allowed_name(wish.name, service)
    try:
        await service.people.call(account.id, nick, nick and names.look_of(nick), wish.avatar)
    except NameTaken:
        raise RequestRefused("name_taken") from None
    return await introduced(service, account.id)


async def introduced(service: Service, person: str) -> m.Me:
    """Somebody who has changed, as all own tables show it from now on."""
    account = await service.people.by_id(person)
    assert account is not None
    await service.hub.tasks.undisturbed(service.hub.introduce(account.person))
    return m.Me(person=account.person, is_registered=account.is_registered, scopes=ALL_SCOPES)


@router.post("/register")
async def register(wish: m.Credentials, request: Request, response: Response, caller: Owning, service: Serving) -> m.Me:
    """Give a guest a name and a password; the games stay. The cookie is a new one."""
    service.limits.spend("account", caller.network)
    signed_in = caller.need()
    account = signed_in.account
    if account.is_registered:
        raise RequestRefused("already_registered")
    name = allowed_name(wish.name, service)
    check_new_password(wish.password, name)
    hash = await passwords.hash_password(wish.password)
    try:
        is_new = await service.people.register(account.id, name, names.key_of(name), names.look_of(name), hash)
    except NameTaken:
        raise RequestRefused("name_taken") from None
    if not is_new:  # it was registered while the password was hashed
        raise RequestRefused("already_registered")
    assert signed_in.session is not None
    give_cookie(response, service, await service.people.renew_session(signed_in.session, service.sources.now()))
    await know_device(request, response, service, account.id)
    note("registered", person=account.id, source=caller.network)
    return await introduced(service, account.id)


@router.post("/login")
async def sign_in(wish: m.Credentials, request: Request, response: Response, caller: Calling, service: Serving) -> m.Me:
    """Sign in with name and password, and with a code if there is a second factor."""
    key = names.key_of(wish.name)
    found = await service.people.by_name(key)
    await slow_down(request, service, caller, key, found)
    account = await check_password(caller, found, wish.password)
    await check_second_factor(service, caller, account, wish.code)
    return await signed_in_anew(request, response, service, caller, account.id)


async def signed_in_anew(request: Request, response: Response, service: Service, caller: Calling, person: str) -> m.Me:
    """A new session in the place of the one that this browser had, whose connections end."""
    if caller.signed_in is not None and caller.signed_in.session is not None:
        await service.people.end_session(caller.signed_in.account.id, caller.signed_in.session)
        await service.revoke(caller.signed_in.session)
    give_cookie(response, service, await service.people.new_session(person, service.sources.now(), agent_of(request)))
    await know_device(request, response, service, person)
    note("signed in", person=person, source=caller.network)
    account = await service.people.by_id(person)
    assert account is not None
    return m.Me(person=account.person, is_registered=True, scopes=ALL_SCOPES)


@router.post("/recover")
async def recover(wish: m.Recovery, request: Request, response: Response, caller: Calling, service: Serving) -> m.Me:
    """Set a new password by a recovery code, and sign in. All sessions and tokens end, and the second factor."""
    key = names.key_of(wish.name)
    account = await service.people.by_name(key)
    await slow_down(request, service, caller, key, account)
    check_new_password(wish.new, wish.name)
    hash = await passwords.hash_password(wish.new)  # first, so that it takes as long for a name that is not there
    if account is None or not await service.people.use_recovery_code(account.id, recovery.plain(wish.code)):
        note("wrong recovery code", person=account.id if account else None, source=caller.network)
        raise RequestRefused("wrong_credentials")
    await service.people.change(account.id, password=hash, second_factor=None, second_factor_step=0)
    await end_everything(service, account.id, but=None)
    note("password recovered", person=account.id, source=caller.network)
    return await signed_in_anew(request, response, service, caller, account.id)


async def end_everything(service: Service, person: str, but: str | None, *, keep_tokens: bool = False) -> None:
    """Sign out all browsers but one, forget all devices, and revoke all tokens."""
    ended = await service.people.end_other_sessions(person, but)
    if not keep_tokens:
        ended += await service.people.end_tokens(person)
    await service.people.forget_devices(person)
    for credential in ended:
        await service.revoke(credential)


@router.post("/logout", status_code=204)
async def sign_out(response: Response, caller: Owning, service: Serving) -> None:
    """End this session."""
    session = caller.need().session
    if session is not None:
        await service.people.end_session(caller.need().account.id, session)
        await service.revoke(session)
    response.delete_cookie(cookie_name(service.settings), path="/", secure=service.settings.is_secure, httponly=True)
