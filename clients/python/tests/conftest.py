"""What the tests share: the running platform, fresh participants, and a network that can be made to fail.

The platform is never replaced by anything: faults are made between the client and it.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator

import httpx
import pytest

from farside import Client, RetryPolicy

SMALL = {"size": 6, "pieces": 12, "start": "standard"}
"""A small board of Breakthrough."""

IMPATIENT = RetryPolicy(first_pause_s=0.01, longest_pause_s=0.1)


@pytest.fixture(scope="session")
def url() -> str:
    """Where the platform is."""
    address = os.environ.get("FARSIDE_URL")
    if not address:
        pytest.fail("FARSIDE_URL is not set: start `farside` and set it to its address, or run `cargo xtask test`")
    return address


def unique_name(kind: str) -> str:
    return f"{kind}_{secrets.token_hex(8)}"


@pytest.fixture
def owner(url: str) -> Iterator[Client]:
    """A fresh player."""
    with Client(url) as anyone:
        key = anyone.sign_up(unique_name("py"))["key"]
    with Client(url, key, retry=IMPATIENT) as client:
        yield client


@pytest.fixture
def new_key(owner: Client) -> Callable[[], str]:
    """Makes a bot of that player and gives its key."""

    def make() -> str:
        key = owner.create_bot(unique_name("pybot"))["key"]
        assert key is not None
        return key

    return make


class Lossy(httpx.BaseTransport):
    """The network, losing the answer to the first ``losses`` requests that ``is_hit`` picks, after they were carried out."""

    def __init__(self, is_hit: Callable[[httpx.Request], bool], losses: int = 1) -> None:
        self._inner = httpx.HTTPTransport()
        self._is_hit = is_hit
        self._losses = losses
        self.seen: list[httpx.Request] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = self._inner.handle_request(request)
        if self._is_hit(request):
            self.seen.append(request)
            if len(self.seen) <= self._losses:
                response.read()
                raise httpx.ReadError("lost on the way", request=request)
        return response

    def close(self) -> None:
        self._inner.close()


class Cut(httpx.BaseTransport):
    """The network, breaking every stream of events off after ``bytes_each`` bytes and a little more each time."""

    def __init__(self, bytes_each: int) -> None:
        self._inner = httpx.HTTPTransport()
        self._bytes_each = bytes_each
        self.resumed_after: list[str | None] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = self._inner.handle_request(request)
        if not request.url.path.endswith("/events") or not response.is_success:
            return response
        self.resumed_after.append(request.headers.get("last-event-id"))
        stream = _Broken(response.stream, self._bytes_each * len(self.resumed_after))  # type: ignore[arg-type]
        return httpx.Response(response.status_code, headers=response.headers, stream=stream)

    def close(self) -> None:
        self._inner.close()


class _Broken(httpx.SyncByteStream):
    def __init__(self, inner: httpx.SyncByteStream, left: int) -> None:
        self._inner = inner
        self._left = left

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._inner:
            yield chunk[: self._left]
            self._left -= len(chunk)
            if self._left <= 0:
                raise httpx.ReadError("cut")

    def close(self) -> None:
        self._inner.close()
