"""What the owner of an account does with it: password, second factor, recovery, sessions, tokens, data, deletion."""

from __future__ import annotations

import contextlib

from fastapi import APIRouter, Request, Response

from splendor.server import messages as m
from splendor.server.access import passwords, recovery, totp
from splendor.server.database import belongings
from splendor.server.labor.kinds import ANALYSIS, QUICK
from splendor.server.live.service import Service
from splendor.server.logs import note
from splendor.server.refusal import RequestRefused
from splendor.server.routes.callers import Caller, Confirmed, Owning, Serving, cookie_name
from splendor.server.routes.people import check_new_password, checked_name, end_everything
from splendor.server.routes.signing import check_password, check_second_factor, give_cookie, know_device, use_code

router = APIRouter(prefix="/api", tags=["account"])


def need_registered(caller: Caller) -> None:
    if not caller.need().account.is_registered:
        raise RequestRefused("not_registered")


@router.get("/account")
async def account(caller: Owning, service: Serving) -> m.AccountInfo:
    """What only the owner knows."""
    mine = caller.need().account
    return m.AccountInfo.model_validate(
        {
            "created": mine.created,
            "invitations": mine.invitations,
            "has_second_factor": mine.has_second_factor,
            "recovery_codes": await service.people.count_recovery_codes(mine.id),
            "chat": mine.chat,
            "chat_paused": mine.chat_paused if (mine.chat_paused or 0) > service.sources.now() else None,
        }
    )


@router.post("/confirm", status_code=204)
async def confirm(wish: m.Confirmation, caller: Owning, service: Serving) -> None:
    """Give the password once more: for ten minutes, routes that are refused with `confirm_password` can be used."""
    signed_in = caller.need()
    service.limits.spend("sign_in", f"session {signed_in.session}")
    await check_password(caller, signed_in.account, wish.password)
    await check_second_factor(service, caller, signed_in.account, wish.code)
    if signed_in.session is not None:
        await service.people.confirm_session(signed_in.session, service.sources.now())


@router.post("/password", status_code=204)
async def change_password(
    wish: m.NewPassword, request: Request, response: Response, caller: Owning, service: Serving
) -> None:
    """Change the password. All other sessions end, and the tokens if they are not to be kept; the cookie is new."""
    signed_in = caller.need()
    service.limits.spend("sign_in", f"session {signed_in.session}")
    mine = await check_password(caller, signed_in.account, wish.old)
    check_new_password(wish.new, mine.name or "")
    await service.people.change(mine.id, password=await passwords.hash_password(wish.new))
    await end_everything(service, mine.id, but=signed_in.session, keep_tokens=wish.keep_tokens)
    assert signed_in.session is not None
    give_cookie(response, service, await service.people.renew_session(signed_in.session, service.sources.now()))
    await know_device(request, response, service, mine.id)
    note("password changed", person=mine.id, source=caller.network)


@router.post("/recovery-codes", status_code=201)
async def make_recovery_codes(caller: Confirmed, service: Serving) -> m.RecoveryCodes:
    """New recovery codes in the place of the old ones."""
    need_registered(caller)
    codes = recovery.new_codes()
    await service.people.set_recovery_codes(caller.person.id, [recovery.plain(code) for code in codes])
    note("recovery codes made", person=caller.person.id, source=caller.network)
    return m.RecoveryCodes(codes=codes)


@router.post("/second-factor", status_code=201)
async def begin_second_factor(caller: Confirmed, service: Serving) -> m.SecondFactor:
    """A secret for an authenticator; it is in use when `confirm` was given its first code."""
    need_registered(caller)
    mine = caller.need().account
    if mine.has_second_factor:
        raise RequestRefused("has_second_factor")
    secret = totp.new_secret()
    await service.people.change(mine.id, second_factor=secret, second_factor_step=0)
    return m.SecondFactor(secret=secret, address=totp.address(secret, mine.name or ""))


@router.post("/second-factor/confirm", status_code=204)
async def confirm_second_factor(wish: m.OneTimeCode, caller: Confirmed, service: Serving) -> None:
    """The first code: from now on one is needed to sign in."""
    mine = caller.need().account
    service.limits.spend("sign_in", f"session {caller.credential}")
    if mine.second_factor is None or mine.has_second_factor or not await use_code(service, mine, wish.code):
        raise RequestRefused("wrong_code")
    note("second factor on", person=mine.id, source=caller.network)


@router.delete("/second-factor", status_code=204)
async def end_second_factor(caller: Confirmed, service: Serving) -> None:
    """Sign in by the password alone again."""
    await service.people.change(caller.person.id, second_factor=None, second_factor_step=0)
    note("second factor off", person=caller.person.id, source=caller.network)


@router.get("/account/data", response_model=m.OwnData)
async def own_data(caller: Confirmed, service: Serving) -> Response:
    """All that is stored about the caller, as a file."""
    service.limits.spend("account", caller.network)
    account, sessions = caller.need().account, await own_sessions(caller, service)
    body = await service.labor.run(
        QUICK, caller.asker, belongings.own_data, service.settings.database, account, sessions
    )
    headers = {"content-disposition": 'attachment; filename="splendor-my-data.json"'}
    return Response(body, media_type="application/json", headers=headers)


@router.delete("/account", status_code=204)
async def delete_account(response: Response, caller: Confirmed, service: Serving) -> None:
    """Delete the account for ever. Finished games stay, as those of a guest without a name."""
    service.limits.spend("account", caller.network)
    person = caller.person.id
    await service.hub.withdraw(caller.person)
    await take_name_away(service, caller)  # if there is no room for that now, the caller can ask again
    await end_everything(service, person, but=None)
    with contextlib.suppress(RequestRefused):
        await service.hub.withdraw(caller.person)  # from tables that were joined meanwhile
        await take_name_away(service, caller)
    await service.belongings.erase(person)
    note("account deleted", person=person, source=caller.network)
    response.delete_cookie(cookie_name(service.settings), path="/", secure=service.settings.is_secure, httponly=True)


async def take_name_away(service: Service, caller: Caller) -> None:
    """Out of all logs and records; raises RequestRefused if no worker has time to look for it."""
    database = service.settings.database
    for trace in await service.labor.run(ANALYSIS, caller.asker, belongings.traces_of, database, caller.person.id):
        await service.belongings.wipe(trace)
        await service.reread(trace.game)


async def own_sessions(caller: Caller, service: Serving) -> list[m.SessionInfo]:
    signed_in = caller.need()
    return [
        m.SessionInfo(
            id=row.id, created=row.created, seen=row.seen, agent=row.agent, is_this=row.id == signed_in.session
        )
        for row in await service.people.sessions_of(signed_in.account.id)
    ]


@router.get("/sessions")
async def sessions(caller: Owning, service: Serving) -> list[m.SessionInfo]:
    """The browsers that are signed in."""
    return await own_sessions(caller, service)


@router.delete("/sessions/{session}", status_code=204)
async def end_session(session: m.TableId, caller: Owning, service: Serving) -> None:
    """Sign a browser out."""
    if not await service.people.end_session(caller.need().account.id, session):
        raise RequestRefused("not_found")
    await service.revoke(session)
    note("session revoked", person=caller.person.id, source=caller.network)


@router.post("/me/computer")
async def become_computer(caller: Owning, service: Serving) -> m.Me:
    """Mark this account as a program's, for ever. It must be registered and must not have played."""
    signed_in = caller.need()
    need_registered(caller)
    if not await service.people.mark_as_computer(signed_in.account.id):
        raise RequestRefused("has_played")
    person = signed_in.account.person.model_copy(update={"is_computer": True})
    return m.Me(person=person, is_registered=True, scopes=list(signed_in.scopes))


@router.get("/tokens")
async def tokens(caller: Owning, service: Serving) -> list[m.TokenInfo]:
    """Your tokens."""
    return await service.people.tokens_of(caller.need().account.id)


@router.post("/tokens", status_code=201)
async def make_token(wish: m.NewToken, caller: Confirmed, service: Serving) -> m.TokenMade:
    """Make a token for a program. Its secret is shown this once."""
    service.limits.spend("account", caller.network)
    made = await service.people.new_token(caller.person.id, wish, checked_name(wish.name), service.sources.now())
    note("token made", person=caller.person.id, source=caller.network)
    return made


@router.delete("/tokens/{token}", status_code=204)
async def end_token(token: m.TableId, caller: Owning, service: Serving) -> None:
    """Revoke a token."""
    if not await service.people.end_token(caller.need().account.id, token):
        raise RequestRefused("not_found")
    await service.revoke(token)
    note("token revoked", person=caller.person.id, source=caller.network)
