"""Being somebody: guest, account, sessions, tokens."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from splendor.server import messages as m
from splendor.server import names, passwords
from splendor.server.access import COOKIE_SECONDS, Calling, Owning, Reading, Serving, cookie_name
from splendor.server.database.people import NameTaken, SignedIn
from splendor.server.refusal import Refused
from splendor.server.service import Service

router = APIRouter(prefix="/api", tags=["people"])

LONGEST_AGENT = 120


def agent_of(request: Request) -> str:
    """The browser, as it names itself, for the list of sessions."""
    text = request.headers.get("user-agent", "")
    return "".join(sign for sign in text if sign.isprintable())[:LONGEST_AGENT]


def give_cookie(response: Response, service: Service, secret: str) -> None:
    """Sign a browser in: a cookie that scripts cannot read and other sites cannot send."""
    response.set_cookie(
        cookie_name(service.settings),
        secret,
        max_age=COOKIE_SECONDS,
        path="/",
        secure=service.settings.is_secure,
        httponly=True,
        samesite="lax",
    )


def me(signed_in: SignedIn) -> m.Me:
    return m.Me(
        person=signed_in.account.person,
        is_registered=signed_in.account.password is not None,
        scopes=list(signed_in.scopes),
    )


def checked_name(text: str) -> str:
    """A name that can be used; raises Refused."""
    try:
        return names.normalise(text)
    except names.BadName as error:
        raise Refused(error.code, longest=names.LONGEST) from None


def check_password(password: str) -> None:
    if len(password) < passwords.SHORTEST:
        raise Refused("password_too_short", shortest=passwords.SHORTEST)


@router.post("/session")
async def begin(request: Request, response: Response, caller: Calling, service: Serving) -> m.Me:
    """Be somebody: who you are already, or a new guest with a cookie."""
    if caller.signed_in is not None:
        return me(caller.signed_in)
    service.limits.spend("account", caller.address)
    account, secret = await service.people.new_guest(service.sources.now(), agent_of(request))
    give_cookie(response, service, secret)
    return m.Me(person=account.person, is_registered=False, scopes=["read", "play", "create", "account"])


@router.get("/me")
async def who_am_i(caller: Reading) -> m.Me:
    """Who the caller is."""
    return me(caller.need())


@router.post("/register")
async def register(wish: m.Credentials, caller: Owning, service: Serving) -> m.Me:
    """Give a guest a name and a password; the games stay."""
    service.limits.spend("account", caller.address)
    account = caller.need().account
    if account.password is not None:
        raise Refused("already_registered")
    name = checked_name(wish.name)
    check_password(wish.password)
    try:
        await service.people.register(
            account.id, name, names.key_of(name), await passwords.hash_password(wish.password)
        )
    except NameTaken:
        raise Refused("name_taken") from None
    changed = await service.people.by_id(account.id)
    assert changed is not None
    return m.Me(person=changed.person, is_registered=True, scopes=list(caller.need().scopes))


@router.post("/login")
async def sign_in(wish: m.Credentials, request: Request, response: Response, caller: Calling, service: Serving) -> m.Me:
    """Sign in with name and password."""
    service.limits.spend("account", caller.address)
    key = names.key_of(wish.name)
    service.limits.spend("account", f"name:{key}")
    account = await service.people.by_name(key)
    if not await passwords.is_right(wish.password, account.password if account else None) or account is None:
        raise Refused("wrong_credentials")
    if caller.signed_in is not None and caller.signed_in.session is not None:
        await service.people.end_session(caller.signed_in.account.id, caller.signed_in.session)
    secret = await service.people.new_session(account.id, service.sources.now(), agent_of(request))
    give_cookie(response, service, secret)
    return m.Me(person=account.person, is_registered=True, scopes=["read", "play", "create", "account"])


@router.post("/logout", status_code=204)
async def sign_out(response: Response, caller: Owning, service: Serving) -> None:
    """End this session."""
    session = caller.need().session
    if session is not None:
        await service.people.end_session(caller.need().account.id, session)
        await service.revoke(session)
    response.delete_cookie(cookie_name(service.settings), path="/", secure=service.settings.is_secure, httponly=True)


@router.post("/password", status_code=204)
async def change_password(wish: m.NewPassword, caller: Owning, service: Serving) -> None:
    """Change the password; all other sessions end."""
    service.limits.spend("account", caller.address)
    signed_in = caller.need()
    if not await passwords.is_right(wish.old, signed_in.account.password):
        raise Refused("wrong_credentials")
    check_password(wish.new)
    await service.people.set_password(signed_in.account.id, await passwords.hash_password(wish.new))
    for session in await service.people.end_other_sessions(signed_in.account.id, signed_in.session):
        await service.revoke(session)


@router.get("/sessions")
async def sessions(caller: Owning, service: Serving) -> list[m.SessionInfo]:
    """The browsers that are signed in."""
    signed_in = caller.need()
    return [
        m.SessionInfo(
            id=row.id, created=row.created, seen=row.seen, agent=row.agent, is_this=row.id == signed_in.session
        )
        for row in await service.people.sessions_of(signed_in.account.id)
    ]


@router.delete("/sessions/{session}", status_code=204)
async def end_session(session: m.TableId, caller: Owning, service: Serving) -> None:
    """Sign a browser out."""
    if not await service.people.end_session(caller.need().account.id, session):
        raise Refused("not_found")
    await service.revoke(session)


@router.post("/me/computer")
async def become_computer(caller: Owning, service: Serving) -> m.Me:
    """Mark this account as a program's, for ever. It must be registered and must not have played."""
    signed_in = caller.need()
    if signed_in.account.password is None:
        raise Refused("not_registered")
    if not await service.people.mark_as_computer(signed_in.account.id):
        raise Refused("has_played")
    person = signed_in.account.person.model_copy(update={"is_computer": True})
    return m.Me(person=person, is_registered=True, scopes=list(signed_in.scopes))


@router.get("/tokens")
async def tokens(caller: Owning, service: Serving) -> list[m.TokenInfo]:
    """Your tokens."""
    return await service.people.tokens_of(caller.need().account.id)


@router.post("/tokens", status_code=201)
async def make_token(wish: m.NewToken, caller: Owning, service: Serving) -> m.TokenMade:
    """Make a token for a program. Its secret is shown this once."""
    service.limits.spend("account", caller.address)
    return await service.people.new_token(
        caller.need().account.id, wish, checked_name(wish.name), service.sources.now()
    )


@router.delete("/tokens/{token}", status_code=204)
async def end_token(token: m.TableId, caller: Owning, service: Serving) -> None:
    """Revoke a token."""
    if not await service.people.end_token(caller.need().account.id, token):
        raise Refused("not_found")
    await service.revoke(token)
