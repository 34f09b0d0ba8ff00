"""When a request is sent again, and how long to wait before that. Pure: no clock, no sleeping, no network.

A request that may be sent twice is sent again after a broken connection, a time-out, ``rate_limited`` and every 5xx.
One that may not is only sent again when it certainly was not carried out: nobody answered the connection, or the limit
refused it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import httpx

from .errors import Problem


@dataclass(frozen=True)
class RetryPolicy:
    """How patient a client is: pauses double from ``first_pause_s`` to ``longest_pause_s``, for ``patience_s`` in all."""

    first_pause_s: float = 0.1
    longest_pause_s: float = 5.0
    patience_s: float = 60.0

    def pause_s(self, attempt: int, fault: Exception) -> float:
        """Seconds to wait after the failed ``attempt`` (counted from 0); what the platform asks for comes first."""
        if isinstance(fault, Problem) and fault.retry_after_s is not None:
            return fault.retry_after_s
        longest = min(self.longest_pause_s, self.first_pause_s * 2.0 ** min(attempt, 32))
        return longest * random.uniform(0.5, 1.0)


def is_worth_repeating(fault: Exception, repeatable: bool) -> bool:
    """Whether the same request may be sent again after ``fault``."""
    if isinstance(fault, Problem):
        return fault.status == 429 or (repeatable and fault.status >= 500)
    if isinstance(fault, (httpx.ConnectError, httpx.ConnectTimeout)):
        return True
    return repeatable and isinstance(fault, httpx.TransportError)


def problem_of(response: httpx.Response) -> Problem:
    """The refusal in a response that was read; also for what a proxy in between says in HTML."""
    try:
        body = response.json()
    except ValueError:
        body = {}
    if not isinstance(body, dict):
        body = {}
    return Problem(response.status_code, body, _seconds(response.headers.get("retry-after")))


def _seconds(text: str | None) -> float | None:
    try:
        return max(0.0, float(text)) if text is not None else None
    except ValueError:
        return None
