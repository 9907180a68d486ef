"""Running a server: health, metrics, logs, migrations, backups, sweeping, settings and the web client's files."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from server.clients import Client
from server.process import Server, splendor
from splendor.server import messages as m
from splendor.server.config import Settings, from_environment
from splendor.server.database.connect import FileLock, Unusable, connect, database_url, migrate
from splendor.server.database.schema import metadata
from splendor.server.live.dues import ABANDONED
from splendor.server.live.sweeping import swept
from splendor.server.process.running import CannotServe, bind
from splendor.server.tables import log
from splendor.server.tables.table import OnlineTable

pytestmark = pytest.mark.compiled_only

NewPerson = Callable[[], Awaitable[Client]]

METRICS = "Bearer a long secret"


async def test_health_and_metrics_answer(server: Server, person: NewPerson) -> None:
    ann = await person()
    table = (await ann.make("me", {"kind": "device"}))["id"]
    await ann.play_first(table)
    assert (await ann.ask("GET", "/healthz"))["status"] == "ok"
    text = (await ann.http.get("/metrics")).text
    assert 'splendor_commands_total{outcome="done",type="play"}' in text
    assert "splendor_command_seconds_bucket" in text
    elsewhere = await ann.http.get("/metrics", headers={"x-forwarded-for": "203.0.113.1"})
    assert elsewhere.json()["error"]["code"] == "not_allowed"


def test_metrics_can_be_had_from_elsewhere_with_a_token(tmp_path: Path) -> None:
    with Server(tmp_path, metrics_token="a long secret") as server:
        for header, status in (({}, 403), ({"authorization": "Bearer x"}, 403), ({"authorization": METRICS}, 200)):
            headers = {"x-forwarded-for": "203.0.113.1", **header}
            assert httpx.get(f"{server.url}/metrics", headers=headers).status_code == status


async def test_logs_are_json_and_know_no_table_ids(server: Server, person: NewPerson) -> None:
    ann = await person()
    table = (await ann.make("me", {"kind": "device"}))["id"]
    await ann.look(table)
    lines = [json.loads(line) for line in server.logs().split("\n")[:-1]]
    assert {"at", "level", "event"} <= set(lines[-1])
    assert any(line.get("route") == "/api/tables/{table}" for line in lines)
    assert table not in server.logs()


async def test_migrations_lead_to_the_schema(tmp_path: Path) -> None:
    engine = connect(f"sqlite:///{tmp_path / 'new.db'}")
    await migrate(engine)
    await migrate(engine)

    def differences(connection: sa.Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), metadata))

    async with engine.connect() as connection:
        assert await connection.run_sync(differences) == []
    await engine.dispose()


async def test_a_backup_of_a_running_server_is_restored_and_its_game_goes_on(tmp_path: Path) -> None:
    backup, copy = tmp_path / "splendor.backup", f"sqlite:///{tmp_path / 'copy.db'}"
    with Server(tmp_path / "first") as server:
        ann = await Client(server.url).guest()
        table = (await ann.make("me", {"kind": "device"}))["id"]
        for _ in range(5):
            await ann.play_first(table)
        before = await ann.look(table)
        run("backup", str(backup), "--database", str(server.settings["database"]))
        port = server.settings["port"]
    run("restore", str(backup), "--database", copy)
    with Server(tmp_path / "second", database=copy, port=port):
        after = await ann.look(table)
        assert after["board"] == before["board"]
        await ann.play_first(table)
    await ann.http.aclose()
    assert "not empty" in run("restore", str(backup), "--database", copy, status=2)


def run(*words: str, status: int = 0) -> str:
    done = splendor(*words)
    assert done.returncode == status, done.stderr
    return done.stdout + done.stderr


def test_a_backup_or_export_of_nothing_leaves_nothing_behind(tmp_path: Path) -> None:
    missing, strange = (f"sqlite:///{tmp_path / name}" for name in ("missing.db", "strange.db"))
    (tmp_path / "strange.db").write_bytes(b"")
    for words in (("backup", "all.backup"), ("export", "games.jsonl.zst"), ("export", "games.parquet")):
        target = str(tmp_path / words[1])
        assert "there is no database" in run(words[0], target, "--database", missing, status=2)
        assert "no such table" in run(words[0], target, "--database", strange, status=2)
    assert {path.name for path in tmp_path.iterdir()} <= {"strange.db", "strange.db-shm", "strange.db-wal"}


def test_settings_come_from_the_environment() -> None:
    settings = from_environment(
        {
            "SPLENDOR_PORT": "9000",
            "SPLENDOR_ORIGINS": "https://a.example/, https://b.example",
            "SPLENDOR_ENGINES": "fish=fish --go; bird=bird",
        }
    )
    assert settings.port == 9000
    assert settings.origins == ("https://a.example", "https://b.example")
    assert settings.is_secure
    assert settings.levels["bird"] == "engine:bird"
    with pytest.raises(ValueError, match=r"^SPLENDOR_PORT: .* not 'many'$"):
        from_environment({"SPLENDOR_PORT": "many"})
    with pytest.raises(ValueError, match="SPLENDOR_ENGINES"):
        from_environment({"SPLENDOR_ENGINES": "no command"})
    with pytest.raises(ValueError, match="not supported"):
        database_url("mysql://x")


def test_every_setting_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "operating.md").read_text(encoding="utf-8")
    for name in Settings.model_fields:
        assert f"`SPLENDOR_{name.upper()}`" in page


def test_a_taken_port_is_passed_over_only_if_it_was_not_asked_for() -> None:
    first = bind("127.0.0.1", 0, may_move=False)
    first.listen()
    port = first.getsockname()[1]
    second = bind("127.0.0.1", port, may_move=True)
    assert second.getsockname()[1] != port
    with pytest.raises(CannotServe):
        bind("127.0.0.1", port, may_move=False)
    first.close()
    second.close()


def test_one_sqlite_file_has_one_server(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'splendor.db'}"
    lock = FileLock(url)
    with pytest.raises(Unusable):
        FileLock(url)
    lock.release()
    FileLock(url).release()


def test_a_server_begins_in_a_folder_that_is_not_there_yet(tmp_path: Path) -> None:
    with Server(tmp_path, database=f"sqlite:///{tmp_path / 'a' / 'b' / 'splendor.db'}") as server:
        assert httpx.get(f"{server.url}/healthz", timeout=60).status_code == 200


@pytest.mark.parametrize("trouble", ["is used", "cannot be written"])
def test_a_database_that_cannot_be_used_is_said_in_a_sentence(tmp_path: Path, trouble: str) -> None:
    (tmp_path / "file").touch()
    database = tmp_path / ("splendor.db" if trouble == "is used" else "file/splendor.db")
    lock = FileLock(f"sqlite:///{database}") if trouble == "is used" else None
    if lock is not None:
        lock.note("http://127.0.0.1:4321")
    said = splendor("serve", "--port", "0", "--database", f"sqlite:///{database}")
    assert said.returncode == 2
    assert str(database) in said.stderr
    assert "Traceback" not in said.stderr
    if lock is not None:
        assert "http://127.0.0.1:4321" in said.stderr
        lock.release()


def made_table(clock: m.NoClock | m.LiveClock | m.DaysClock) -> OnlineTable:
    table = OnlineTable("t" * 22)
    plans = [log.SeatPlan(kind="person", person=m.Person(id="ann", name="Ann")), log.SeatPlan(kind="open")]
    made = log.Created(seats=plans, public=True, spectators=True, clock=clock, order="chosen", secret="11" * 32)
    table.apply(log.Stored(1, 0.0, made))
    return table


def test_tables_that_nobody_plays_at_are_swept() -> None:
    table = made_table(m.NoClock())
    assert swept(table, now=10.0, patience=60.0) == []
    assert swept(table, now=61.0, patience=60.0) == [log.Aborted(seat=None, reason="swept")]
    assert ABANDONED > 7 * 86_400


def test_the_client_is_served_with_its_page_for_every_address(server: Server) -> None:
    for path in ("/", "/table/abc", "/replay"):
        reply = httpx.get(f"{server.url}{path}")
        assert reply.status_code == 200
        assert reply.headers["content-type"].startswith("text/html")
    for path in ("/assets/none.js", "/api/none", "/../secret.txt", "/%2e%2e/%2e%2e/app.py", "/favicon.none"):
        assert httpx.get(f"{server.url}{path}").status_code == 404
