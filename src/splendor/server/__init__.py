"""The server: tables online for people and programs. `splendor serve` runs it; `docs/api.md` describes it."""
