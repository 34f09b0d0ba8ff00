"""Every request of the API as a value: method, path, query, body, and whether it may be sent twice.

Nothing is sent here; the two clients do that, each in its own manner, with the same calls.
"""

from __future__ import annotations

import enum
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from . import models as m

T = TypeVar("T")


class Unset(enum.Enum):
    """Stands for an argument that was left out where ``None`` has a meaning of its own."""

    UNSET = enum.auto()


UNSET = Unset.UNSET


@dataclass(frozen=True)
class Call(Generic[T]):
    """A request whose answer is a ``T``. ``repeatable``: sending it twice does what sending it once does."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    idempotency_key: str | None = None
    repeatable: bool = True
    wait_s: float = 0.0

    @property
    def headers(self) -> dict[str, str]:
        return {"Idempotency-Key": self.idempotency_key} if self.idempotency_key else {}


def _id(text: str) -> str:
    return quote(text, safe=":")


def _query(**parameters: str | int | None) -> dict[str, str]:
    return {name: str(value) for name, value in parameters.items() if value is not None}


def _given(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not UNSET and value is not None}


def _get(path: str, **parameters: str | int | None) -> Call[Any]:
    return Call("GET", path, _query(**parameters))


def _create(path: str, body: Any, key: str | None) -> Call[Any]:
    return Call("POST", path, body=body, idempotency_key=key or new_idempotency_key())


def new_idempotency_key() -> str:
    """A key that no other request has."""
    return f"py-{secrets.token_hex(16)}"


def sign_up(name: str) -> Call[m.SignedUp]:
    # There is no caller yet whose keys could be told apart, so a lost answer cannot be asked for again.
    return Call("POST", "/v1/players", body={"name": name}, repeatable=False)


def me() -> Call[m.Me]:
    return _get("/v1/me")


def balance() -> Call[dict[str, m.Balance]]:
    return _get("/v1/me/balance")


def ledger(limit: int | None, cursor: str | None) -> Call[m.EntryList]:
    return _get("/v1/me/ledger", limit=limit, cursor=cursor)


def turns(wait_s: int, after: str | None) -> Call[m.Turns]:
    return Call("GET", "/v1/me/turns", _query(wait=wait_s, after=after), wait_s=float(wait_s))


def player(player_id: str) -> Call[m.Player]:
    return _get(f"/v1/players/{_id(player_id)}")


def bot(bot_id: str) -> Call[m.Bot]:
    return _get(f"/v1/bots/{_id(bot_id)}")


def bots(owner: str | None, limit: int | None, cursor: str | None) -> Call[m.BotList]:
    return _get("/v1/bots", owner=owner, limit=limit, cursor=cursor)


def create_bot(
    name: str, max_stake: int | None, description: str | None, accepts: m.Accepts | None, key: str | None
) -> Call[m.BotMade]:
    body = {"name": name, **_given(max_stake=max_stake, description=description, accepts=accepts)}
    return _create("/v1/bots", body, key)


def change_bot(bot_id: str, changes: Mapping[str, Any]) -> Call[m.Bot]:
    return Call("PATCH", f"/v1/bots/{_id(bot_id)}", body=dict(changes))


def add_key(bot_id: str, key: str | None) -> Call[m.KeyMade]:
    return _create(f"/v1/bots/{_id(bot_id)}/keys", None, key)


def revoke_key(bot_id: str, key_id: str) -> Call[None]:
    return Call("DELETE", f"/v1/bots/{_id(bot_id)}/keys/{_id(key_id)}")


def games() -> Call[m.GameList]:
    return _get("/v1/games")


def game(game_id: str) -> Call[dict[str, Any]]:
    return _get(f"/v1/games/{_id(game_id)}")


def leaderboard(game_id: str, limit: int | None, cursor: str | None) -> Call[m.RowList]:
    return _get(f"/v1/games/{_id(game_id)}/leaderboard", limit=limit, cursor=cursor)


def position(
    game_id: str, moves: Sequence[m.Move], options: Any, seed: str | None, game_number: int | None
) -> Call[m.Position]:
    body = {"moves": list(moves), **_given(options=options, seed=seed, game_number=game_number)}
    return Call("POST", f"/v1/games/{_id(game_id)}/positions", body=body)


def analysis(
    game_id: str, moves: Sequence[m.Move], options: Any, seed: str | None, game_number: int | None, nodes: int | None
) -> Call[m.Analysis]:
    given = _given(options=options, seed=seed, game_number=game_number, nodes=nodes)
    return Call("POST", f"/v1/games/{_id(game_id)}/analysis", body={"moves": list(moves), **given})


def create_challenge(
    game_id: str,
    opponent: str | None,
    options: Any,
    clock: m.Clock | None | Unset,
    stake: m.Stake | None,
    rated: bool | None,
    format: str | None,
    nonce: str | None,
    expires_in_s: int | None,
    key: str | None,
) -> Call[m.ChallengeAndSet]:
    given = _given(
        opponent=opponent, options=options, stake=stake, rated=rated, format=format, nonce=nonce,
        expires_in_s=expires_in_s,
    )
    untimed_or_given = {} if clock is UNSET else {"clock": clock}
    return _create("/v1/challenges", {"game": game_id, **given, **untimed_or_given}, key)


def challenge(challenge_id: str) -> Call[m.Challenge]:
    return _get(f"/v1/challenges/{_id(challenge_id)}")


def challenges(
    game_id: str | None, status: str | None, participant: str | None, limit: int | None, cursor: str | None
) -> Call[m.ChallengeList]:
    return _get(
        "/v1/challenges", game=game_id, status=status, participant=participant, limit=limit, cursor=cursor
    )


def accept(challenge_id: str, nonce: str | None, key: str | None) -> Call[m.ChallengeAndSet]:
    return _create(f"/v1/challenges/{_id(challenge_id)}/accept", _given(nonce=nonce), key)


def decline(challenge_id: str) -> Call[m.Challenge]:
    return _create(f"/v1/challenges/{_id(challenge_id)}/decline", None, None)


def cancel(challenge_id: str) -> Call[m.Challenge]:
    return _create(f"/v1/challenges/{_id(challenge_id)}/cancel", None, None)


def set_state(set_id: str) -> Call[m.SetState]:
    return _get(f"/v1/sets/{_id(set_id)}")


def sets(
    bot_id: str | None, game_id: str | None, status: str | None, limit: int | None, cursor: str | None
) -> Call[m.SetList]:
    return _get("/v1/sets", bot=bot_id, game=game_id, status=status, limit=limit, cursor=cursor)


def move(set_id: str, game_number: int, ply: int, move: m.Move) -> Call[m.GameState]:
    # Without a key: the ply says which move it is, and the same move again gets the first answer again.
    return Call("POST", f"/v1/sets/{_id(set_id)}/moves", body={"game": game_number, "ply": ply, "move": move})


def resign(set_id: str, game_number: int) -> Call[m.SetState]:
    return _create(f"/v1/sets/{_id(set_id)}/resign", {"game": game_number}, None)


def pause(set_id: str) -> Call[m.SetState]:
    return _create(f"/v1/sets/{_id(set_id)}/pause", None, None)


def resume(set_id: str) -> Call[m.SetState]:
    return _create(f"/v1/sets/{_id(set_id)}/resume", None, None)


def record(set_id: str) -> Call[dict[str, Any]]:
    return _get(f"/v1/sets/{_id(set_id)}/record")


def verify(document: Mapping[str, Any]) -> Call[m.Verification]:
    return Call("POST", "/v1/records/verify", body=dict(document))


def audit() -> Call[m.Audit]:
    return _get("/v1/ledger/audit")
