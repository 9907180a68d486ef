"""The page: the tensors that every gradient step works on, and how the rows of a lesson come onto it."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from splendor.core.actions import ACTIONS
from splendor.core.components import MAX_PLAYERS
from splendor.core.features import OBSERVATION_SIZE
from splendor.network.rotation import COLUMNS, DECISIONS, ROTATIONS
from splendor.training.config import Config
from splendor.training.model import Crowds, crowds_of, players_of
from splendor.training.selfplay import Lesson, mixed_players

AFTER, BEFORE = range(2)  # kinds of rows; from 2 on the siblings


class Minibatch:
    """Room for one step: for each number of players the afterstates, then the positions before them, then the siblings.

    Attributes:
        seen: What is seen in each row [row, feature].
        targets: The share of the win that each seat should be given [row, seat].
        policy: The policy of each decision [decision, action].
        kind: What each row is: AFTER, BEFORE, or 2 and more for a sibling [row].
        before: The rows of the positions before the decisions, in the order of `policy` [decision].
        crowds: How many rows there are of 2, 3 and 4 players.
    """

    def __init__(self, config: Config, device: torch.device) -> None:
        """Blank."""
        self.config = config
        kinds = 2 + config.siblings
        two, three, four = self.decisions = in_parts(config.batch, crowds_of(mixed_players(config)))
        self.crowds: Crowds = (kinds * two, kinds * three, kinds * four)
        self.kind = torch.cat([torch.arange(kinds).repeat_interleave(count) for count in self.decisions]).to(device)
        self.before = (self.kind == BEFORE).nonzero().view(-1)
        self.seen = torch.zeros((kinds * config.batch, OBSERVATION_SIZE), dtype=torch.int8, device=device)
        self.targets = torch.zeros((kinds * config.batch, MAX_PLAYERS), device=device)
        self.policy = torch.zeros((config.batch, ACTIONS), dtype=torch.float16, device=device)
        self._columns = torch.from_numpy(COLUMNS.copy()).to(device)
        self._decisions = torch.from_numpy(DECISIONS.copy()).to(device)

    def batches(self, lesson: Lesson) -> list[Sequence[Tensor]]:
        """The rows of a lesson in random order: of each number of players, as many at a time as the page has room.

        Where the page divides the numbers of players a little otherwise than the lesson, some rows are left over.
        """
        players = players_of(lesson.before)
        batches = []
        for number, room in enumerate(self.decisions, start=2):
            if room:
                rows = (players == number).nonzero().view(-1)
                order = rows[torch.randperm(len(rows), device=rows.device)].repeat(-(-room // len(rows)))
                batches.append(order[: max(len(rows) // room, 1) * room].split(room))
        return batches

    def write(self, lesson: Lesson, batch: Sequence[Tensor]) -> None:
        """Put rows of a lesson on the page: the afterstates, the positions before them, and the siblings.

        The colors of a decision are rotated, so it is another one whenever it is gone through.
        """
        sources = (
            (lesson.after, lesson.after_shares),
            (lesson.before, lesson.before_shares),
            *((lesson.siblings[:, n], lesson.siblings_shares[:, n]) for n in range(self.config.siblings)),
        )
        place = 0
        steps = [self._rotations(len(rows)) for rows in batch]
        for rows, rotation in zip(batch, steps, strict=True):
            for seen, shares in sources:
                self.seen[place : place + len(rows)] = seen[rows].gather(1, self._columns[rotation])
                self.targets[place : place + len(rows)] = shares[rows]
                place += len(rows)
        policy = lesson.policy[torch.cat(list(batch))]
        torch.gather(policy, 1, self._decisions[torch.cat(steps)], out=self.policy)

    def _rotations(self, count: int) -> Tensor:
        """By how many steps each of so many decisions is rotated."""
        device = self.seen.device
        steps = torch.randint(1, ROTATIONS, (count,), device=device)
        return steps * (torch.rand(count, device=device) < self.config.rotated)


def in_parts(count: int, shares: Crowds) -> Crowds:
    """So many rows, divided in proportion to these."""
    two, three = count * shares[0] // sum(shares), count * (shares[0] + shares[1]) // sum(shares)
    return two, three - two, count - three
