"""People, their sessions and their tokens. Cookies and tokens are stored as hashes only."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from functools import lru_cache

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from splendor.server import messages as m
from splendor.server.database.schema import Row, devices, people, recovery_codes, seats, sessions, tokens

SECRET_BYTES = 32  # of a cookie or token
TOKEN_PREFIX = "spl_"  # so that a token which got into a public place can be found
DAY = 86_400.0
GUEST_IDLE = 365 * DAY  # a guest who was away for longer is forgotten: without a password nobody can come back
SESSION_IDLE = 60 * DAY  # until a browser must sign in again if it was away
SESSION_LIFETIME = 180 * DAY  # and in any case
DEVICES = 20  # that are known of one person
GUEST_NUMBERS = 10_000


class NameTaken(Exception):
    """Somebody has this name."""


def new_id() -> str:
    """128 random bits that can stand in a URL."""
    return secrets.token_urlsafe(16)


def hash_secret(secret: str) -> str:
    """What is stored of a cookie or token; they are random, so that a plain hash is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Account:
    """A person as stored."""

    id: str
    name: str | None
    password: str | None
    is_computer: bool
    created: float = 0.0
    invitations: str = "everyone"
    second_factor: str | None = None
    second_factor_step: int = 0
    nick: str | None = None
    avatar: str | None = None
    chat: bool = False
    chat_paused: float | None = None

    @property
    def is_registered(self) -> bool:
        """Has it a password?"""
        return self.password is not None

    @property
    def has_second_factor(self) -> bool:
        """Is a one-time code asked for? Not before the first one was right."""
        return self.second_factor is not None and self.second_factor_step > 0

    @property
    def person(self) -> m.Person:
        """As others see it."""
        return person_of(self.id, self)


SHOWN = (people.c.name, people.c.is_computer, people.c.nick, people.c.avatar)  # of a person, to everybody


@lru_cache(10_000)
def guest_number(id: str) -> int:
    """By which a guest without a name is known."""
    return int(hashlib.sha256(id.encode()).hexdigest(), 16) % GUEST_NUMBERS


def person_of(id: str, shown: Row | Account | None = None) -> m.Person:
    """A player by a row or account with what is `SHOWN` of it; our computers have the level in their id."""
    if id.startswith("computer:"):
        return m.Person(id=id, name=None, is_computer=True, level=id.removeprefix("computer:"))
    number = guest_number(id)
    if shown is None:
        return m.Person(id=id, name=None, guest=number)
    is_computer = bool(shown.is_computer)
    if shown.name is not None:
        return m.Person(id=id, name=shown.name, is_computer=is_computer, avatar=shown.avatar)
    return m.Person(id=id, name=shown.nick, guest=number, is_computer=is_computer, avatar=shown.avatar)


@dataclass(frozen=True, slots=True)
class SignedIn:
    """An account, and by which session or token it came."""

    account: Account
    session: str | None
    token: str | None
    scopes: tuple[str, ...]
    until: float  # when the session or token ends by itself
    confirmed: float = 0.0  # when the password was last asked for, in this session


def account_of(row: Row) -> Account:
    """A person by all that is stored."""
    return Account(
        id=row.id,
        name=row.name,
        password=row.password,
        is_computer=row.is_computer,
        created=row.created,
        invitations=row.invitations,
        second_factor=row.second_factor,
        second_factor_step=row.second_factor_step,
        nick=row.nick,
        avatar=row.avatar,
        chat=row.chat,
        chat_paused=row.chat_paused,
    )


def session_ends(*, is_registered: bool, created: float, seen: float) -> float:
    """When a session ends that is not used any more."""
    return min(seen + SESSION_IDLE, created + SESSION_LIFETIME) if is_registered else seen + GUEST_IDLE


class People:
    """Reads and changes accounts."""

    def __init__(self, engine: AsyncEngine) -> None:
        """Over a database that is up to date."""
        self.engine = engine

    def _writing(self) -> AbstractAsyncContextManager[AsyncConnection]:
        return self.engine.execution_options(is_writer=True).begin()

    # ------------------------------------------------------------------------------------------- accounts

    async def new_guest(self, now: float, agent: str) -> tuple[Account, str]:
        """A new person with a session; returns the secret for the cookie."""
        account = Account(new_id(), None, None, False)
        async with self._writing() as connection:
            await connection.execute(people.insert().values(id=account.id, is_computer=False, created=now))
            secret = await self._new_session(connection, account.id, now, agent)
        return account, secret

    async def by_name(self, key: str) -> Account | None:
        """Who has this name, by its form for comparing."""
        return await self._one(people.c.name_key == key)

    async def by_id(self, id: str) -> Account | None:
        """A person by id."""
        return await self._one(people.c.id == id)

    async def _one(self, condition: sa.ColumnElement[bool]) -> Account | None:
        async with self.engine.connect() as connection:
            row = (await connection.execute(sa.select(people).where(condition))).first()
        return None if row is None else account_of(row)

    async def register(self, id: str, name: str, key: str, look: str, password: str) -> bool:
        """Give a guest a name and a password; False for who has one by now.

        Raises NameTaken, also for a name that only looks the same.
        """
        try:
            async with self._writing() as connection:
                guest = sa.and_(people.c.id == id, people.c.password.is_(None))
                values = {"name": name, "name_key": key, "look": look, "password": password}
                done = await connection.execute(
                    people.update().where(guest).values(**values, nick=None, nick_look=None)
                )
                if not done.rowcount:
                    return False
                others = people.c.nick_look == look  # guests, who now could be taken for this person
                await connection.execute(people.update().where(others).values(nick=None, nick_look=None))
                return True
        except sa.exc.IntegrityError:
            raise NameTaken from None

    async def note_looks(self, look_of: Callable[[str], str]) -> None:
        """Note how the names look that were given before looks were compared; of two that look alike, the first."""
        query = sa.select(people.c.id, people.c.name).where(people.c.name.is_not(None), people.c.look.is_(None))
        async with self._writing() as connection:
            rows = list(await connection.execute(query.order_by(people.c.created)))
            taken = set(
                (await connection.execute(sa.select(people.c.look).where(people.c.look.is_not(None)))).scalars()
            )
            for row in rows:
                look = look_of(row.name)
                if look not in taken:
                    taken.add(look)
                    await connection.execute(people.update().where(people.c.id == row.id).values(look=look))

    async def change(self, id: str, **values: object) -> None:
        """Change a password, a second factor, who may invite, or who may ask to write."""
        async with self._writing() as connection:
            await connection.execute(people.update().where(people.c.id == id).values(**values))

    async def set_calendar(self, id: str, secret: str | None) -> None:
        """The secret in the address of a person's calendar; an earlier one is void."""
        await self.change(id, calendar=None if secret is None else hash_secret(secret))

    async def has_calendar(self, id: str) -> bool:
        """Is there an address?"""
        query = sa.select(people.c.calendar).where(people.c.id == id)
        async with self.engine.connect() as connection:
            return (await connection.execute(query)).scalar() is not None

    async def by_calendar(self, secret: str) -> str | None:
        """Whose address is this?"""
        query = sa.select(people.c.id).where(people.c.calendar == hash_secret(secret))
        async with self.engine.connect() as connection:
            found = (await connection.execute(query)).scalar()
        return None if found is None else str(found)

    async def call(self, id: str, nick: str | None, look: str | None, avatar: str | None) -> None:
        """What a guest is called and looks like; raises NameTaken for a name that could be taken for an account's."""
        async with self._writing() as connection:
            if (
                look is not None
                and (await connection.execute(sa.select(people.c.id).where(people.c.look == look))).first()
            ):
                raise NameTaken
            values = {"nick": nick, "nick_look": look, "avatar": avatar}
            await connection.execute(people.update().where(people.c.id == id).values(values))

    async def use_step(self, id: str, step: int) -> bool:
        """Note that the one-time code of this step was used; False if it was already, or a later one."""
        condition = sa.and_(people.c.id == id, people.c.second_factor_step < step)
        async with self._writing() as connection:
            done = await connection.execute(people.update().where(condition).values(second_factor_step=step))
        return bool(done.rowcount)

    async def set_recovery_codes(self, id: str, codes: list[str]) -> None:
        """New recovery codes in the place of the old ones."""
        async with self._writing() as connection:
            await connection.execute(recovery_codes.delete().where(recovery_codes.c.person == id))
            if codes:
                rows = [{"hash": hash_secret(code), "person": id} for code in codes]
                await connection.execute(recovery_codes.insert(), rows)

    async def use_recovery_code(self, id: str, code: str) -> bool:
        """Use up a recovery code; False if the person has no such one."""
        condition = sa.and_(recovery_codes.c.hash == hash_secret(code), recovery_codes.c.person == id)
        async with self._writing() as connection:
            return bool((await connection.execute(recovery_codes.delete().where(condition))).rowcount)

    async def count_recovery_codes(self, id: str) -> int:
        """How many are left."""
        query = sa.select(sa.func.count()).select_from(recovery_codes).where(recovery_codes.c.person == id)
        async with self.engine.connect() as connection:
            return int((await connection.execute(query)).scalar_one())

    # -------------------------------------------------------------------------------------------- devices

    async def is_known_device(self, id: str, secret: str) -> bool:
        """Has this person signed in on the device with this cookie?"""
        condition = sa.and_(devices.c.hash == hash_secret(secret), devices.c.person == id)
        async with self.engine.connect() as connection:
            return (await connection.execute(sa.select(devices.c.seen).where(condition))).first() is not None

    async def know_device(self, id: str, secret: str, now: float) -> None:
        """Remember that a person signed in on this device; of many the latest."""
        hash = hash_secret(secret)
        async with self._writing() as connection:
            mine = devices.c.person == id
            await connection.execute(devices.delete().where(mine, devices.c.hash == hash))
            await connection.execute(devices.insert().values(hash=hash, person=id, seen=now))
            latest = sa.select(devices.c.seen).where(mine).order_by(devices.c.seen.desc()).offset(DEVICES).limit(1)
            oldest = (await connection.execute(latest)).scalar()
            if oldest is not None:
                await connection.execute(devices.delete().where(mine, devices.c.seen <= oldest))

    async def forget_devices(self, id: str) -> None:
        """Know no device of a person any more."""
        async with self._writing() as connection:
            await connection.execute(devices.delete().where(devices.c.person == id))

    async def mark_as_computer(self, id: str) -> bool:
        """Mark an account as a computer's, for ever; only before it has sat at a table."""
        async with self._writing() as connection:
            if (await connection.execute(sa.select(seats.c.game).where(seats.c.person == id).limit(1))).first():
                return False
            await connection.execute(people.update().where(people.c.id == id).values(is_computer=True))
        return True

    # ------------------------------------------------------------------------------------------- sessions

    async def _new_session(self, connection: AsyncConnection, person: str, now: float, agent: str) -> str:
        secret = secrets.token_urlsafe(SECRET_BYTES)
        row = {"id": new_id(), "hash": hash_secret(secret), "person": person, "created": now, "seen": now}
        row["confirmed"] = now
        await connection.execute(sessions.insert().values(**row, agent=agent))
        return secret

    async def new_session(self, person: str, now: float, agent: str) -> str:
        """Sign in; returns the secret for the cookie."""
        async with self._writing() as connection:
            return await self._new_session(connection, person, now, agent)

    async def renew_session(self, session: str, now: float) -> str:
        """Another secret for a session, whose connections go on; returns it for the cookie. The old one is void."""
        secret = secrets.token_urlsafe(SECRET_BYTES)
        values = {"hash": hash_secret(secret), "created": now, "seen": now, "confirmed": now}
        async with self._writing() as connection:
            await connection.execute(sessions.update().where(sessions.c.id == session).values(values))
        return secret

    async def confirm_session(self, session: str, now: float) -> None:
        """Note that the password was asked for."""
        async with self._writing() as connection:
            await connection.execute(sessions.update().where(sessions.c.id == session).values(confirmed=now))

    async def by_cookie(self, secret: str, now: float) -> SignedIn | None:
        """Whose cookie is this?"""
        joined = sessions.join(people, people.c.id == sessions.c.person)
        columns = (sessions.c.seen, sessions.c.created.label("began"), sessions.c.confirmed)
        query = sa.select(people, sessions.c.id.label("session"), *columns).select_from(joined)
        async with self.engine.connect() as connection:
            row = (await connection.execute(query.where(sessions.c.hash == hash_secret(secret)))).first()
        if row is None:
            return None
        account = account_of(row)
        until = session_ends(is_registered=account.is_registered, created=row.began, seen=row.seen)
        if until < now:
            return None
        if row.seen < now - 3600:
            async with self._writing() as connection:
                await connection.execute(sessions.update().where(sessions.c.id == row.session).values(seen=now))
        return SignedIn(account, row.session, None, ("read", "play", "create", "account"), until, row.confirmed)

    async def sessions_of(self, person: str) -> list[Row]:
        """All sessions of a person, newest first."""
        query = sa.select(sessions).where(sessions.c.person == person).order_by(sessions.c.seen.desc())
        async with self.engine.connect() as connection:
            return list(await connection.execute(query))

    async def end_session(self, person: str, session: str) -> bool:
        """Sign out; False if the person has no such session."""
        async with self._writing() as connection:
            condition = sa.and_(sessions.c.person == person, sessions.c.id == session)
            return bool((await connection.execute(sessions.delete().where(condition))).rowcount)

    async def end_other_sessions(self, person: str, but: str | None) -> list[str]:
        """Sign out everywhere else; returns the sessions that ended."""
        others = sa.and_(sessions.c.person == person, sessions.c.id != (but or ""))
        async with self._writing() as connection:
            ended = [row.id for row in await connection.execute(sa.select(sessions.c.id).where(others))]
            await connection.execute(sessions.delete().where(others))
        return ended

    # --------------------------------------------------------------------------------------------- tokens

    async def new_token(self, person: str, wish: m.NewToken, name: str, now: float) -> m.TokenMade:
        """A token; its secret is not kept."""
        secret = TOKEN_PREFIX + secrets.token_urlsafe(SECRET_BYTES)
        scopes = [scope for scope in ("read", "play", "create") if scope in wish.scopes]
        expires = now + wish.days * DAY
        row = {"id": new_id(), "person": person, "name": name, "created": now, "expires": expires}
        async with self._writing() as connection:
            values = {**row, "hash": hash_secret(secret), "scopes": " ".join(scopes)}
            await connection.execute(tokens.insert().values(values))
        info = m.TokenInfo(id=str(row["id"]), name=name, scopes=scopes, created=now, expires=expires, seen=None)
        return m.TokenMade(token=secret, info=info)

    async def by_token(self, secret: str, now: float) -> SignedIn | None:
        """Whose token is this?"""
        joined = tokens.join(people, people.c.id == tokens.c.person)
        query = sa.select(people, tokens.c.id.label("token"), tokens.c.scopes, tokens.c.seen, tokens.c.expires)
        async with self.engine.connect() as connection:
            condition = tokens.c.hash == hash_secret(secret)
            row = (await connection.execute(query.select_from(joined).where(condition))).first()
        if row is None or row.expires < now:
            return None
        if row.seen is None or row.seen < now - 3600:
            async with self._writing() as connection:
                await connection.execute(tokens.update().where(tokens.c.id == row.token).values(seen=now))
        return SignedIn(account_of(row), None, row.token, tuple(row.scopes.split()), row.expires)

    async def tokens_of(self, person: str) -> list[m.TokenInfo]:
        """All tokens of a person, newest first."""
        query = sa.select(tokens).where(tokens.c.person == person).order_by(tokens.c.created.desc())
        async with self.engine.connect() as connection:
            return [
                m.TokenInfo(
                    id=row.id,
                    name=row.name,
                    scopes=row.scopes.split(),
                    created=row.created,
                    expires=row.expires,
                    seen=row.seen,
                )
                for row in await connection.execute(query)
            ]

    async def end_token(self, person: str, token: str) -> bool:
        """Revoke a token; False if the person has no such token."""
        async with self._writing() as connection:
            condition = sa.and_(tokens.c.person == person, tokens.c.id == token)
            return bool((await connection.execute(tokens.delete().where(condition))).rowcount)

    async def end_tokens(self, person: str) -> list[str]:
        """Revoke all tokens; returns them."""
        async with self._writing() as connection:
            mine = tokens.c.person == person
            ended = [row.id for row in await connection.execute(sa.select(tokens.c.id).where(mine))]
            await connection.execute(tokens.delete().where(mine))
        return ended

    # ---------------------------------------------------------------------------------------- housekeeping

    async def forget(self, now: float) -> None:
        """Remove sessions and tokens that have expired, and guests who never sat at a table and are long gone."""
        is_registered = sa.exists().where(people.c.id == sessions.c.person, people.c.password.is_not(None))
        is_old = sa.or_(sessions.c.seen < now - SESSION_IDLE, sessions.c.created < now - SESSION_LIFETIME)
        async with self._writing() as connection:
            await connection.execute(sessions.delete().where(sessions.c.seen < now - GUEST_IDLE))
            await connection.execute(sessions.delete().where(is_registered, is_old))
            await connection.execute(devices.delete().where(devices.c.seen < now - GUEST_IDLE))
            await connection.execute(tokens.delete().where(tokens.c.expires < now))
            idle = sa.and_(
                people.c.name_key.is_(None),
                people.c.created < now - 30 * DAY,
                ~sa.exists().where(seats.c.person == people.c.id),
                ~sa.exists().where(sa.and_(sessions.c.person == people.c.id, sessions.c.seen > now - 30 * DAY)),
            )
            await connection.execute(people.delete().where(idle))
