"""The network: a position in, the share of the win for each seat and a rating of each action out.

It sees a position as things: the 12 cards of the market, the nobles, the seats with 3 places for reserved cards each,
and the rest of the table. Each is a row of `width` numbers, made from what an observation says about it, by the same
weights for things of a kind. In every block the things look at each other (attention), and then each is thought about
for itself. In the end a decision is rated where it belongs: buying a card at that card, taking tokens at the table; and
the share of a seat at that seat.

One network for 2, 3 and 4 players. The seats are counted from the one that looks, as in `features`. With every player
five things come to the table, a seat, a noble and three places for cards; where nobody sits there is nothing to see, so
a game of two has 24 things and one of four has 34. Positions that are rated together come in the order of their number
of players, and with them how many there are of each.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from splendor.core.components import GOLD, MAX_PLAYERS
from splendor.core.features import columns
from splendor.core.state import MARKET, RESERVE_LIMIT, TABLE_NOBLES
from splendor.network.kernel.things import (
    ABSENT,
    EACH,
    FIRST_NOBLE,
    HEAD,
    MISSING,
    NOBLE,
    ORDER,
    RESERVED,
    SEAT,
    TABLE,
    TABLE_PARTS,
    THINGS,
    WIDER,
    card_columns,
    input_scale,
    noble_columns,
    seat_columns,
    table_columns,
    things_of,
)

Crowds = tuple[int, int, int]  # how many rows are of games with 2, 3 and 4 players; they come in this order

# Where an observation tells the number of players, one-hot from 2 on.
FIRST_PLAYERS, LAST_PLAYERS = int(columns("players")[0]), int(columns("players")[-1]) + 1


def players_of(seen: Tensor) -> Tensor:
    """The number of players in each observation."""
    return seen[:, FIRST_PLAYERS:LAST_PLAYERS].argmax(dim=1) + 2


def crowds_of(players: Tensor) -> Crowds:
    """How many there are with each number of players."""
    two, three, four = torch.bincount(players - 2, minlength=MAX_PLAYERS - 1).tolist()
    return two, three, four


def by_players(seen: Tensor, crowds: Crowds) -> Iterator[tuple[int, Tensor]]:
    """The rows of each number of players, where there are any."""
    for players, rows in enumerate(seen.split(list(crowds)), start=2):
        if len(rows):
            yield players, rows


def normal(rows: Tensor) -> Tensor:
    """Rows brought to the same length."""
    return functional.rms_norm(rows, rows.shape[-1:])


class Model(nn.Module):  # type: ignore[misc]
    """The network as it is trained."""

    def __init__(self, width: int, blocks: int) -> None:
        """Random weights; each block begins as one that changes nearly nothing."""
        super().__init__()
        self.width, self.blocks, self.heads = width, blocks, width // HEAD
        kinds = {"cards": card_columns(), "nobles": noble_columns(), "seats": seat_columns(), "table": table_columns()}
        for name, told in kinds.items():
            self.register_buffer(f"{name}_told", torch.from_numpy(told), persistent=False)
        numbers = {name: told.shape[1] for name, told in kinds.items()}
        numbers["cards"] += MAX_PLAYERS * GOLD
        self.see = nn.ModuleDict({name: nn.Linear(numbers[name], width, bias=False) for name in kinds})
        self.see_bias = nn.Parameter(torch.zeros(THINGS, width))
        self.place = nn.Parameter(torch.zeros(THINGS, width))
        self.look = nn.ModuleList(nn.Linear(width, 3 * width, bias=False) for _ in range(blocks))
        self.hear = nn.ModuleList(nn.Linear(width, width, bias=False) for _ in range(blocks))
        self.inner = nn.ModuleList(nn.Linear(width, WIDER * width) for _ in range(blocks))
        self.outer = nn.ModuleList(nn.Linear(WIDER * width, width, bias=False) for _ in range(blocks))
        self.rate_market = nn.Linear(width, 2)  # reserve it, buy it
        self.rate_reserved = nn.Linear(width, 1)
        self.rate_noble = nn.Linear(width, 1)
        self.rate_table = nn.Linear(width, sum(TABLE_PARTS))
        self.rate_seat = nn.Linear(width, 1)
        self.register_buffer("scale", torch.from_numpy(input_scale()), persistent=False)
        for players in range(2, MAX_PLAYERS + 1):
            order = torch.from_numpy(ORDER[: things_of(players)])
            there = order.sort().values
            self.register_buffer(f"there_{players}", there, persistent=False)
            self.register_buffer(f"order_{players}", torch.searchsorted(there, order), persistent=False)
        has = np.stack([columns("tokens")[:, :GOLD], columns("bonuses")])  # [tokens or bonuses, seat, color]
        self.register_buffer("has", torch.from_numpy(has), persistent=False)
        for layer in self.see.values():
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
        for layer in self.inner:
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
            nn.init.zeros_(layer.bias)
        nn.init.normal_(self.place, std=0.1)
        for layer in self.look:
            nn.init.normal_(layer.weight, std=width**-0.5)
        for layer in (*self.hear, *self.outer):
            nn.init.normal_(layer.weight, std=0.1 * width**-0.5)
        for layer in (self.rate_market, self.rate_reserved, self.rate_noble, self.rate_table, self.rate_seat):
            nn.init.normal_(layer.weight, std=0.1 * width**-0.5)
            nn.init.zeros_(layer.bias)

    def matrices(self) -> list[nn.Parameter]:
        """The weights inside of the blocks, which are learned in another way than the rest."""
        return [layer.weight for layer in (*self.look, *self.hear, *self.inner, *self.outer)]

    def forward(self, seen: Tensor, crowds: Crowds) -> tuple[Tensor, Tensor]:
        """The logits of the seats' shares and of the actions, of observations as `int8`."""
        both = [self.rate_games_of(rows, players) for players, rows in by_players(seen, crowds)]
        shares, ratings = zip(*both, strict=True)
        return torch.cat(shares), torch.cat(ratings)

    def rate_games_of(self, seen: Tensor, players: int) -> tuple[Tensor, Tensor]:
        """The same, of games with so many players."""
        things = self.thoughts(seen, players)
        return self.rate_seats(things), self.rate_actions(things)

    def thoughts(self, seen: Tensor, players: int) -> Tensor:
        """What the network thinks of each thing in games with so many players  [row, thing, number]."""
        return normal(self.through_blocks(self.enter(seen, players)))

    def through_blocks(self, things: Tensor) -> Tensor:
        """In every block the things look at each other, and then each is thought about for itself."""
        blocks = zip(self.look, self.hear, self.inner, self.outer, strict=True)
        if things.is_cuda:
            from splendor.training import fused  # here, since Triton comes with PyTorch for GPUs alone

            weights = [
                fused.Block(look.weight, hear.weight, inner.weight, inner.bias, outer.weight)
                for look, hear, inner, outer in blocks
            ]
            return fused.through_blocks(things, weights, HEAD)
        for look, hear, inner, outer in blocks:
            things = things + hear(attention(look(normal(things)), self.heads))
            things = things + outer(functional.relu(inner(normal(things))))
        return things

    def enter(self, seen: Tensor, players: int) -> Tensor:
        """What is told about each thing, as a row of `width` numbers  [row, thing, number]."""
        rows, precision = len(seen), self.place.dtype
        counts = {"cards": MARKET + players * RESERVE_LIMIT, "nobles": 1 + players, "seats": players, "table": 1}
        told_of = {name: getattr(self, f"{name}_told")[:count] for name, count in counts.items()}
        seen = seen.to(precision)
        told = functional.pad(seen * self.scale.to(precision), (0, 1))

        def about(numbers: Tensor, places: Tensor) -> Tensor:
            return numbers.index_select(1, places.reshape(-1)).view(rows, *places.shape)

        cost = about(functional.pad(seen, (0, 1)), told_of["cards"][:, -GOLD:]).unsqueeze(2)
        missing = functional.relu(cost - about(seen, self.has).sum(dim=1).unsqueeze(1)) / MISSING
        kinds = {name: about(told, places) for name, places in told_of.items()}
        kinds["cards"] = torch.cat([kinds["cards"], missing.view(rows, counts["cards"], MAX_PLAYERS * GOLD)], dim=2)
        things = torch.cat([self.see[name](numbers) for name, numbers in kinds.items()], dim=1)
        there, order = getattr(self, f"there_{players}"), getattr(self, f"order_{players}")
        things = functional.relu(things + self.see_bias.index_select(0, there)) + self.place.index_select(0, there)
        return things.index_select(1, order)

    def rate_seats(self, things: Tensor) -> Tensor:
        """The logits of the seats' shares  [row, seat]."""
        return filled(self.rate_seat(things[:, SEAT::EACH]).squeeze(2).float(), MAX_PLAYERS, ABSENT)

    def rate_actions(self, things: Tensor) -> Tensor:
        """The logits of the actions  [row, action]."""
        market = self.rate_market(things[:, :MARKET])
        reserved = self.rate_reserved(things[:, RESERVED : RESERVED + RESERVE_LIMIT]).squeeze(2)
        nobles = self.rate_noble(torch.cat([things[:, FIRST_NOBLE:SEAT], things[:, NOBLE::EACH]], dim=1)).squeeze(2)
        takes, decks, others = self.rate_table(things[:, TABLE]).split(TABLE_PARTS, dim=1)
        parts = (takes, market[:, :, 0], decks, market[:, :, 1], reserved, others, filled(nobles, TABLE_NOBLES, 0.0))
        return torch.cat(parts, dim=1).float()


def filled(rows: Tensor, length: int, value: float) -> Tensor:
    """Rows of this length, the rest of them filled with a value."""
    return functional.pad(rows, (0, length - rows.shape[1]), value=value)


def attention(looks: Tensor, heads: int) -> Tensor:
    """What each thing takes from the others, of what it asks for, how each answers, and what each tells."""
    rows, things, width = looks.shape
    asks, answers, tells = looks.view(rows, things, 3, heads, width // 3 // heads).permute(2, 0, 3, 1, 4)
    heard = functional.scaled_dot_product_attention(asks, answers, tells)
    return heard.transpose(1, 2).reshape(rows, things, width // 3)


def parameters(model: nn.Module) -> int:
    """How many numbers are learned."""
    return sum(parameter.numel() for parameter in model.parameters())
