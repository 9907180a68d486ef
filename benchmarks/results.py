"""Pages of figures, `results.md` above all: one section for each benchmark, which that benchmark alone writes."""

from __future__ import annotations

import datetime
import os
import platform
from pathlib import Path

RESULTS = Path(__file__).with_name("results.md")
HEAD = "# Measured\n\nEach section is written by the command it names.\n"


def write_section(title: str, text: str, page: Path = RESULTS) -> None:
    """Put a section in the place of the one with this title, or at the end of the page."""
    old = page.read_text(encoding="utf-8") if page.exists() else HEAD
    head, *sections = old.split("\n## ")
    texts = {section.partition("\n")[0]: section.partition("\n")[2].strip("\n") for section in sections}
    texts[title] = text.strip("\n")
    parts = [head.strip("\n"), *(f"## {name}\n\n{body}" for name, body in texts.items())]
    page.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def machine() -> str:
    """The date and what this was measured on, in one line."""
    return f"{datetime.date.today().isoformat()}, {processor()}, {os.cpu_count()} cores, {platform.system()}"


def processor() -> str:
    """The name of the processor, as far as the system tells."""
    cpus = Path("/proc/cpuinfo")
    if cpus.exists():
        for line in cpus.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
