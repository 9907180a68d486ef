"""People, their sessions and their tokens. Cookies and tokens are stored as hashes only."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from splendor.server import messages as m
from splendor.server.database.schema import people, seats, sessions, tokens

SECRET_BYTES = 32  # of a cookie or token
TOKEN_PREFIX = "spl_"  # so that a token which got into a public place can be found
SESSION_SECONDS = 365 * 86_400.0
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

    @property
    def person(self) -> m.Person:
        """As others see it."""
        return person_of(self.id, self.name, self.is_computer)


def person_of(id: str, name: str | None, is_computer: bool) -> m.Person:
    """A player by what is stored of it; our computers have the level in their id."""
    if id.startswith("computer:"):
        return m.Person(id=id, name=None, is_computer=True, level=id.removeprefix("computer:"))
    number = int(hashlib.sha256(id.encode()).hexdigest(), 16) % GUEST_NUMBERS if name is None else None
    return m.Person(id=id, name=name, guest=number, is_computer=is_computer)


@dataclass(frozen=True, slots=True)
class SignedIn:
    """An account, and by which session or token it came."""

    account: Account
    session: str | None
    token: str | None
    scopes: tuple[str, ...]


class People:
    """Reads and changes accounts."""

    def __init__(self, engine: AsyncEngine) -> None:
        """Over a database that is up to date."""
        self.engine = engine

    def _writing(self) -> Any:
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

    async def _one(self, condition: Any) -> Account | None:
        async with self.engine.connect() as connection:
            row = (await connection.execute(sa.select(people).where(condition))).first()
        return None if row is None else Account(row.id, row.name, row.password, row.is_computer)

    async def register(self, id: str, name: str, key: str, password: str) -> None:
        """Give a guest a name and a password; raises NameTaken."""
        try:
            async with self._writing() as connection:
                await connection.execute(
                    people.update().where(people.c.id == id).values(name=name, name_key=key, password=password)
                )
        except sa.exc.IntegrityError:
            raise NameTaken from None

    async def set_password(self, id: str, password: str) -> None:
        """Change a password."""
        async with self._writing() as connection:
            await connection.execute(people.update().where(people.c.id == id).values(password=password))

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
        await connection.execute(sessions.insert().values(**row, agent=agent))
        return secret

    async def new_session(self, person: str, now: float, agent: str) -> str:
        """Sign in; returns the secret for the cookie."""
        async with self._writing() as connection:
            return await self._new_session(connection, person, now, agent)

    async def by_cookie(self, secret: str, now: float) -> SignedIn | None:
        """Whose cookie is this?"""
        joined = sessions.join(people, people.c.id == sessions.c.person)
        query = sa.select(people, sessions.c.id.label("session"), sessions.c.seen).select_from(joined)
        async with self.engine.connect() as connection:
            row = (await connection.execute(query.where(sessions.c.hash == hash_secret(secret)))).first()
        if row is None or row.seen < now - SESSION_SECONDS:
            return None
        if row.seen < now - 3600:
            async with self._writing() as connection:
                await connection.execute(sessions.update().where(sessions.c.id == row.session).values(seen=now))
        account = Account(row.id, row.name, row.password, row.is_computer)
        return SignedIn(account, row.session, None, ("read", "play", "create", "account"))

    async def sessions_of(self, person: str) -> list[Any]:
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
        expires = now + wish.days * 86_400.0
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
        account = Account(row.id, row.name, row.password, row.is_computer)
        return SignedIn(account, None, row.token, tuple(row.scopes.split()))

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

    # ---------------------------------------------------------------------------------------- housekeeping

    async def forget(self, now: float) -> None:
        """Remove sessions and tokens that have expired, and guests who never sat at a table and are long gone."""
        old = now - SESSION_SECONDS
        async with self._writing() as connection:
            await connection.execute(sessions.delete().where(sessions.c.seen < old))
            await connection.execute(tokens.delete().where(tokens.c.expires < now))
            idle = sa.and_(
                people.c.name_key.is_(None),
                people.c.created < now - 30 * 86_400.0,
                ~sa.exists().where(seats.c.person == people.c.id),
                ~sa.exists().where(sa.and_(sessions.c.person == people.c.id, sessions.c.seen > now - 30 * 86_400.0)),
            )
            await connection.execute(people.delete().where(idle))
