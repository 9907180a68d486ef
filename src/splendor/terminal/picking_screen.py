"""A table at which a person chooses a move: by keys, by clicks or by typing, and with dialogs for the rest.

Every move offered comes from the legal moves of the view. When something is not among them, the rules are
asked for the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.suggester import SuggestFromList
from textual.widgets import Button, Input, Static

from splendor.core.components import COLORS, GOLD, LEVELS
from splendor.core.state import SLOTS
from splendor.game.moves import IllegalMove, action_of_move, default_payment, play_move
from splendor.game.position import Card, View
from splendor.notation.errors import NotationError
from splendor.notation.moves import LETTERS, NO_TOKENS, Move, Tokens, parse_move
from splendor.terminal.choice import PartialMove, agrees
from splendor.terminal.dialogs import ReturnDialog, ask_noble, ask_payment
from splendor.terminal.faces import CardPlace, Choosable, DeckPlace, HandPlace, TokenPlace
from splendor.terminal.gems import gems
from splendor.terminal.table_screen import TableScreen
from splendor.terminal.table_view import TableView

SHOWN_MOVES = 9
OWN_ROW = LEVELS + 1  # the own hand, after the rows of the table
VERBS = {"take": "Take", "buy": "Buy", "reserve": "Reserve", "draw": "Reserve", "pass": "Pass"}


class PickingScreen(TableScreen):
    """Offers the legal moves of a view, and calls `play` with the one that was chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "confirm", "Play"),
        Binding("colon,slash", "type", "Type", key_display=":"),
        *(Binding(LETTERS[color], f"token({color})", COLORS[color], show=False) for color in range(GOLD)),
        *(Binding(str(digit), f"digit({digit})", show=False) for digit in range(SLOTS + 1)),
        Binding("b", "card('buy')", "Buy", show=False),
        Binding("s,v", "card('reserve')", "Reserve", show=False),
        Binding("space", "pick", "Pick", show=False),
        Binding("backspace", "put_back", "Put back", show=False),
        Binding("escape", "clear", "Clear", show=False),
        Binding("left", "go(-1, 0)", show=False),
        Binding("right", "go(1, 0)", show=False),
        Binding("up", "go(0, -1)", show=False),
        Binding("down", "go(0, 1)", show=False),
    ]

    def __init__(self, view: View) -> None:
        """Begin with a view; `offer` shows another one."""
        super().__init__()
        self.board: View = view
        self.choice = PartialMove([])
        self._row: int | None = None  # typed first, when a card is picked by two digits
        self._picked: list[int] = []  # the colors of the picked tokens, in their order

    def play(self, move: Move) -> None:
        """Play a whole turn, or the rest of one."""
        raise NotImplementedError

    def begin_turn_with(self, action: int) -> None:
        """Play the action of a turn and offer what is left to decide."""
        raise NotImplementedError

    def compose_more(self) -> ComposeResult:
        """What is picked, with buttons; messages; and a line to type in."""
        with Horizontal(id="choice"):
            yield Static(id="picked")
            for name in ("confirm", "other", "clear"):
                yield Button(name, id=name, compact=True)
        yield from super().compose_more()
        yield Input(id="typed", placeholder="type a move, such as +wug, r62 or b62", compact=True)

    def on_mount(self) -> None:
        """Buttons are for the mouse; the keys stay with the table."""
        for button in self.query(Button):
            button.can_focus = False

    def offer(self, view: View) -> None:
        """Show a view and let its moves be chosen, if it has any."""
        self.board = view
        self.choice = PartialMove(view.legal_moves)
        self._picked = []
        typed = self.query_one("#typed", Input)
        typed.suggester = SuggestFromList([str(move) for move in self.choice.legal])
        typed.disabled = not self.choice.legal
        self.draw_choice()
        self.refresh_bindings()

    # ------------------------------------------------------------------------------------ what is shown

    def draw_choice(self) -> None:
        """Show the table with what is picked, and the buttons that fit."""
        self.draw(self.board.viewer, self.choice)
        self.query_one("#picked", Static).update(self._picked_text())
        confirm, other, clear = (self.query_one(f"#{name}", Button) for name in ("confirm", "other", "clear"))
        confirm.label = f"{VERBS.get(self.choice.kind or '', 'Play')} ⏎"
        confirm.variant = "success" if self.choice.is_ready else "default"
        confirm.disabled = not self.choice.is_ready
        confirm.display = bool(self.choice.legal)
        kinds = self.choice.kinds_for(self.choice.card) if self.choice.card is not None else []
        other.display = len(kinds) > 1
        other.label = "v Reserve" if self.choice.kind == "buy" else "b Buy"
        clear.label = "Esc Clear"
        clear.display = not self.choice.is_empty

    def _picked_text(self) -> Text:
        choice = self.choice
        if choice.kind == "take":
            more = [LETTERS[color] for color in range(GOLD) if choice.can_add(color)]
            text = Text(" Picked ") + gems(choice.taken)
            return text + Text(f"  then {' '.join(more)}", style="dim") if more else text
        if choice.card is not None:
            return Text(f" {VERBS[choice.kind or 'buy']} #{choice.card}?")
        if choice.level is not None:
            return Text(f" Reserve from deck {choice.level}?")
        return Text(" Nothing picked" if choice.legal else "", style="dim")

    def refuse(self, move: Move) -> None:
        """Say why a move is not possible."""
        if not self.choice.legal:
            return
        try:
            play_move(self.board.state, move)
        except IllegalMove as error:
            self.say(f"Not possible: {error}.")

    # ------------------------------------------------------------------------------------------ picking

    def action_token(self, color: int) -> None:
        """Pick a token."""
        if self.choice.add(color):
            if self.choice.taken == NO_TOKENS.plus(color):
                self._picked = []
            self._picked.append(color)
            self.draw_choice()
        else:
            self.refuse(Move("take", taken=self.choice.taken.plus(color)))

    def action_digit(self, digit: int) -> None:
        """Two digits pick a card as in the browser: the row (4: the own hand), then the place, 0 for the deck."""
        row, self._row = self._row, None
        if row is None:
            if 1 <= digit <= OWN_ROW:
                self._row = digit
                row_text = f"Row {digit}: now the place, 1 to {SLOTS}, or 0 for the deck."
                self.say(row_text if digit < OWN_ROW else "Your hand: now 1, 2 or 3.")
        elif digit == 0 and row < OWN_ROW:
            self.say("")
            self._pick_deck(row)
        else:
            self.say("")
            cards = self._hand() if row == OWN_ROW else self.board.market[row - 1]
            card = cards[digit - 1] if 0 < digit <= len(cards) else None
            if card is not None and not card.is_unseen:
                self._pick_card(card.id)

    def _hand(self) -> tuple[Card, ...]:
        return () if self.board.viewer is None else self.board.reserved(self.board.viewer)

    def _pick_deck(self, level: int) -> None:
        """A second time plays it."""
        if self.choice.level == level:
            self.action_confirm()
        elif self.choice.pick_deck(level):
            self.draw_choice()
        else:
            self.refuse(Move("draw", level=level))

    def action_card(self, kind: str) -> None:
        """Pick a card to buy or to reserve: the one that is picked already, or else the one with the focus."""
        card = self.choice.card
        if card is None and isinstance(self.focused, CardPlace | HandPlace) and self.focused.card is not None:
            card = self.focused.card.id
        if card is None:
            self.say("Pick a card first: go there with the arrow keys, or click it.")
        elif self.choice.pick_card(card, kind):
            self.draw_choice()
        else:
            self.refuse(Move("buy" if kind == "buy" else "reserve", card=card))

    def action_pick(self) -> None:
        """Pick what has the focus."""
        if isinstance(self.focused, Choosable):
            self._pick(self.focused)

    def _pick(self, place: Choosable) -> None:
        if isinstance(place, TokenPlace) and place.color == GOLD:
            self.say("Gold cannot be taken; it comes with a reserved card.")
        elif isinstance(place, TokenPlace):
            self.action_token(place.color)
        elif isinstance(place, DeckPlace):
            self._pick_deck(place.level)
        elif isinstance(place, CardPlace | HandPlace) and place.card is not None:
            self._pick_card(place.card.id)

    def _pick_card(self, card: int) -> None:
        if self.choice.card == card:
            self.action_confirm()
        elif self.choice.pick_card(card):
            self.draw_choice()
        else:
            self.refuse(Move("buy", card=card))

    def on_choosable_pressed(self, event: Choosable.Pressed) -> None:
        """Something on the table was clicked."""
        if not event.is_putting_back:
            self._pick(event.place)
        elif isinstance(event.place, TokenPlace) and self.choice.put_back(event.place.color):
            self._picked.remove(event.place.color)
            self.draw_choice()

    def action_put_back(self) -> None:
        """Put the token back that was picked last, or the card."""
        if self._picked and self.choice.kind == "take":
            self.choice.put_back(self._picked.pop())
            self.draw_choice()
        else:
            self.action_clear()

    def action_clear(self) -> None:
        """Put everything back, and leave the line for typing."""
        typed = self.query_one("#typed", Input)
        if self.focused is typed:
            typed.clear()
            self.set_focus(None)
        self.choice.clear()
        self._picked, self._row = [], None
        self.draw_choice()

    def action_go(self, right: int, down: int) -> None:
        """Move the focus over the table."""
        self.query_one(TableView).move_focus(right, down)

    @on(Button.Pressed)
    def _button(self, event: Button.Pressed) -> None:
        if event.button.id == "confirm":
            self.action_confirm()
        elif event.button.id == "clear":
            self.action_clear()
        else:
            self.action_card("reserve" if self.choice.kind == "buy" else "buy")

    # ------------------------------------------------------------------------------------------- typing

    def action_type(self) -> None:
        """Go to the line for typing."""
        self.query_one("#typed", Input).focus()

    @on(Input.Changed, "#typed")
    def _hint(self, event: Input.Changed) -> None:
        """While somebody types, list the moves that begin like this."""
        if event.value:
            fitting = [str(move) for move in self.choice.legal if str(move).startswith(event.value.strip())]
            rest = " …" if len(fitting) > SHOWN_MOVES else ""
            self.say(f"{' '.join(fitting[:SHOWN_MOVES])}{rest}" if fitting else "No legal move begins like this.")

    @on(Input.Submitted, "#typed")
    def _typed(self, event: Input.Submitted) -> None:
        try:
            move = parse_move(event.value.strip())
            moves = [legal for legal in self.choice.legal if agrees(legal, move)]
            if not moves:
                moves = [play_move(self.board.state, move)[1]]  # or else it says why not
        except (NotationError, IllegalMove) as error:
            self.say(f"Not possible: {error}.")
            return
        event.input.clear()
        self.set_focus(None)
        self._complete(moves)

    # --------------------------------------------------------------------------------------- completing

    def action_confirm(self) -> None:
        """Play what is picked; if that is no whole move, pick what has the focus."""
        if self.choice.is_ready:
            self._complete(self.choice.moves)
        elif isinstance(self.focused, Choosable):
            self._pick(self.focused)
        elif not self.choice.is_empty:
            self.say("This is no whole move yet: pick more, or Esc to put back.")

    @work(exclusive=True, group="complete")
    async def _complete(self, moves: Sequence[Move]) -> None:
        """Ask for what the moves still differ in, and play the one that is left."""
        offered = self.choice
        payment = await self._choose_payment(moves)
        moves = [move for move in moves if payment is not None and move.payment == payment[0]]
        if not moves:
            return
        first = moves[0]
        is_revealing = first.kind in ("reserve", "draw") and any(first.returned)
        if is_revealing:  # the new card is seen before tokens are returned
            action = action_of_move(self.board.state, first)
            assert action is not None
            self.begin_turn_with(action)
            moves, offered = self.choice.legal, self.choice
        returned = await self._choose_returned(moves, can_cancel=not is_revealing)
        moves = [move for move in moves if move.returned == returned]
        if len(moves) > 1:
            nobles = [noble for move in moves for noble in self.board.nobles if noble.id == move.noble]
            answer = await self.app.push_screen_wait(ask_noble(nobles))
            moves = [] if answer is None else [moves[answer]]
        if moves and offered is self.choice:
            self.play(moves[0])

    async def _choose_payment(self, moves: Sequence[Move]) -> tuple[Tokens | None] | None:
        """The payment to use, in a tuple, since None is the default payment; None if the question is left."""
        card, payments = moves[0].card, list(dict.fromkeys(move.payment for move in moves))
        if len(payments) == 1 or card is None:
            return (payments[0],)
        least_gold = default_payment(self.board.state, card)
        answer = await self.app.push_screen_wait(ask_payment(card, [paid or least_gold for paid in payments]))
        return None if answer is None else (payments[answer],)

    async def _choose_returned(self, moves: Sequence[Move], can_cancel: bool) -> Tokens | None:
        """The tokens to return; None if the question is left."""
        ways = list(dict.fromkeys(move.returned for move in moves))
        if len(ways) == 1:
            return ways[0]
        hand, taken = self.board.tokens(self.board.seat), moves[0].taken
        held = Tokens(*(a + b for a, b in zip(hand, taken, strict=True)))
        return await self.app.push_screen_wait(ReturnDialog(held, ways, can_cancel))
