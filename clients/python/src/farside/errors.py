"""What a call can end in besides an answer.

Not here: which of these is worth another try; ``_retry`` decides that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class FarsideError(Exception):
    """The root of everything that this package raises itself."""


class Problem(FarsideError):
    """The platform refused a request; act on ``code``, the texts are for people.

    ``body`` is the whole ``application/problem+json`` document: ``state`` and ``ply`` of a ``stale_ply``, ``reason`` of
    an ``illegal_move``, ``errors`` of a request that does not fit.
    """

    def __init__(self, status: int, body: Mapping[str, Any], retry_after_s: float | None = None) -> None:
        self.status = status
        self.body = dict(body)
        self.code = str(body.get("code", "unknown"))
        self.detail = str(body.get("detail", ""))
        self.trace_id = body.get("trace_id")
        self.retry_after_s = retry_after_s
        super().__init__(f"{status} {self.code}: {self.detail}")


class Unreachable(FarsideError):
    """No answer came, or it broke off. What was asked for may or may not have happened.

    Raised after the retries that are safe; what is not safe to repeat is left to the caller.
    """


class StreamClosed(FarsideError):
    """The platform ended a stream for a reason that connecting again does not mend."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"the stream was closed: {reason}")
