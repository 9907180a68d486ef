"""A player that thinks ahead by tree search, for a time or for a number of simulations."""

from __future__ import annotations

import secrets

from splendor.game.position import View
from splendor.notation.moves import Move
from splendor.search import Search, SearchSettings

DEFAULT_SECONDS = 1.0


class SearchPlayer:
    """Plays the move that is worth most after a tree search."""

    def __init__(
        self,
        *,
        time: float | None = None,
        simulations: int | None = None,
        threads: int = 1,
        settings: SearchSettings | None = None,
        seed: int | None = None,
    ) -> None:
        """Think for `time` seconds or so many simulations a move, whichever ends first; with neither, one second."""
        if time is not None and not time > 0:
            raise ValueError(f"the time of search is a number of seconds above 0, not {time}")
        if simulations is not None and simulations < 1:
            raise ValueError(f"the simulations of search are at least 1, not {simulations}")
        if threads < 1:
            raise ValueError(f"the threads of search are at least 1, not {threads}")
        self.time = DEFAULT_SECONDS if time is None and simulations is None else time
        self.simulations, self.threads = simulations, threads
        self._settings = settings
        self._seed = secrets.randbits(63) if seed is None else seed
        self._search: Search | None = None

    def prepare(self, view: View) -> Search:
        """The search at this view, with what it has found about it during earlier turns."""
        if self._search is None:
            self._search = Search(view, seed=self._seed, threads=self.threads, settings=self._settings)
        else:
            self._search.advance(view)
        return self._search

    def choose(self, view: View) -> Move:
        """The move that is worth most."""
        search = self.prepare(view)
        search.think(self.simulations, self.time)
        return search.best()
