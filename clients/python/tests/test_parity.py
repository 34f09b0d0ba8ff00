"""The two clients offer the same, and the stream parser keeps to the format."""

from __future__ import annotations

import inspect

from farside import AsyncClient, Client
from farside._sse import Parser, Place


def methods(client: type) -> dict[str, list[str]]:
    found = inspect.getmembers(client, inspect.isfunction)
    return {name: list(inspect.signature(method).parameters) for name, method in found if not name.startswith("_")}


def test_both_clients_have_the_same_methods_with_the_same_parameters() -> None:
    assert methods(Client) == methods(AsyncClient)


def test_events_are_read_from_lines() -> None:
    parser = Parser()
    lines = [": comment", "", "event: move", "id: 4", "data: {", 'data: "a": 1}', "", "data: 2", ""]
    events = [event for event in map(parser.line, lines) if event]
    assert [(event.name, event.id, event.data) for event in events] == [("move", "4", {"a": 1}), ("message", None, 2)]


def test_after_a_reset_a_stream_begins_anew() -> None:
    place, parser = Place("/v1/me/events", last_id="7"), Parser()
    for line in ["event: reset", 'data: {"reason": "too old"}', ""]:
        event = parser.line(line)
    assert event is not None and place.take(event) is None
    assert "Last-Event-ID" not in place.headers
