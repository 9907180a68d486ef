"""`RequestRefused`: what the server says no with, a code and its parameters."""

from __future__ import annotations

STATUS = {
    "bad_request": 400,
    "code_needed": 401,
    "wrong_code": 401,
    "confirm_password": 403,
    "sign_in": 401,
    "wrong_credentials": 401,
    "not_allowed": 403,
    "wrong_origin": 403,
    "wrong_host": 403,
    "missing_scope": 403,
    "not_found": 404,
    "no_review": 404,
    "still_played": 403,
    "conflict": 409,
    "stale": 409,
    "name_taken": 409,
    "too_large": 413,
    "too_many": 429,
    "busy": 503,
}
USUAL_STATUS = 422  # understood, but it cannot be done


class RequestRefused(Exception):
    """A request that is not carried out; nothing has changed."""

    def __init__(self, code: str, **params: object) -> None:
        """A code of `docs/api.md`, with what the code speaks about."""
        super().__init__(code)
        self.code, self.params = code, params

    @property
    def status(self) -> int:
        """The HTTP status for it."""
        return STATUS.get(self.code, USUAL_STATUS)

    @property
    def body(self) -> dict[str, object]:
        """The body of the HTTP reply, a `messages.Refusal`."""
        return {"error": {"code": self.code, "params": self.params}}
