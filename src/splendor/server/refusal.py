"""`Refused`: what the server says no with, a code and its parameters."""

from __future__ import annotations

from typing import Any

from splendor.server.messages import Problem, Refusal

STATUS = {
    "sign_in": 401,
    "wrong_credentials": 401,
    "not_allowed": 403,
    "wrong_origin": 403,
    "wrong_host": 403,
    "missing_scope": 403,
    "not_found": 404,
    "conflict": 409,
    "stale": 409,
    "name_taken": 409,
    "too_large": 413,
    "too_many": 429,
    "busy": 503,
}
USUAL_STATUS = 422  # understood, but it cannot be done


class Refused(Exception):
    """A request that is not carried out; nothing has changed."""

    def __init__(self, code: str, **params: Any) -> None:
        """A code of `docs/api.md`, with what the code speaks about."""
        super().__init__(code)
        self.problem = Problem(code=code, params=params)

    @property
    def status(self) -> int:
        """The HTTP status for it."""
        return STATUS.get(self.problem.code, USUAL_STATUS)

    @property
    def body(self) -> Refusal:
        """The body of the HTTP reply."""
        return Refusal(error=self.problem)
