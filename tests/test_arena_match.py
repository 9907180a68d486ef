"""Matches and tournaments: fair schedules, games that can be repeated, failures that stay small."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from processes import has_ended, misbehaving
from splendor import Game
from splendor.analysis.luck import luck_of
from splendor.analysis.value import PositionValue
from splendor.arena import Conditions, play_match, play_tournament
from splendor.arena.dispatch import MAX_DEATHS, in_order, play_all
from splendor.arena.intervals import Interval
from splendor.arena.ladder import ladder_page
from splendor.arena.play import GameResult, Lineup, play_job
from splendor.arena.plot import share_plot
from splendor.arena.records import Records
from splendor.arena.report import match_table, tournament_table
from splendor.arena.schedule import Job, match_jobs, tournament_jobs
from splendor.arena.workers import Workers
from splendor.protocol.client import Limits

pytestmark = pytest.mark.compiled_only

SHORT = Conditions(round_cap=6)
KEPT = Conditions(round_cap=6, keep_records=True)


def engine(fault: str, *arguments: str) -> str:
    return f"engine:{misbehaving(fault, *arguments)}"


# ---------------------------------------------------------------------------------------------- schedule


@pytest.mark.parametrize("count", [2, 3, 4])
def test_everybody_has_every_seat_once_with_each_deal(count: int) -> None:
    players = ["a", "b", "c", "d"][:count]
    jobs = match_jobs(players, 5 * count, 1, SHORT)
    for deal in range(5):
        games = [job for job in jobs if job.deal == deal]
        assert len({job.seed for job in games}) == 1
        for seat in range(count):
            assert sorted(job.players[seat] for job in games) == players


def test_deals_and_seeds_differ_from_game_to_game() -> None:
    jobs = match_jobs(["a", "b"], 40, 1, SHORT)
    assert len({job.seed for job in jobs}) == 20
    assert len({seed for job in jobs for seed in job.player_seeds}) == 80
    assert not {job.seed for job in jobs} & {job.seed for job in match_jobs(["a", "b"], 40, 2, SHORT)}


def test_neighbours_change_at_larger_tables() -> None:
    jobs = match_jobs(["a", "b", "c"], 60, 1, SHORT)
    assert {"".join(job.players) for job in jobs} == {"abc", "bca", "cab", "acb", "cba", "bac"}


def test_a_longer_match_begins_with_the_shorter_one() -> None:
    assert match_jobs(["a", "b"], 10, 1, SHORT) == match_jobs(["a", "b"], 20, 1, SHORT)[:10]


def test_in_a_tournament_every_group_meets_equally_often() -> None:
    jobs = tournament_jobs(["a", "b", "c", "d", "e"], 3, 2, 1, SHORT)
    groups = Counter(frozenset(job.entrants) for job in jobs)
    assert len(groups) == 10
    assert set(groups.values()) == {6}


@pytest.mark.parametrize("players", [["greedy"], ["greedy"] * 5])
def test_a_match_needs_two_to_four_players(players: list[str]) -> None:
    with pytest.raises(ValueError, match="2 to 4 players"):
        play_match(players, 4, 1)


def test_a_player_that_does_not_exist_is_refused_before_the_first_game() -> None:
    with pytest.raises(ValueError, match="there is no player"):
        play_match(["greedy", "nobody"], 4, 1)


# ------------------------------------------------------------------------------------------------- games


def test_a_match_gives_shares_that_sum_to_one() -> None:
    result = play_match(["greedy", "random", "random"], 6, 1, conditions=SHORT)
    assert result.games == 6
    assert [player.name for player in result.players] == ["greedy", "random", "random #2"]
    assert sum(player.share.value for player in result.players) == pytest.approx(1)
    assert sum(share.value for share in result.scoreboard.seat_shares(3)) == pytest.approx(1)
    assert all(player.share.low <= player.share.value <= player.share.high for player in result.players)


def test_luck_is_subtracted_beside_the_raw_shares() -> None:
    players = ["greedy", "random", "random"]
    raw = play_match(players, 3, 1, conditions=SHORT)
    kept: list[GameResult] = []
    result = play_match(players, 3, 1, conditions=replace(KEPT, adjusted=True), watch=kept.append)
    assert [player.share for player in result.players] == [player.share for player in raw.players]
    assert [player.adjusted for player in raw.players] == [None, None, None]
    adjusted = [player.adjusted for player in result.players if player.adjusted is not None]
    assert sum(interval.value for interval in adjusted) == pytest.approx(1)
    for game in kept:
        luck = luck_of(Game.from_record(game.record or ""), PositionValue())
        assert game.luck == pytest.approx(luck, abs=1e-6)
        assert any(abs(share) > 1e-4 for share in luck)
    greedy = kept[0].job.entrants.index(0)
    assert kept[0].adjusted_share_of(0) == kept[0].shares[greedy] - kept[0].luck[greedy]


def test_greedy_beats_random() -> None:
    assert play_match(["random", "greedy"], 20, 3).players[1].share.low > 0.6


def test_the_same_seed_gives_the_same_games() -> None:
    records = []
    for _ in range(2):
        kept: list[GameResult] = []
        play_match(["greedy:noise=1", "random"], 4, 9, conditions=KEPT, watch=kept.append)
        records.append([result.record for result in kept])
    assert records[0] == records[1]
    assert len(set(records[0])) == 4


def test_any_game_can_be_played_again_alone() -> None:
    kept: list[GameResult] = []
    play_match(["greedy:noise=1", "random"], 6, 9, conditions=KEPT, watch=kept.append)
    job = match_jobs(["greedy:noise=1", "random"], 6, 9, KEPT)[4]
    assert play_job(job, Lineup()) == kept[4]


def test_a_record_replays_and_names_its_players() -> None:
    kept: list[GameResult] = []
    play_match(["greedy", "random"], 2, 9, conditions=KEPT, watch=kept.append)
    game = Game.from_record(kept[1].record or "")
    assert (game.tags["Seat0"], game.tags["Seed0"]) == (kept[1].job.players[0], str(kept[1].job.player_seeds[0]))
    assert game.points == kept[1].points


def test_the_round_cap_ends_games() -> None:
    assert play_match(["random", "random"], 4, 1, conditions=SHORT).scoreboard.ends() == {"cap": 4}


# ------------------------------------------------------------------------------------------------ failures


@pytest.mark.parametrize("fault", ["crash", "killed", "garbage", "flood", "illegal", "hang", "dead"])
def test_an_engine_that_fails_loses_the_game_and_only_that(fault: str) -> None:
    kept: list[GameResult] = []
    conditions = Conditions(round_cap=6, keep_records=True, limits=Limits(move_timeout=0.7))
    result = play_match([engine(fault), "random", "greedy"], 3, 1, conditions=conditions, watch=kept.append)
    assert [player.share.value for player in result.players] == pytest.approx([0, 0.5, 0.5])
    assert result.players[0].forfeits == 3
    for game in kept:
        assert game.forfeit is not None
        assert game.forfeit.seat == game.job.players.index(engine(fault))
        assert "the engine" in game.forfeit.reason
        record = Game.from_record(game.record or "")
        assert record.tags["Forfeit"] == f"seat {game.forfeit.seat}: {game.forfeit.reason}"


def test_an_engine_plays_a_match_like_anybody() -> None:
    result = play_match([engine("polite"), engine("polite")], 4, 1, conditions=SHORT)
    assert result.to_json()["forfeits"] == []
    assert result.games == 4


# ----------------------------------------------------------------------------------------------- workers


class Clumsy:
    """A crew whose workers die on some jobs, every time or only at first."""

    def __init__(self, deadly: set[int], forever: bool) -> None:
        self.deadly, self.forever = deadly, forever
        self.given: Counter[int] = Counter()
        self.queue: list[Job] = []
        self.is_closed = False

    @property
    def has_room(self) -> bool:
        return len(self.queue) < 3

    def give(self, job: Job) -> None:
        self.given[job.number] += 1
        self.queue.append(job)

    def wait(self) -> list[tuple[Job, GameResult | None]]:
        job = self.queue.pop()
        is_fatal = job.number in self.deadly and (self.forever or self.given[job.number] == 1)
        return [(job, None if is_fatal else GameResult(job, "points", (1.0, 0.0), (1, 2), (15, 3), 20))]

    def close(self) -> None:
        self.is_closed = True


def test_a_job_whose_worker_died_is_played_again_and_counted_once() -> None:
    crew = Clumsy({3, 4, 9}, forever=False)
    results = list(in_order(play_all(match_jobs(["a", "b"], 20, 1, SHORT), crew)))
    assert [result.job.number for result in results] == list(range(20))
    assert not any(result.is_void for result in results)
    assert crew.is_closed


def test_a_job_that_kills_every_worker_is_void_and_the_match_goes_on() -> None:
    crew = Clumsy({3}, forever=True)
    results = list(in_order(play_all(match_jobs(["a", "b"], 20, 1, SHORT), crew)))
    assert [result.job.number for result in results if result.is_void] == [3]
    assert crew.given[3] == MAX_DEATHS
    assert len(results) == 20


def test_workers_give_the_same_result_as_one_process_even_when_they_are_killed() -> None:
    crew = Workers(2)
    victims = crew.pids
    kept: list[GameResult] = []

    def watch(result: GameResult) -> None:
        kept.append(result)
        if result.job.number in (3, 8):
            os.kill(victims.pop(), signal.SIGKILL)

    players = ["greedy:noise=1", "random"]
    shared = play_match(players, 16, 5, conditions=KEPT, crew=crew, watch=watch)
    assert shared.to_json() == play_match(players, 16, 5, conditions=KEPT).to_json()
    assert [result.job.number for result in kept] == list(range(16))
    assert not victims


def test_a_match_that_is_cut_short_leaves_no_engine_behind(tmp_path: Path) -> None:
    notes = tmp_path / "pids"
    players = [engine("polite", str(notes)), "random"]
    results = play_all(match_jobs(players, 1000, 1, SHORT), Workers(2))
    for _ in range(6):
        next(results)
    results.close()
    pids = [int(pid) for pid in notes.read_text().split()]
    assert pids
    assert all(has_ended(pid) for pid in pids)


# -------------------------------------------------------------------------------------------- tournaments


def test_a_tournament_rates_and_compares_everybody() -> None:
    result = play_tournament(["random", "greedy:noise=2", "greedy"], 4, 1, conditions=Conditions(round_cap=30))
    assert result.games == 3 * 4 * 2
    strengths = [player.rating.value for player in result.players]
    assert strengths == sorted(strengths)
    ahead, behind = result.players[2].against[0], result.players[0].against[2]
    assert ahead is not None
    assert behind is not None
    assert ahead.value == pytest.approx(1 - behind.value)
    assert result.players[0].against[0] is None
    assert json.loads(json.dumps(result.to_json()))["players"][2]["name"] == "greedy"


def test_the_ladder_page_has_a_row_for_each_player_and_size_of_table() -> None:
    tournaments = [play_tournament(["random", "greedy", "greedy"], 1, 1, seats=n, conditions=SHORT) for n in (2, 3)]
    page = ladder_page(tournaments, "splendor ladder")
    assert page.count("| random |") == page.count("| greedy #2 |") == 2
    assert "## 3 players" in page
    assert "    splendor ladder\n" in page


# ---------------------------------------------------------------------------------------- records and plots


def test_records_go_to_a_folder_or_to_a_file_and_never_over_others(tmp_path: Path) -> None:
    for path in (tmp_path / "games", tmp_path / "games.jsonl"):
        records = Records(path)
        play_match(["random", "random"], 2, 1, conditions=KEPT, watch=records.keep)
        with pytest.raises(FileExistsError):
            Records(path)
    files = sorted(tmp_path.joinpath("games").iterdir())
    lines = [json.loads(line) for line in tmp_path.joinpath("games.jsonl").read_text().splitlines()]
    assert [file.read_text() for file in files] == [line["record"] for line in lines]
    assert Game.from_record(files[0].read_text()).is_over


def test_the_plot_is_an_image_that_names_the_players() -> None:
    text = share_plot("A <match>", [("a & b", Interval(0.7, 0.6, 0.8)), ("c", Interval(0.3, 0.2, 0.4))], 0.5)
    root = ET.fromstring(text)
    assert root.tag.endswith("svg")
    assert "a & b" in "".join(root.itertext())


# ------------------------------------------------------------------------------------------------ commands


def splendor(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "splendor", *arguments], capture_output=True, text=True, check=False, timeout=300
    )


def test_the_match_command_prints_the_promised_json(tmp_path: Path) -> None:
    arguments = ["greedy", "random", "--games", "6", "--seed", "1", "--json", "--workers", "2"]
    done = splendor("match", *arguments, "--records", str(tmp_path / "games"), "--plot", str(tmp_path / "plot.svg"))
    assert done.stderr == ""
    result = json.loads(done.stdout)
    assert result["games"] == 6
    assert [player["name"] for player in result["players"]] == ["greedy", "random"]
    assert all({"win_share", "low", "high"} <= set(player) for player in result["players"])
    assert len(result["seat_share"]) == 2
    assert result["rounds"] > 10
    record = tmp_path.joinpath("games", "game-000004.txt").read_text()
    assert splendor("match", *arguments, "--only", "4").stdout == record
    assert tmp_path.joinpath("plot.svg").read_text().startswith("<svg")


def test_the_match_command_prints_adjusted_shares() -> None:
    arguments = ["match", "greedy", "random", "--games", "4", "--seed", "1", "--workers", "0", "--round-cap", "4"]
    plain = json.loads(splendor(*arguments, "--json").stdout)
    adjusted = json.loads(splendor(*arguments, "--json", "--adjusted").stdout)
    for player, before in zip(adjusted["players"], plain["players"], strict=True):
        assert player["adjusted_low"] <= player["adjusted_win_share"] <= player["adjusted_high"]
        assert {name: player[name] for name in before} == before
    assert "freed of" in splendor(*arguments, "--adjusted").stdout


def test_a_long_name_leaves_room_for_the_figures() -> None:
    name = "greedy:noise=0." + "3" * 60
    matched = match_table(play_match([name, "random"], 2, 1, conditions=Conditions(round_cap=4)))
    met = tournament_table(play_tournament([name, "random"], 1, 1, conditions=Conditions(round_cap=4)))
    for table in (matched, met):
        console = Console(width=80, file=StringIO(), record=True)
        console.print(table)
        assert "…" not in console.export_text()


def test_the_tournament_and_ladder_commands_print_tables(tmp_path: Path) -> None:
    done = splendor("tournament", "random", "greedy", "--deals", "1", "--round-cap", "5", "--workers", "0")
    assert "greedy" in done.stdout
    page = tmp_path / "ladder.md"
    splendor("ladder", "random", "greedy", "--deals", "1", "--round-cap", "5", "--workers", "0", "-o", str(page))
    assert "| greedy |" in page.read_text()


def test_misuse_is_said_in_a_sentence() -> None:
    done = splendor("match", "greedy", "nobody", "--games", "2")
    assert done.returncode == 2
    assert "there is no player 'nobody'" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_failing_engine_is_reported_and_does_not_end_the_match() -> None:
    done = splendor("match", "random", engine("crash"), "--games", "2", "--seed", "1", "--workers", "1")
    assert done.returncode == 0
    assert "lost game 0: the engine ended with exit status 3" in done.stderr
