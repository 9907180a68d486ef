"""The tree search: it finds what is there to find, never peeks, keeps its limits, and takes any evaluator."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from positions import NUMBER, deal, give_points, give_reserve, give_tokens, legal, play, show_row
from positions import view as hidden_view
from splendor import Game
from splendor.core.actions import ACTIONS, RETURN_TOKEN
from splendor.core.chance import new_rng
from splendor.core.components import CARD_COST, CARD_LEVEL, CARDS, MAX_PLAYERS
from splendor.core.jit import MODE
from splendor.core.rules import apply, is_over, legal_mask
from splendor.core.state import State, copy_state
from splendor.game.moves import legal_actions, move_of_action
from splendor.game.position import View
from splendor.players import load
from splendor.search import Search, SearchSettings
from splendor.search.kernel.backup import back_up
from splendor.search.kernel.descend import decisions_to_consider, gather
from splendor.search.kernel.evaluation import ROW, evaluate
from splendor.search.kernel.leaves import Leaves, new_leaves
from splendor.search.kernel.policy import PAPER, likely_decision, write_priors
from splendor.search.kernel.tree import ROOT, new_tree
from splendor.search.kernel.weights import POLICY, WEIGHTS
from splendor.search.result import Result
from splendor.search.worth import PRIOR_VISITS

FEW, MANY = (12, 40) if MODE == "plain" else (200, 2000)


def middle_game(players: int = 2, seed: int = 1, turns: int = 30) -> Game:
    game = Game(players=players, seed=seed)
    player = load("random", seed=seed)
    for _ in range(turns):
        game.play(player.choose(game.view(game.seat)))
    assert not game.is_over
    return game


def search(state: Any, **options: Any) -> Search:
    return Search(View(state, int(state.seat)), seed=1, **options)


# ---------------------------------------------------------------------------------------- what it finds


def one_point_short(seat: int) -> Any:
    """This seat has 14 points and can pay for one card with a point, number 8; the other seat has 5 and nothing."""
    state = deal()
    give_points(state, seat, 14)
    give_points(state, 1 - seat, 5)
    show_row(state, 1, 8, 1, 2, 3)
    give_tokens(state, seat, "4 green")
    return state


def test_a_win_in_one_is_found() -> None:
    best = search(one_point_short(0)).run(simulations=MANY).best
    assert (best.kind, best.card) == ("buy", 8)


def test_the_card_that_would_lose_the_game_is_reserved() -> None:
    best = search(one_point_short(1)).run(simulations=MANY).best
    assert (best.kind, best.card) == ("reserve", 8)


def test_values_are_shares_of_one_win() -> None:
    for players in (2, 3, 4):
        result = search(middle_game(players)._state).run(simulations=FEW)
        assert len(result.value) == players
        assert sum(result.value) == pytest.approx(1, abs=1e-3)
        for choice in result.choices:
            assert sum(choice.value) == pytest.approx(1 if choice.visits else 0, abs=1e-3)


def test_every_simulation_is_a_visit_and_the_first_opens_the_root() -> None:
    result = search(deal()).run(simulations=FEW)
    assert result.simulations == FEW
    assert sum(choice.visits for choice in result.choices) == FEW - 1


def test_the_choices_are_the_legal_actions_with_a_whole_turn_each() -> None:
    game = middle_game()
    result = Search(game.view(game.seat), seed=1).run(simulations=FEW)
    assert sorted(choice.action for choice in result.choices) == game.legal_actions
    assert all(choice.move in game.legal_moves for choice in result.choices)


def test_the_principal_variation_can_be_played_while_its_cards_are_known() -> None:
    game = middle_game()
    result = Search(game.view(game.seat), seed=1).run(simulations=FEW)
    assert result.principal_variation[0] == result.best
    for move in result.principal_variation:
        game.play(move)


def check_order(result: Result) -> None:
    """The best choice is the one worth most, in every sense."""
    worth = [choice.worth for choice in result.choices]
    assert worth == sorted(worth, reverse=True)
    assert result.principal_variation == result.choices[0].line
    for choice in result.choices:
        assert choice.line[0] == choice.move


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("simulations", [0, 1, FEW])
def test_choices_stand_in_the_order_of_their_worth(simulations: int, threads: int) -> None:
    for players in (2, 3, 4):
        game = middle_game(players)
        result = Search(game.view(game.seat), seed=3, threads=threads).run(simulations=simulations)
        check_order(result)
        assert sum(choice.prior for choice in result.choices) == pytest.approx(1)


def test_without_visits_the_likeliest_decision_is_best() -> None:
    for simulations in (0, 1):
        result = search(middle_game()._state).run(simulations=simulations)
        assert result.choices[0].prior == max(choice.prior for choice in result.choices)


def test_each_line_can_be_played_while_its_cards_are_known() -> None:
    game = middle_game()
    result = Search(game.view(game.seat), seed=1).run(simulations=FEW)
    assert len({choice.line for choice in result.choices}) == len(result.choices)
    for choice in result.choices:
        copy = game.copy()
        for move in choice.line:
            copy.play(move)


def test_the_error_of_the_worth_is_that_of_its_visits() -> None:
    """The formula of the documentation, from the values of every single visit."""
    values: dict[int, list[float]] = {}
    thinking = search(middle_game()._state)
    before = {choice.action: (0, 0.0) for choice in thinking.result().choices}
    for _ in range(FEW):
        for choice in thinking.run(simulations=1).choices:
            visits, total = before[choice.action]
            if choice.visits > visits:
                values.setdefault(choice.action, []).append(choice.visits * choice.value[0] - total)
                before[choice.action] = choice.visits, choice.visits * choice.value[0]
    for choice in thinking.result().choices:
        visits = choice.visits
        if visits < 2:
            assert choice.error is None
        else:
            deviation = np.std(values[choice.action], ddof=1)
            assert choice.error == pytest.approx(np.sqrt(visits) * deviation / (PRIOR_VISITS + visits), abs=1e-4)


@pytest.mark.compiled_only
def test_nine_of_ten_errors_are_less_than_two_standard_errors() -> None:
    """Many searches of the same position: the worth spreads about as the standard error says."""
    view = middle_game().view(0)
    results = [Search(view, seed=seed).run(simulations=400) for seed in range(60)]
    action = results[0].choices[0].action
    found = [next(choice for choice in result.choices if choice.action == action) for result in results]
    mean = np.mean([choice.worth for choice in found])
    within = [abs(choice.worth - mean) < 2 * choice.error for choice in found if choice.error]
    assert np.mean(within) > 0.8


# ------------------------------------------------------------------------------------- what is included


@pytest.mark.parametrize("threads", [1, 2])
def test_what_is_included_is_visited_as_often_as_any_other(threads: int) -> None:
    thinking = search(middle_game()._state, threads=threads)
    worst = [choice.action for choice in thinking.run(simulations=FEW).choices[-2:]]
    result = thinking.run(simulations=2 * FEW, include=worst)
    visits = {choice.action: choice.visits for choice in result.choices}
    assert result.simulations == 3 * FEW
    assert min(visits[action] for action in worst) >= max(visits[a] for a in visits if a not in worst)
    check_order(result)
    again = thinking.run(simulations=FEW)
    assert max(choice.visits for choice in again.choices if choice.action not in worst) > max(
        visits[action] for action in visits if action not in worst
    )


def test_only_legal_actions_can_be_included() -> None:
    thinking = search(deal())
    with pytest.raises(ValueError, match="a search can only include legal actions; 71 is not"):
        thinking.run(simulations=1, include=[71])
    assert thinking.result().simulations == 0


# ------------------------------------------------------------------------------------------------ limits


def test_no_simulation_at_all_still_gives_a_legal_move() -> None:
    game = middle_game()
    result = Search(game.view(game.seat), seed=1).run(seconds=0)
    assert result.simulations == 0
    assert result.best in game.legal_moves


def test_a_search_can_be_stopped_by_its_progress() -> None:
    tree = search(deal())
    seen: list[int] = []

    def progress(result: Any) -> None:
        seen.append(result.simulations)
        tree.stop()

    result = tree.run(progress=progress, every=5)
    assert seen == [result.simulations]
    assert 5 <= result.simulations < 1000


def test_a_search_can_be_run_again_to_think_longer() -> None:
    once, twice = search(deal()), search(deal())
    once.run(simulations=2 * FEW)
    twice.run(simulations=FEW)
    assert twice.run(simulations=FEW) == once.result()


def test_a_full_tree_still_gives_results() -> None:
    result = search(deal(), nodes=5).run(simulations=FEW)
    assert result.simulations == FEW
    assert sum(choice.visits for choice in result.choices) == FEW - 1


def test_threads_share_the_work_and_repeat_it() -> None:
    results = [search(deal(), threads=2).run(simulations=FEW) for _ in range(2)]
    assert results[0] == results[1]
    assert results[0].simulations == FEW


# ------------------------------------------------------------------------------------------ what is hidden


def test_what_is_hidden_makes_no_difference() -> None:
    game = middle_game(turns=31)
    view = game.view(game.seat)
    deals = [View(view.redeal(seed), view.viewer) for seed in (1, 2)]
    results = [Search(deal, seed=3).run(simulations=FEW) for deal in deals]
    assert results[0] == results[1]


def test_the_same_visit_of_each_decision_goes_through_the_same_deal() -> None:
    """So that they are compared by what they are worth and not by the luck of the cards."""
    view, tree, leaves = middle_game().view(0), new_tree(400), new_leaves(1)
    decks: dict[int, list[bytes]] = {}
    for _ in range(60):
        gather(tree, view.state, 1, SearchSettings(exploration=100.0), leaves, np.uint64(7), new_rng(1))
        if leaves.depth[0] > 0:
            action = int(tree.action[leaves.edges[0, 0]])
            assert leaves.deal[0] == len(decks.setdefault(action, []))
            decks[action].append(leaves.states[0].deck.tobytes())
        leaves.priors[0], leaves.shares[0] = 1 / ACTIONS, 0.5
        back_up(tree, view.seat, leaves, 1)
    assert sorted(decks) == legal_actions(view.state)
    for visit in (0, 1):
        assert len({each[visit] for each in decks.values()}) == 1
    assert next(iter(decks.values()))[0] != next(iter(decks.values()))[1]


def test_the_order_of_the_decks_is_not_evaluated() -> None:
    state = middle_game()._state
    other = hidden_view(state, int(state.seat))
    values = [np.zeros(MAX_PLAYERS), np.zeros(MAX_PLAYERS)]
    state.from_deck[:] = 0
    other.reserved[:] = state.reserved
    for position, shares in zip((state, other), values, strict=True):
        evaluate(position, WEIGHTS, shares, np.zeros(ROW))
    assert values[0].tolist() == values[1].tolist()
    assert values[0].sum() == pytest.approx(1)


# ------------------------------------------------------------------------------------- from turn to turn


def test_what_was_found_is_kept_for_the_next_turn() -> None:
    game = Game(players=2, seed=1)
    tree = Search(game.view(0), seed=1)
    expected = tree.run(simulations=MANY).principal_variation
    for move in expected[:2]:
        game.play(move)
    kept = tree.advance(game.view(0))
    assert 0 < kept < MANY
    before = tree.result()
    assert before.simulations == kept
    assert tree.run(simulations=FEW).simulations == kept + FEW


def test_nothing_is_kept_of_another_game() -> None:
    tree = Search(Game(players=2, seed=1).view(0), seed=1)
    tree.run(simulations=FEW)
    assert tree.advance(Game(players=2, seed=2).view(0)) == 0
    assert tree.run(simulations=FEW).simulations == FEW


def test_the_tree_of_one_seat_is_not_used_by_another() -> None:
    game = Game(players=2, seed=1)
    tree = Search(game.view(0), seed=1)
    game.play(tree.run(simulations=FEW).best)
    assert tree.advance(game.view(1)) == 0


# ------------------------------------------------------------------------------------------ other judges


class Indifferent:
    """Finds all decisions equally good and all seats equally strong."""

    def __init__(self, batch: int, values: NDArray[np.float64] | None = None) -> None:
        self.batch, self.values = batch, values
        self.counts: list[int] = []

    def root(self, _: State) -> NDArray[np.float64] | None:
        return self.values

    def judge(self, leaves: Leaves, count: int) -> None:
        self.counts.append(count)
        for leaf in range(count):
            state = leaves.states[leaf]
            assert state.market.max() <= CARDS + 3
            assert state.reserved[: state.players].min() >= 0
        leaves.priors[:count] = 1 / ACTIONS
        leaves.shares[:count] = 0.5


def test_an_evaluator_judges_batches_of_leaves() -> None:
    judge = Indifferent(batch=8)
    result = search(deal(), evaluator=judge).run(simulations=8)
    assert judge.counts == [1, 7], "the root comes first"
    assert sum(judge.counts) == result.simulations == 8
    assert max(choice.visits for choice in result.choices) == 1, "a batch spreads out"


def test_action_values_count_until_the_search_knows_better() -> None:
    """What seemed best is looked at most, and turns out to be no better than the rest."""
    worth = np.full(ACTIONS, 0.4)
    worth[7], worth[3] = 0.9, 0.45
    view = Game(players=2, seed=4).view(0)
    thinking = Search(view, seed=1, evaluator=Indifferent(4, worth))
    result = thinking.run(simulations=1)
    assert [choice.action for choice in result.choices[:2]] == [7, 3]
    assert thinking.best() == result.best
    result = thinking.run(simulations=200)
    assert max(result.choices, key=lambda choice: choice.visits).action == 7
    assert result.choices[0].value[0] == pytest.approx(0.5)


def test_what_was_not_looked_at_is_no_better_for_it() -> None:
    """Action values that are too high for everything: two decisions turn out worse, and so would the third."""
    worth = np.full(ACTIONS, 0.1)
    worth[7], worth[3], worth[5] = 0.95, 0.94, 0.6
    view = Game(players=2, seed=4).view(0)
    result = Search(view, seed=1, evaluator=Indifferent(1, worth)).run(simulations=FEW)
    visits = {choice.action: choice.visits for choice in result.choices}
    assert visits[5] < 4 < visits[3]
    assert [choice.action for choice in result.choices[:3]] == [7, 3, 5]


@pytest.mark.parametrize(("color", "returned"), [(0, (3, 0, 0, 0, 0, 0)), (4, (0, 0, 0, 0, 3, 0))])
def test_action_values_decide_what_few_simulations_did_not_reach(color: int, returned: tuple[int, ...]) -> None:
    """With ten tokens a take is followed by three returns, which no simulation has come to."""
    state = deal()
    give_tokens(state, 0, "2 white 2 blue 2 green 2 red 2 black")
    worth = np.full(ACTIONS, 0.4)
    worth[RETURN_TOKEN + color] = 0.5
    take = next(action for action in legal_actions(state) if move_of_action(state, action).taken[color] == 1)
    worth[take] = 0.9
    thinking = search(state, evaluator=Indifferent(1, worth))
    result = thinking.run(simulations=1)
    assert result.best.returned == returned
    assert thinking.best() == result.best
    result = thinking.run(simulations=4)
    assert result.principal_variation[0] == result.best
    assert result.best.returned == returned


def test_an_evaluator_is_asked_nothing_before_the_search_runs() -> None:
    class Counting(Indifferent):
        asked = 0

        def root(self, _: State) -> NDArray[np.float64] | None:
            self.asked += 1
            return np.full(ACTIONS, 0.5)

    judge = Counting(1)
    thinking = search(deal(), evaluator=judge)
    assert judge.asked == 0
    thinking.run(simulations=3)
    assert judge.asked == 1
    thinking.run(simulations=3)
    assert judge.asked == 1, "the values of the root are kept"


def test_a_finished_game_needs_no_judge() -> None:
    state = one_point_short(1)
    state.seat = 1
    result = search(state, evaluator=Indifferent(4)).run(simulations=200)
    assert result.best.card == 8
    assert result.choices[0].value == (0.0, 1.0)


# ---------------------------------------------------------------------------------------- the light policy


def test_priors_are_shares_of_the_legal_decisions() -> None:
    state, rng = deal(), new_rng(5)
    mask, priors, ratings, row = np.zeros(ACTIONS, np.bool_), np.zeros(ACTIONS), np.zeros(ACTIONS), np.zeros(PAPER)
    decisions = 0
    while not is_over(state) and decisions < 200:
        legal_mask(state, mask)
        write_priors(state, 1.0, POLICY, ratings, priors, row)
        assert priors.sum() == pytest.approx(1)
        assert not priors[~mask].any()
        action = likely_decision(state, 3.0, rng, POLICY, ratings, row)
        assert mask[action]
        apply(state, action)
        decisions += 1
    assert is_over(state), "the light policy comes to an end"


def test_a_simulation_leaves_the_view_as_it_is() -> None:
    state = middle_game()._state
    tree = search(state)
    before = copy_state(tree._state)
    tree.run(simulations=FEW)
    assert tree._state == before
    assert tree._workers[0].tree.node_visits[ROOT] == FEW


def test_a_reserve_is_returned_for_before_its_refill_is_seen() -> None:
    state = deal()
    give_tokens(state, 0, "2 white 2 blue 2 green 2 red 2 black")
    play(state, "take white, blue, green")
    result = search(state).run(simulations=FEW)
    assert all(sum(choice.move.returned) == 3 for choice in result.choices)


def test_a_player_passes_whose_hidden_card_cannot_be_bought() -> None:
    """Seat 1 can do nothing but buy the card that it drew from a deck; in other deals it cannot, and must pass."""
    state = deal()
    for seat in range(2):
        give_tokens(state, seat, "2 white 2 blue 2 green 2 red 2 black")
    dear = [card + 1 for card in range(CARDS) if CARD_LEVEL[card] == 0 and CARD_COST[card].max() > 2]
    cheap = next(card + 1 for card in range(CARDS) if CARD_COST[card].max() == 1)
    show_row(state, 1, *dear[:4])
    for seat, card in zip((0, 0, 0, 1, 1), range(70, 75), strict=True):
        give_reserve(state, seat, card)
    give_reserve(state, 1, cheap, from_deck=1)
    thinking = search(state)
    thinking.run(simulations=MANY)
    tree = thinking._workers[0].tree
    edges = int(tree.used[1])
    assert (tree.visits[:edges] <= tree.available[:edges]).all()
    assert not tree.visits[edges:].any()
    play(state, "pass")
    assert legal(state) == ["buy reserved card 3"]
    assert decisions_to_consider(state, 0) == 1 << NUMBER["buy reserved card 3"] | 1 << NUMBER["pass"]
