"""What the container installs is what the package asks for."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

pytestmark = pytest.mark.compiled_only

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOCKED = re.findall(r"^([a-z0-9-]+)==(\S+)", (ROOT / "requirements.lock").read_text(), re.MULTILINE)


@pytest.mark.parametrize("wanted", [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["postgres"]])
def test_the_lock_has_a_version_that_is_asked_for(wanted: str) -> None:
    requirement = Requirement(wanted)
    found = [version for name, version in LOCKED if name == requirement.name]  # may differ by version of Python
    assert found
    assert all(requirement.specifier.contains(version) for version in found), f"make lock: {wanted}"


def test_whatever_is_locked_has_hashes() -> None:
    blocks = re.split(r"\n(?=[a-z])", (ROOT / "requirements.lock").read_text().strip())
    assert len(blocks) == len(LOCKED)
    assert all("--hash=sha256:" in block for block in blocks)
