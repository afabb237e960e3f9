"""The errors of the offline service, in the real one's shape: openai raises its own exceptions from them."""

from __future__ import annotations

from typing import Any


class ApiError(Exception):
    """A request that the service answers with an error instead of a result.

    >>> ApiError(400, "'n' can only be 1.", param="n").body["error"]["param"]
    'n'
    """

    def __init__(
        self,
        status: int,
        message: str,
        *,
        param: str | None = None,
        code: str | None = None,
        kind: str = "invalid_request_error",
    ) -> None:
        super().__init__(message)
        self.status = status
        self.body: dict[str, Any] = {
            "error": {"message": message, "type": kind, "param": param, "code": code}
        }


def unknown_model(name: object, served: str) -> ApiError:
    """Make the error for a model that is not here, naming those that are."""
    if not name:
        return ApiError(400, "You must provide a model parameter.", param="model")
    message = f"The model '{name}' does not exist here; this service has {served}."
    return ApiError(404, message, param="model", code="model_not_found")
