"""The documents of the API, as the platform sends and takes them.

They are plain dictionaries at run time: fields that a later platform adds are there too. ``GET /openapi.json`` of a
platform is the authority. Times are RFC 3339 texts, a missing value is ``None``.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict

Move = Any
"""A move as the game's ``move_schema`` says; take one from ``legal_moves`` and send it unchanged."""

Side = Literal["creator", "acceptor"]
SetStatus = Literal["active", "finished", "aborted"]
GameStatus = Literal["active", "finished", "aborted", "paused"]
ChallengeStatus = Literal["open", "accepted", "declined", "cancelled", "expired"]


class Named(TypedDict):
    id: str
    name: str


class Participant(TypedDict):
    id: str
    name: str
    kind: Literal["bot", "human", "house"]
    owner: Named


class Stake(TypedDict):
    currency: str
    amount: int


class Fischer(TypedDict):
    initial_s: int
    increment_s: int


class PerRound(TypedDict):
    per_round_s: int


Clock = Fischer | PerRound


class ClockState(TypedDict):
    remaining_ms: int


class GameResult(TypedDict):
    winner: int | None
    reason: str


class SeatMove(TypedDict):
    seat: int
    move: Move
    notation: str


class LastMove(TypedDict):
    ply: int
    seat: int | None
    move: Move
    moves: list[SeatMove]
    notation: str
    at: str


class GameState(TypedDict):
    number: int
    status: GameStatus
    seats: dict[str, str]
    ply: int
    to_move: list[int]
    submitted: bool
    body: Any
    board_text: str
    legal_moves: list[Move]
    clocks: dict[str, ClockState] | None
    deadline: str | None
    last_move: LastMove | None
    result: GameResult | None
    server_time: str


class SetResult(TypedDict):
    winner: Side | None
    by: Literal["points", "tiebreak", "draw"]


class SetState(TypedDict):
    id: str
    game: str
    kind: Literal["open", "private", "practice"]
    status: SetStatus
    rated: bool
    unrated_reason: str | None
    stake: Stake | None
    clock: Clock | None
    options: Any
    creator: Participant
    acceptor: Participant
    points: dict[Side, float]
    result: SetResult | None
    settlement: Literal["none", "pending", "settled", "split", "refunded"]
    seed_hash: str
    server_seed: str | None
    seed: str | None
    nonces: dict[Side, str | None] | None
    games: list[GameState]
    games_total: int
    last_event: int
    server_time: str
    created_at: str
    finished_at: str | None


class Challenge(TypedDict):
    id: str
    kind: Literal["open", "private", "practice"]
    status: ChallengeStatus
    game: str
    options: Any
    clock: Clock | None
    stake: Stake | None
    rated: bool
    unrated_reason: str | None
    format: Literal["set", "single"]
    creator: Participant
    opponent: Participant | None
    declined_reason: str | None
    seed_hash: str
    set_id: str | None
    expires_at: str
    created_at: str


class ChallengeAndSet(TypedDict):
    challenge: Challenge
    set: SetState | None


class Turn(TypedDict):
    set_id: str
    game: int
    game_id: str
    seat: int
    ply: int
    deadline: str | None
    state: GameState


class Turns(TypedDict):
    turns: list[Turn]
    cursor: str


class Standing(TypedDict):
    game: str
    rating: int
    deviation: int
    provisional: bool
    sets: int
    wins: int
    draws: int
    losses: int
    won: int
    net: int


class Strike(TypedDict):
    set_id: str
    at: str


class Accepts(TypedDict, total=False):
    games: list[str] | None
    stake_max: int | None
    rated: bool | None
    humans: bool | None


class Bot(TypedDict):
    id: str
    name: str
    kind: Literal["bot", "house"]
    owner: Named
    description: str
    max_stake: int
    accepts: Accepts | None
    active_sets: int | None
    ratings: list[Standing]
    strikes: list[Strike]
    suspended_until: str | None
    suspended_since: str | None
    created_at: str


class Player(TypedDict):
    id: str
    name: str
    kind: Literal["human", "house"]
    bots: list[Named]
    ratings: list[Standing]
    strikes: list[Strike]
    suspended_until: str | None
    suspended_since: str | None
    created_at: str


class SignedUp(TypedDict):
    player: Player
    key: str
    key_id: str


class BotMade(TypedDict):
    bot: Bot
    key: str | None
    key_id: str


class KeyMade(TypedDict):
    key: str | None
    key_id: str
    created_at: str


class Me(TypedDict):
    kind: Literal["bot", "human"]
    player: Player
    bot: Bot | None
    key_id: str


class Balance(TypedDict):
    available: int
    held: int


class Entry(TypedDict):
    transaction_id: str
    kind: Literal["grant", "hold", "release", "win", "loss", "split", "refund"]
    currency: str
    posted_change: int
    held_change: int
    fee: int
    balance_after: Balance
    participant_id: str | None
    subject: str
    at: str


class GameSummary(TypedDict):
    id: str
    name: str
    summary: str
    tier: Literal["ranked", "casual"]
    information: Literal["perfect", "hidden-until-reveal"]
    games_per_set: int
    version: int


class LeaderboardRow(TypedDict):
    rank: int
    bot: Named
    owner: Named
    rating: int
    deviation: int
    provisional: bool
    sets: int
    wins: int
    draws: int
    losses: int
    won: int
    net: int


class Position(TypedDict):
    body: Any
    board_text: str
    ply: int
    to_move: list[int]
    legal_moves: list[Move]
    legal_moves_by_seat: list[Any]
    result: GameResult | None


class Analysis(TypedDict):
    move: Move
    score: int
    pv: list[Move]
    depth: int
    nodes: int


class Verification(TypedDict):
    ok: bool
    fault: dict[str, str] | None
    checks: list[str]


class Audit(TypedDict):
    ok: bool
    checked_at: str
    violations: list[str]
    totals: dict[str, Any]


class EntryList(TypedDict):
    entries: list[Entry]
    next_cursor: str | None


class BotList(TypedDict):
    bots: list[Bot]
    next_cursor: str | None


class ChallengeList(TypedDict):
    challenges: list[Challenge]
    next_cursor: str | None


class SetList(TypedDict):
    sets: list[SetState]
    next_cursor: str | None


class GameList(TypedDict):
    games: list[GameSummary]
    next_cursor: str | None


class RowList(TypedDict):
    rows: list[LeaderboardRow]
    next_cursor: str | None
