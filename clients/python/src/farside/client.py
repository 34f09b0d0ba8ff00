"""The client for programs without an event loop: a method for each request of the API, streams, and the play loop.

What is asked is in ``_calls``, what is repeated in ``_retry``; ``aio`` is the same for asyncio.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, TypeVar, cast

import httpx

from . import _calls as calls
from . import models as m
from ._calls import UNSET, Call, Unset
from ._play import Answered, Choose
from ._retry import RetryPolicy, is_worth_repeating, problem_of
from ._sse import SILENCE_S, Event, Parser, Place
from .errors import Problem, Unreachable

T = TypeVar("T")


class Client:
    """A caller of one platform, with a player's or a bot's key, or with none.

    ``url`` is the platform's address, for example ``http://127.0.0.1:8080``. Safe for several threads. Every method
    raises :class:`Problem` when the platform refuses and :class:`Unreachable` when it does not answer.
    """

    def __init__(
        self,
        url: str,
        key: str | None = None,
        *,
        retry: RetryPolicy | None = None,
        timeout_s: float = 10.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._retry = retry or RetryPolicy()
        self._timeout_s = timeout_s
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._http = httpx.Client(base_url=url, headers=headers, timeout=timeout_s, transport=transport)

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Gives the connections back."""
        self._http.close()

    # --- who am I

    def sign_up(self, name: str) -> m.SignedUp:
        """Makes a player. The key is shown this once. Never sent twice: after a lost answer the name may be taken."""
        return self._run(calls.sign_up(name))

    def me(self) -> m.Me:
        """Whose key this is."""
        return self._run(calls.me())

    def balance(self) -> dict[str, m.Balance]:
        """Points by currency: available and held."""
        return self._run(calls.balance())

    def ledger(self, *, limit: int | None = None, cursor: str | None = None) -> m.EntryList:
        """The statement, newest first."""
        return self._run(calls.ledger(limit, cursor))

    # --- players and bots

    def player(self, player: str) -> m.Player:
        """A player by id or name."""
        return self._run(calls.player(player))

    def bot(self, bot: str) -> m.Bot:
        """A bot by id or name."""
        return self._run(calls.bot(bot))

    def bots(
        self, *, owner: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> m.BotList:
        """Bots, of one owner if one is given."""
        return self._run(calls.bots(owner, limit, cursor))

    def create_bot(
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
        made = self._run(calls.create_bot(name, max_stake, description, accepts, idempotency_key))
        if made["key"] is None and idempotency_key is None:
            fresh = self.add_key(made["bot"]["id"])
            self.revoke_key(made["bot"]["id"], made["key_id"])
            return {"bot": made["bot"], "key": fresh["key"], "key_id": fresh["key_id"]}
        return made

    def change_bot(self, bot: str, **changes: Any) -> m.Bot:
        """Changes ``name``, ``description``, ``max_stake`` or ``accepts``; needs the player's key."""
        return self._run(calls.change_bot(bot, changes))

    def add_key(self, bot: str, *, idempotency_key: str | None = None) -> m.KeyMade:
        """Another key for a bot. ``key`` is ``None`` when the answer that held it was lost: revoke it, make another."""
        return self._run(calls.add_key(bot, idempotency_key))

    def revoke_key(self, bot: str, key_id: str) -> None:
        """Ends a key and, within five seconds, its streams."""
        self._run(calls.revoke_key(bot, key_id))

    # --- games

    def games(self) -> m.GameList:
        """The catalogue."""
        return self._run(calls.games())

    def game(self, game: str) -> dict[str, Any]:
        """A game's contract: rules, schemas, clocks, stakes, house bots."""
        return self._run(calls.game(game))

    def leaderboard(self, game: str, *, limit: int | None = None, cursor: str | None = None) -> m.RowList:
        """A game's table."""
        return self._run(calls.leaderboard(game, limit, cursor))

    def position(
        self,
        game: str,
        moves: Sequence[m.Move] = (),
        *,
        options: Any = None,
        seed: str | None = None,
        game_number: int | None = None,
    ) -> m.Position:
        """The rules as a service: where these moves lead, and what is legal there."""
        return self._run(calls.position(game, moves, options, seed, game_number))

    def analysis(
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
        return self._run(calls.analysis(game, moves, options, seed, game_number, nodes))

    # --- challenges

    def create_challenge(
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
        return self._run(call)

    def challenge(self, challenge: str) -> m.Challenge:
        """A challenge as it stands."""
        return self._run(calls.challenge(challenge))

    def challenges(
        self,
        *,
        game: str | None = None,
        status: m.ChallengeStatus | None = None,
        participant: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> m.ChallengeList:
        """The lobby."""
        return self._run(calls.challenges(game, status, participant, limit, cursor))

    def accept(
        self, challenge: str, *, nonce: str | None = None, idempotency_key: str | None = None
    ) -> m.ChallengeAndSet:
        """Accepts: the set begins."""
        return self._run(calls.accept(challenge, nonce, idempotency_key))

    def decline(self, challenge: str) -> m.Challenge:
        """Declines a challenge made to me."""
        return self._run(calls.decline(challenge))

    def cancel(self, challenge: str) -> m.Challenge:
        """Takes my challenge back, and its stake with it."""
        return self._run(calls.cancel(challenge))

    # --- sets

    def set(self, set_id: str) -> m.SetState:
        """A set as it stands."""
        return self._run(calls.set_state(set_id))

    def sets(
        self,
        *,
        bot: str | None = None,
        game: str | None = None,
        status: m.SetStatus | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> m.SetList:
        """Sets, newest first, without their games."""
        return self._run(calls.sets(bot, game, status, limit, cursor))

    def turns(self, *, wait_s: int = 0, after: str | None = None) -> m.Turns:
        """Every game in which I am to act; waits up to ``wait_s`` (60 at most) while there is none."""
        return self._run(calls.turns(wait_s, after))

    def move(self, set_id: str, game: int, ply: int, move: m.Move) -> m.GameState:
        """Plays. Sent again as often as it takes: the same move for the same ply gets the first answer again."""
        return self._run(calls.move(set_id, game, ply, move))

    def resign(self, set_id: str, game: int) -> m.SetState:
        """Gives a game up."""
        return self._run(calls.resign(set_id, game))

    def pause(self, set_id: str) -> m.SetState:
        """Pauses untimed practice."""
        return self._run(calls.pause(set_id))

    def resume(self, set_id: str) -> m.SetState:
        """Goes on with paused practice."""
        return self._run(calls.resume(set_id))

    def record(self, set_id: str) -> dict[str, Any]:
        """The signed record of a set that has ended."""
        return self._run(calls.record(set_id))

    def verify(self, record: Mapping[str, Any]) -> m.Verification:
        """Has a record replayed and checked."""
        return self._run(calls.verify(record))

    def audit(self) -> m.Audit:
        """The state of the books."""
        return self._run(calls.audit())

    # --- streams

    def events(self, set_id: str, *, after: str | None = None) -> Iterator[Event]:
        """A set's events to its end, without a gap and without repetition across lost connections.

        The first is a ``snapshot``, unless ``after`` names the last event seen ("0": all of them).
        """
        return self._stream(Place(f"/v1/sets/{set_id}/events", after))

    def my_events(self, *, after: str | None = None) -> Iterator[Event]:
        """Everything that concerns me, for as long as it is read."""
        return self._stream(Place("/v1/me/events", after))

    # --- playing

    def play(self, choose: Choose, set_id: str | None = None, *, wait_s: int = 5) -> m.SetState | None:
        """Plays every turn with the move that ``choose`` picks for it, a long poll of ``wait_s`` at a time.

        With a ``set_id`` until that set has ended, which is returned; without, for ever. ``choose`` is handed a
        :class:`models.Turn` and gives one of ``turn["state"]["legal_moves"]``. A move that comes too late is passed
        over; one against the rules raises :class:`Problem`, for that is a fault of ``choose``.
        """
        answered = Answered()
        while True:
            answer = self.turns(wait_s=wait_s, after=answered.cursor)
            open_turns = answered.open_turns(answer)
            for turn in open_turns:
                self._answer(turn, choose(turn), answered)
            if set_id is not None and answered.may_be_over(set_id, open_turns):
                state = self.set(set_id)
                if state["status"] != "active":
                    return state

    def _answer(self, turn: m.Turn, move: m.Move, answered: Answered) -> None:
        try:
            answered.note(turn, self.move(turn["set_id"], turn["game"], turn["ply"], move))
        except Problem as problem:
            answered.note_refusal(turn, problem)

    # --- sending

    def _run(self, call: Call[T]) -> T:
        return self._repeat(lambda: self._once(call), call.repeatable)

    def _once(self, call: Call[T]) -> T:
        response = self._http.request(
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

    def _repeat(self, attempt: Callable[[], T], repeatable: bool) -> T:
        started, failed = time.monotonic(), 0
        while True:
            try:
                return attempt()
            except (Problem, httpx.TransportError) as fault:
                pause_s = self._retry.pause_s(failed, fault)
                spent_s = time.monotonic() - started
                if not is_worth_repeating(fault, repeatable) or spent_s + pause_s > self._retry.patience_s:
                    raise _told(fault) from fault
            failed += 1
            time.sleep(pause_s)

    def _stream(self, place: Place) -> Iterator[Event]:
        while not place.is_over:
            response = self._repeat(lambda: self._open(place), repeatable=True)
            try:
                parser = Parser()
                for line in response.iter_lines():
                    event = parser.line(line)
                    told = place.take(event) if event else None
                    if told:
                        yield told
                    if place.is_over:
                        return
            except httpx.TransportError:
                pass  # The connection broke off or went silent: resumed after the last event that was seen.
            finally:
                response.close()
            time.sleep(self._retry.first_pause_s)

    def _open(self, place: Place) -> httpx.Response:
        timeout = httpx.Timeout(self._timeout_s, read=SILENCE_S)
        request = self._http.build_request("GET", place.path, headers=place.headers, timeout=timeout)
        response = self._http.send(request, stream=True)
        if response.is_success:
            return response
        response.read()
        response.close()
        raise problem_of(response)


def _told(fault: Exception) -> Exception:
    return fault if isinstance(fault, Problem) else Unreachable(str(fault) or type(fault).__name__)
