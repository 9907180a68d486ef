"""`splendor site`: what is written where, and what is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from splendor.cli import app
from splendor.server import site

pytestmark = pytest.mark.compiled_only  # about files

PAGE = '<html lang="en"><link href="/icon.svg"><script src="/assets/a.js"></script><a href="https://example.org/">x</a>'


@pytest.fixture(autouse=True)
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A client and an engine of a few letters."""
    web, engine = tmp_path / "web", tmp_path / "engine"
    (web / "assets").mkdir(parents=True)
    engine.mkdir()
    for name in ("assets/a.js", "assets/a.js.br", "icon.svg", "icon.svg.gz", "sw.js", "sources.sha256", "embed.html"):
        (web / name).write_text(name)
    (web / "index.html").write_text(PAGE)
    for name in (*site.ENGINE_FILES, "engine.js.br", "sources.sha256"):
        (engine / name).write_text(name)
    monkeypatch.setattr(site, "WEB", web)
    monkeypatch.setattr(site, "ENGINE", engine)
    return web


def write(folder: Path) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["site", str(folder)])
    return result.exit_code, result.stderr


def files_in(folder: Path) -> set[str]:
    return {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}


def test_the_files_name_each_other_by_where_they_lie(tmp_path: Path) -> None:
    out = tmp_path / "some" / "folder"
    assert write(out) == (0, "")
    engine = {f"engine/{name}" for name in site.ENGINE_FILES}
    assert files_in(out) == {"index.html", "assets/a.js", "icon.svg", "sw.js", *engine}
    page = (out / "index.html").read_text()
    assert page.startswith('<html data-site lang="en"><link href="icon.svg"><script src="assets/a.js">')
    assert 'href="https://example.org/"' in page


def test_a_site_is_replaced_and_anything_else_left_alone(tmp_path: Path, built: Path) -> None:
    out = tmp_path / "out"
    write(out)
    (out / "CNAME").write_text("play.example.org")  # which a host has put there
    (built / "assets" / "a.js").rename(built / "assets" / "b.js")
    assert write(out)[0] == 0
    assert {"assets/b.js", "CNAME"} < files_in(out)
    assert "assets/a.js" not in files_in(out)
    other = tmp_path / "other"
    other.mkdir()
    (other / "index.html").write_text("<html>my own page")
    code, problem = write(other)
    assert (code, files_in(other)) == (2, {"index.html"})
    assert "holds something else: give a folder that is empty or new" in problem
    assert write(other / "index.html") == (2, f"splendor: {other / 'index.html'} is a file\n")


def test_without_a_built_client_it_says_how_to_build_one(tmp_path: Path, built: Path) -> None:
    (built / "index.html").unlink()
    code, problem = write(tmp_path / "out")
    assert code == 2
    assert "python hatch_build.py builds them" in problem
    assert not (tmp_path / "out").exists()
