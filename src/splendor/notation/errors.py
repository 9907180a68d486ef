"""The one error of all parsers: what is wrong, and where."""

from __future__ import annotations

from collections.abc import Mapping


class NotationError(ValueError):
    """Text that does not follow the notation. The message names the place; `line` and `column` count from 1."""

    def __init__(
        self, problem: str, column: int = 1, line: int | None = None, why: Mapping[str, int | str] | None = None
    ) -> None:
        """A problem, and where in the text it is; a text of one line needs no line.

        A position that cannot be has a code as `why["check"]`, with what it speaks about.
        """
        place = f"column {column}" if line is None else f"line {line}, column {column}"
        super().__init__(f"{place}: {problem}")
        self.problem, self.line, self.column, self.why = problem, line, column, why or {}

    def within(self, line: int, column: int) -> NotationError:
        """The same error, where the text stands inside a larger one from (line, column) on."""
        return NotationError(self.problem, column + self.column - 1, line, self.why)
