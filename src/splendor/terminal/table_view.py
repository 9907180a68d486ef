"""The whole table as one widget: nobles, market, bank, seats and the log. It shows; it decides nothing."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Static

from splendor.core.components import GOLD, LEVELS, MAX_PLAYERS
from splendor.core.state import RESERVE_LIMIT, SLOTS, TABLE_NOBLES
from splendor.game.position import Board
from splendor.notation.moves import NO_TOKENS
from splendor.terminal.choice import PartialMove
from splendor.terminal.faces import CardPlace, Choosable, DeckPlace, HandPlace, NobleFace, SeatPanel, TokenPlace


class MoveLog(Static):
    """What was played: as many of the last moves as there is room for."""

    lines: Sequence[Text] = ()

    def render(self) -> Text:
        """The end of the log."""
        width, height = self.content_size
        if not width or not height:
            return Text()
        wrapped = [row for line in self.lines[-height:] for row in line.wrap(self.app.console, width)]
        return Text("\n").join(wrapped[-height:])


class TableView(Widget):
    """All that lies on the table."""

    def compose(self) -> ComposeResult:
        """Nobles, market and bank on the left; seats, hand and log on the right."""
        with Vertical(id="middle"):
            with Horizontal(id="nobles"):
                for place in range(TABLE_NOBLES):
                    yield NobleFace(id=f"noble-{place}")
            for level in reversed(range(LEVELS)):
                with Horizontal(classes="row"):
                    yield DeckPlace(level + 1)
                    for slot in range(SLOTS):
                        yield CardPlace(level, slot)
            with Horizontal(id="bank"):
                for color in range(GOLD + 1):
                    yield TokenPlace(color)
        with Vertical(id="side"):
            for seat in range(MAX_PLAYERS):
                yield SeatPanel(id=f"seat-{seat}")
            for index in range(RESERVE_LIMIT):
                yield HandPlace(index)
            yield MoveLog(id="log")

    def show(self, board: Board, names: Sequence[str], viewer: int | None, choice: PartialMove | None = None) -> None:
        """Lay out a position for a viewer (None: all hands are shown as the table has them), with what is picked."""
        picked_card = choice.card if choice else None
        picked_kind = choice.kind if choice else None
        seat = board.seat if viewer is None else viewer
        on_table = [noble for noble in board.nobles if noble.seat is None]
        for place, tile in enumerate(self.query(NobleFace)):
            tile.lay(on_table[place] if place < len(on_table) else None)
        for card_place in self.query(CardPlace):
            card = board.market[card_place.level][card_place.slot]
            is_picked = card is not None and not card.is_unseen and card.id == picked_card
            card_place.lay(board, seat, picked_kind if is_picked else None)
        for deck in self.query(DeckPlace):
            deck.lay(board, choice is not None and choice.level == deck.level)
        taken = choice.taken if choice else NO_TOKENS
        for pile in self.query(TokenPlace):
            pile.lay(board.bank[pile.color], taken[pile.color])
        for panel_seat, panel in enumerate(self.query(SeatPanel)):
            panel.display = panel_seat < board.players
            if panel.display:
                panel.lay(board, panel_seat, names[panel_seat], shows_hand=panel_seat == viewer)
        for hand in self.query(HandPlace):
            cards = board.reserved(viewer) if viewer is not None else ()
            is_picked = hand.index < len(cards) and cards[hand.index].id == picked_card
            hand.lay(board, viewer, is_picked)

    def show_log(self, lines: Sequence[Text]) -> None:
        """Show what was played so far."""
        log = self.query_one(MoveLog)
        log.lines = lines
        log.refresh()

    def move_focus(self, right: int, down: int) -> None:
        """Go to the nearest place in a direction, as the arrow keys ask."""
        places = [place for place in self.query(Choosable) if place.can_focus and place.display]
        here = self.screen.focused
        if not isinstance(here, Choosable):
            places[0].focus()
            return
        x, y = center(here)
        ahead: list[tuple[float, Choosable]] = []
        for place in places:
            along_x, along_y = center(place)[0] - x, center(place)[1] - y
            forward = along_x * right + along_y * down
            sideways = abs(along_x * down) + abs(along_y * right)
            if forward > 0 and place is not here:
                ahead.append((forward + 2 * sideways, place))
        if ahead:
            min(ahead, key=lambda found: found[0])[1].focus()


def center(place: Choosable) -> tuple[float, float]:
    """The middle of a place; rows count double, as they are twice as high as columns are wide."""
    region = place.region
    return region.x + region.width / 2, 2 * (region.y + region.height / 2)
