"""The settings of a server, read from environment variables. Each has a default that is safe on one's own machine."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError

PREFIX = "SPLENDOR_"


PUSH_SERVICES = (
    "https://fcm.googleapis.com",
    "https://jmt17.google.com",
    "https://*.push.services.mozilla.com",
    "https://*.push.apple.com",
    "https://*.notify.windows.com",
)


def default_database() -> str:
    """An SQLite file in the user's data folder."""
    home = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return f"sqlite:///{home / 'splendor' / 'splendor.db'}"


class Settings(BaseModel):
    """How a server runs. `SPLENDOR_` and the name in capitals is the variable for each."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    database: str = Field(default_factory=default_database)  # sqlite:///FILE or postgresql://…
    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
    origins: tuple[str, ...] = ()  # where browsers reach it from outside: https://play.example.org
    proxies: str = "127.0.0.1"  # whose X-Forwarded-For is believed
    computers: Annotated[int, Field(ge=0, le=64)] = 1  # processes that think for computer players
    thinking_time: Annotated[float, Field(gt=0, le=600)] = 20.0  # seconds, after which a computer has failed
    workers: Annotated[int, Field(ge=1, le=64)] = 2  # processes for work that would hold the others up
    computer_pause: Annotated[float, Field(ge=0, le=10)] = 0.6  # seconds before a computer's move is shown
    engines: tuple[Annotated[str, Field(pattern=r"^[a-z0-9-]{1,32}=.+$")], ...] = ()  # further computers, NAME=COMMAND
    reviews: bool = True  # are finished games reviewed by themselves?
    limits: Annotated[float, Field(ge=0, le=1_000_000)] = 1.0  # multiplies all rate limits; 0 turns them off
    absence: Annotated[float, Field(gt=0)] = 60.0  # seconds until the others may vote about an absent player
    grace: Annotated[float, Field(ge=0)] = 15.0  # seconds without a connection until someone counts as absent
    sweep: Annotated[float, Field(gt=0)] = 3600.0  # seconds until a table that nobody plays at is removed
    heartbeat: Annotated[float, Field(gt=0)] = 20.0  # seconds between signs of life on a connection
    metrics_token: str = ""  # with it, /metrics is for its bearer; without, for this machine only
    push_services: tuple[str, ...] = PUSH_SERVICES  # where browsers that are closed are told; none: nobody is
    security_contact: str = ""  # whom to tell of a weakness, for security.txt: mailto:… or https://…
    log_level: Literal["debug", "info", "warning", "error"] = "info"

    @property
    def is_secure(self) -> bool:
        """Is the server reached by https? Then cookies are for https only."""
        return bool(self.origins) and all(urlsplit(origin).scheme == "https" for origin in self.origins)

    @property
    def levels(self) -> dict[str, str]:
        """The computers on offer, weakest first, with what `splendor.players.load` calls them."""
        from splendor.players import LEVELS

        ours = {name: name for name in LEVELS}
        return ours | {name: f"engine:{command}" for name, _, command in (e.partition("=") for e in self.engines)}


def from_environment(environment: Mapping[str, str] | None = None) -> Settings:
    """The settings; lists are separated by commas, engines by semicolons. Raises ValueError for what makes no sense."""
    source = os.environ if environment is None else environment
    values: dict[str, object] = {}
    for name in Settings.model_fields:
        text = source.get(PREFIX + name.upper())
        if text is None:
            continue
        if name in ("origins", "engines", "push_services"):
            separator = ";" if name == "engines" else ","
            values[name] = tuple(part.strip().rstrip("/") for part in text.split(separator) if part.strip())
        else:
            values[name] = text
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        problems = [f"{PREFIX}{str(p['loc'][0]).upper()}: {p['msg']}, not {p['input']!r}" for p in error.errors()]
        raise ValueError("; ".join(problems)) from None
