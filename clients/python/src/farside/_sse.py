"""Server-sent events: lines become events, and what to resume after is remembered. Pure: no network.

The format is that of the WHATWG HTML standard, section "Server-sent events"; ``retry`` is not used by the platform.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from .errors import StreamClosed

SILENCE_S = 45.0
"""A stream that is silent for so long is dead: the platform sends a comment every 15 seconds."""

FINAL_REASONS = frozenset({"too_many_streams", "key_revoked"})
"""Reasons of ``closed`` after which connecting again would be wrong."""


@dataclass(frozen=True)
class Event:
    """What happened: ``snapshot``, ``move``, ``round``, ``game_started``, ``game_finished``, ``set_finished`` …"""

    name: str
    id: str | None
    data: Any


@dataclass
class Parser:
    """Takes lines without their ends and gives an event at each empty line that ends one."""

    _name: str = "message"
    _id: str | None = None
    _data: list[str] = field(default_factory=list)

    def line(self, line: str) -> Event | None:
        if not line:
            return self._take()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self._name = value
        elif name == "id":
            self._id = value
        elif name == "data":
            self._data.append(value)
        return None

    def _take(self) -> Event | None:
        name, event_id, data = self._name, self._id, "\n".join(self._data)
        self._name, self._id, self._data = "message", None, []
        return Event(name, event_id, json.loads(data)) if data else None


@dataclass
class Place:
    """Where in a stream a client stands, across connections."""

    path: str
    last_id: str | None = None
    is_over: bool = False

    @property
    def headers(self) -> dict[str, str]:
        resumed = {"Last-Event-ID": self.last_id} if self.last_id is not None else {}
        return {"Accept": "text/event-stream", **resumed}

    def take(self, event: Event) -> Event | None:
        """Notes where the stream stands after ``event``; gives it back when it is for the user."""
        if event.name == "closed":
            reason = str(event.data.get("reason", ""))
            if reason in FINAL_REASONS:
                raise StreamClosed(reason)
            return None
        if event.name == "reset":
            self.last_id = None
            return None
        if event.id is not None:
            self.last_id = event.id
        self._look_at_set(event)
        return event

    def _look_at_set(self, event: Event) -> None:
        """The stream of one set: a snapshot says after which event it is, and the set's end is the stream's."""
        if not self.path.startswith("/v1/sets/"):
            return
        self.is_over = event.name == "set_finished"
        if event.name == "snapshot":
            self.last_id = str(event.data["set"]["last_event"])
            self.is_over = event.data["set"]["status"] != "active"
