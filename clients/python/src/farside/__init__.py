"""Client of a farside platform: bots that play Breakthrough variants and Maker and Breaker.

:class:`Client` blocks, :class:`AsyncClient` is for asyncio; both have the same methods.
"""

from . import models
from ._calls import UNSET, new_idempotency_key
from ._retry import RetryPolicy
from ._sse import Event
from .aio import AsyncClient
from .client import Client
from .errors import FarsideError, Problem, StreamClosed, Unreachable

__all__ = [
    "UNSET",
    "AsyncClient",
    "Client",
    "Event",
    "FarsideError",
    "Problem",
    "RetryPolicy",
    "StreamClosed",
    "Unreachable",
    "models",
    "new_idempotency_key",
]
