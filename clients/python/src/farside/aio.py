"""The client for asyncio: the same methods as :class:`farside.Client`, to be awaited.

What is asked is in ``_calls``, what is repeated in ``_retry``. A test compares the two clients' methods.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, TypeVar, cast

import httpx

from . import _calls as calls
from . import models as m
from ._calls import UNSET, Call, Unset
from ._play import Answered
from ._retry import RetryPolicy, is_worth_repeating, problem_of
from ._sse import SILENCE_S, Event, Parser, Place
from .client import _told
from .errors import Problem

T = TypeVar("T")

AsyncChoose = Callable[[m.Turn], "m.Move | Awaitable[m.Move]"]
"""Picks a move for a turn, at once or to be awaited. Long computations belong into ``asyncio.to_thread``."""


class AsyncClient:
    """A caller of one platform, with a player's or a bot's key, or with none.

    ``url`` is the platform's address, for example ``http://127.0.0.1:8080``. Every method raises :class:`Problem` when
    the platform refuses and :class:`Unreachable` when it does not answer.
    """

    def __init__(
        self,
        url: str,
        key: str | None = None,
        *,
        retry: RetryPolicy | None = None,
        timeout_s: float = 10.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._retry = retry or RetryPolicy()
        self._timeout_s = timeout_s
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._http = httpx.AsyncClient(base_url=url, headers=headers, timeout=timeout_s, transport=transport)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Gives the connections back."""
        await self._http.aclose()

    # --- who am I

    async def sign_up(self, name: str) -> m.SignedUp:
        """Makes a player. The key is shown this once. Never sent twice: after a lost answer the name may be taken."""
        return await self._run(calls.sign_up(name))

    async def me(self) -> m.Me:
        """Whose key this is."""
        return await self._run(calls.me())

    async def balance(self) -> dict[str, m.Balance]:
        """Points by currency: available and held."""
        return await self._run(calls.balance())

    async def ledger(self, *, limit: int | None = None, cursor: str | None = None) -> m.EntryList:
        """The statement, newest first."""
        return await self._run(calls.ledger(limit, cursor))

    # --- players and bots

    async def player(self, player: str) -> m.Player:
        """A player by id or name."""
        return await self._run(calls.player(player))

    async def bot(self, bot: str) -> m.Bot:
        """A bot by id or name."""
        return await self._run(calls.bot(bot))

    async def bots(
        self, *, owner: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> m.BotList:
        """Bots, of one owner if one is given."""
        return await self._run(calls.bots(owner, limit, cursor))

    async def create_bot(
        self,
        name: str,
        *,
        max_stake: int | None = None,
        description: str | None = None,
        accepts: m.Accepts | None = None,
        idempotency_key: str | None = None,
    ) -> m.BotMade:
        """Makes a bot; needs the player's key. The bot's key is shown this once.

        When the answer with the key was lost on the way, the bot is there and the answer to the repetition has no key:
        then a new key is made, and the lost one revoked. With an ``idempotency_key`` of your own, that is left to you.
        """
        made = await self._run(calls.create_bot(name, max_stake, description, accepts, idempotency_key))
        if made["key"] is None and idempotency_key is None:
            fresh = await self.add_key(made["bot"]["id"])
            await self.revoke_key(made["bot"]["id"], made["key_id"])
            return {"bot": made["bot"], "key": fresh["key"], "key_id": fresh["key_id"]}
        return made

    async def change_bot(self, bot: str, **changes: Any) -> m.Bot:
        """Changes ``name``, ``description``, ``max_stake`` or ``accepts``; needs the player's key."""
        return await self._run(calls.change_bot(bot, changes))

    async def add_key(self, bot: str, *, idempotency_key: str | None = None) -> m.KeyMade:
        """Another key for a bot. ``key`` is ``None`` when the answer that held it was lost: revoke it, make another."""
        return await self._run(calls.add_key(bot, idempotency_key))

    async def revoke_key(self, bot: str, key_id: str) -> None:
        """Ends a key and, within five seconds, its streams."""
        await self._run(calls.revoke_key(bot, key_id))

    # --- games

    async def games(self) -> m.GameList:
        """The catalogue."""
        return await self._run(calls.games())

    async def game(self, game: str) -> dict[str, Any]:
        """A game's contract: rules, schemas, clocks, stakes, house bots."""
        return await self._run(calls.game(game))

    async def leaderboard(self, game: str, *, limit: int | None = None, cursor: str | None = None) -> m.RowList:
        """A game's table."""
        return await self._run(calls.leaderboard(game, limit, cursor))

    async def position(
        self,
        game: str,
        moves: Sequence[m.Move] = (),
        *,
        options: Any = None,
        seed: str | None = None,
        game_number: int | None = None,
    ) -> m.Position:
        """The rules as a service: where these moves lead, and what is legal there."""
        return await self._run(calls.position(game, moves, options, seed, game_number))

    async def analysis(
        self,
        game: str,
        moves: Sequence[m.Move] = (),
        *,
        options: Any = None,
        seed: str | None = None,
        game_number: int | None = None,
        nodes: int | None = None,
    ) -> m.Analysis:
        """What the engine would play; counts against a quota of its own."""
        return await self._run(calls.analysis(game, moves, options, seed, game_number, nodes))

    # --- challenges

    async def create_challenge(
        self,
        game: str,
        *,
        opponent: str | None = None,
        options: Any = None,
        clock: m.Clock | None | Unset = UNSET,
        stake: m.Stake | None = None,
        rated: bool | None = None,
        format: str | None = None,
        nonce: str | None = None,
        expires_in_s: int | None = None,
        idempotency_key: str | None = None,
    ) -> m.ChallengeAndSet:
        """Offers to play. ``opponent``: an id, a name, ``house:LEVEL``, or nobody in particular.

        A clock that is left out is the game's default; ``None`` is untimed, in practice only.
        """
        call = calls.create_challenge(
            game, opponent, options, clock, stake, rated, format, nonce, expires_in_s, idempotency_key
        )
        return await self._run(call)

    async def challenge(self, challenge: str) -> m.Challenge:
        """A challenge as it stands."""
        return await self._run(calls.challenge(challenge))

    async def challenges(
        self,
        *,
        game: str | None = None,
        status: m.ChallengeStatus | None = None,
        participant: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> m.ChallengeList:
        """The lobby."""
        return await self._run(calls.challenges(game, status, participant, limit, cursor))

    async def accept(
        self, challenge: str, *, nonce: str | None = None, idempotency_key: str | None = None
    ) -> m.ChallengeAndSet:
        """Accepts: the set begins."""
        return await self._run(calls.accept(challenge, nonce, idempotency_key))

    async def decline(self, challenge: str) -> m.Challenge:
        """Declines a challenge made to me."""
        return await self._run(calls.decline(challenge))

    async def cancel(self, challenge: str) -> m.Challenge:
        """Takes my challenge back, and its stake with it."""
        return await self._run(calls.cancel(challenge))

    # --- sets

    async def set(self, set_id: str) -> m.SetState:
        """A set as it stands."""
        return await self._run(calls.set_state(set_id))

    async def sets(
        self,
        *,
        bot: str | None = None,
        game: str | None = None,
        status: m.SetStatus | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> m.SetList:
        """Sets, newest first, without their games."""
        return await self._run(calls.sets(bot, game, status, limit, cursor))

    async def turns(self, *, wait_s: int = 0, after: str | None = None) -> m.Turns:
        """Every game in which I am to act; waits up to ``wait_s`` (60 at most) while there is none."""
        return await self._run(calls.turns(wait_s, after))

    async def move(self, set_id: str, game: int, ply: int, move: m.Move) -> m.GameState:
        """Plays. Sent again as often as it takes: the same move for the same ply gets the first answer again."""
        return await self._run(calls.move(set_id, game, ply, move))

    async def resign(self, set_id: str, game: int) -> m.SetState:
        """Gives a game up."""
        return await self._run(calls.resign(set_id, game))

    async def pause(self, set_id: str) -> m.SetState:
        """Pauses untimed practice."""
        return await self._run(calls.pause(set_id))

    async def resume(self, set_id: str) -> m.SetState:
        """Goes on with paused practice."""
        return await self._run(calls.resume(set_id))

    async def record(self, set_id: str) -> dict[str, Any]:
        """The signed record of a set that has ended."""
        return await self._run(calls.record(set_id))

    async def verify(self, record: Mapping[str, Any]) -> m.Verification:
        """Has a record replayed and checked."""
        return await self._run(calls.verify(record))

    async def audit(self) -> m.Audit:
        """The state of the books."""
        return await self._run(calls.audit())

    # --- streams

    def events(self, set_id: str, *, after: str | None = None) -> AsyncIterator[Event]:
        """A set's events to its end, without a gap and without repetition across lost connections.

        The first is a ``snapshot``, unless ``after`` names the last event seen ("0": all of them).
        """
        return self._stream(Place(f"/v1/sets/{set_id}/events", after))

    def my_events(self, *, after: str | None = None) -> AsyncIterator[Event]:
        """Everything that concerns me, for as long as it is read."""
        return self._stream(Place("/v1/me/events", after))

    # --- playing

    async def play(self, choose: AsyncChoose, set_id: str | None = None, *, wait_s: int = 5) -> m.SetState | None:
        """Plays every turn with the move that ``choose`` picks for it, all games of a moment at the same time.

        Otherwise as :meth:`farside.Client.play`.
        """
        answered = Answered()
        while True:
            answer = await self.turns(wait_s=wait_s, after=answered.cursor)
            open_turns = answered.open_turns(answer)
            await asyncio.gather(*(self._answer(turn, choose, answered) for turn in open_turns))
            if set_id is not None and answered.may_be_over(set_id, open_turns):
                state = await self.set(set_id)
                if state["status"] != "active":
                    return state

    async def _answer(self, turn: m.Turn, choose: AsyncChoose, answered: Answered) -> None:
        chosen = choose(turn)
        move = await chosen if inspect.isawaitable(chosen) else chosen
        try:
            answered.note(turn, await self.move(turn["set_id"], turn["game"], turn["ply"], move))
        except Problem as problem:
            answered.note_refusal(turn, problem)

    # --- sending

    async def _run(self, call: Call[T]) -> T:
        return await self._repeat(lambda: self._once(call), call.repeatable)

    async def _once(self, call: Call[T]) -> T:
        response = await self._http.request(
            call.method,
            call.path,
            params=call.query,
            json=call.body,
            headers=call.headers,
            timeout=self._timeout_s + call.wait_s,
        )
        if not response.is_success:
            raise problem_of(response)
        return cast(T, response.json() if response.content else None)

    async def _repeat(self, attempt: Callable[[], Awaitable[T]], repeatable: bool) -> T:
        started, failed = time.monotonic(), 0
        while True:
            try:
                return await attempt()
            except (Problem, httpx.TransportError) as fault:
                pause_s = self._retry.pause_s(failed, fault)
                spent_s = time.monotonic() - started
                if not is_worth_repeating(fault, repeatable) or spent_s + pause_s > self._retry.patience_s:
                    raise _told(fault) from fault
            failed += 1
            await asyncio.sleep(pause_s)

    async def _stream(self, place: Place) -> AsyncIterator[Event]:
        while not place.is_over:
            response = await self._repeat(lambda: self._open(place), repeatable=True)
            try:
                parser = Parser()
                async for line in response.aiter_lines():
                    event = parser.line(line)
                    told = place.take(event) if event else None
                    if told:
                        yield told
                    if place.is_over:
                        return
            except httpx.TransportError:
                pass  # The connection broke off or went silent: resumed after the last event that was seen.
            finally:
                await response.aclose()
            await asyncio.sleep(self._retry.first_pause_s)

    async def _open(self, place: Place) -> httpx.Response:
        timeout = httpx.Timeout(self._timeout_s, read=SILENCE_S)
        request = self._http.build_request("GET", place.path, headers=place.headers, timeout=timeout)
        response = await self._http.send(request, stream=True)
        if response.is_success:
            return response
        await response.aread()
        await response.aclose()
        raise problem_of(response)
