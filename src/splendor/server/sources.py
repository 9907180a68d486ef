"""Where a server gets time, chance and names from; tests give their own."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from splendor.server.database.people import new_id
from splendor.server.fairness import DealMaker, deal, new_secret


@dataclass
class Sources:
    """What is different each time, unless it is known beforehand."""

    now: Callable[[], float] = time.time
    new_id: Callable[[], str] = new_id
    new_secret: Callable[[], str] = new_secret
    deal: DealMaker = deal
