"""Whole sets against the running platform, with each client."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from conftest import IMPATIENT, SMALL, unique_name

from farside import AsyncClient, Client, Problem


def first(turn: Any) -> Any:
    return turn["state"]["legal_moves"][0]


def forward(turn: Any) -> Any:
    """The move that gets furthest, which ends games of pawns quickly."""
    sign = 1 if turn["seat"] == 1 else -1
    return max(turn["state"]["legal_moves"], key=lambda move: sign * move["to"][0])


def test_a_set_against_a_house_bot_is_played_to_its_end(url: str, new_key: Callable[[], str]) -> None:
    with Client(url, new_key(), retry=IMPATIENT) as bot:
        made = bot.create_challenge("breakthrough", opponent="house:easy", options=SMALL)
        assert made["set"] is not None
        state = bot.play(forward, made["set"]["id"])
        assert state is not None and state["status"] == "finished"
        assert len(state["games"]) == state["games_total"]
        assert sum(state["points"].values()) == state["games_total"]
        assert bot.verify(bot.record(state["id"]))["ok"]


def test_two_asynchronous_bots_play_a_simultaneous_game(url: str, new_key: Callable[[], str]) -> None:
    async def play() -> Any:
        async with AsyncClient(url, new_key()) as one, AsyncClient(url, new_key()) as other:
            me = (await other.me())["bot"]
            assert me is not None
            game = next(game for game in (await one.games())["games"] if game["information"] != "perfect")
            made = await one.create_challenge(game["id"], opponent=me["id"])
            set_id = made["challenge"]["set_id"]
            if set_id is None:
                accepted = await other.accept(made["challenge"]["id"])
                set_id = accepted["challenge"]["set_id"]
            return await asyncio.gather(one.play(first, set_id), other.play(first, set_id))

    ends = asyncio.run(play())
    assert [end["status"] for end in ends] == ["finished", "finished"]
    assert all(game["result"] is not None for game in ends[0]["games"])


def test_a_refusal_has_its_code_and_what_goes_with_it(url: str, new_key: Callable[[], str]) -> None:
    with Client(url, new_key()) as bot:
        made = bot.create_challenge("breakthrough", opponent="house:easy", options=SMALL)
        assert made["set"] is not None
        turns = bot.turns(wait_s=20)["turns"]
        with pytest.raises(Problem) as refused:
            bot.play(lambda turn: {"from": [0, 0], "to": [5, 5]}, made["set"]["id"])
        assert (refused.value.status, refused.value.code) == (422, "illegal_move")
        assert refused.value.body["reason"] and refused.value.trace_id
        with pytest.raises(Problem) as stale:
            bot.move(made["set"]["id"], turns[0]["game"], turns[0]["ply"] + 8, first(turns[0]))
        assert (stale.value.code, stale.value.body["ply"]) == ("stale_ply", turns[0]["ply"])
        with Client(url) as nobody, pytest.raises(Problem, match="unauthenticated"):
            nobody.me()


def test_the_lobby_the_tables_and_the_rules_are_there(url: str, owner: Client, new_key: Callable[[], str]) -> None:
    with Client(url, new_key()) as bot:
        made = bot.create_challenge("breakthrough", stake={"currency": "PTS", "amount": 10}, expires_in_s=60)
        challenge = made["challenge"]
        listed = bot.challenges(game="breakthrough", status="open", participant=challenge["creator"]["id"])
        assert [entry["id"] for entry in listed["challenges"]] == [challenge["id"]]
        assert bot.balance()["PTS"]["held"] == 10
        assert bot.cancel(challenge["id"])["status"] == "cancelled"
        assert bot.challenge(challenge["id"])["status"] == "cancelled"
        assert {entry["kind"] for entry in bot.ledger()["entries"]} >= {"grant", "hold"}
        untimed = bot.create_challenge("breakthrough", opponent="house:easy", options=SMALL, clock=None)["set"]
        assert untimed is not None and untimed["clock"] is None
        assert bot.pause(untimed["id"])["games"][0]["status"] == "paused"
        assert bot.resume(untimed["id"])["games"][0]["status"] == "active"
        assert bot.resign(untimed["id"], 1)["games"][0]["result"] is not None
        bot_id = challenge["creator"]["id"]
        assert bot.sets(bot=bot_id)["sets"][0]["id"] == untimed["id"]
        position = bot.position("breakthrough", options=SMALL)
        assert bot.analysis("breakthrough", options=SMALL, nodes=1000)["move"] in position["legal_moves"]
    me = owner.me()
    assert owner.player(me["player"]["name"])["id"] == me["player"]["id"]
    assert [entry["id"] for entry in owner.bots(owner=me["player"]["id"])["bots"]] == [bot_id]
    assert owner.change_bot(bot_id, description="Plays")["description"] == "Plays"
    assert owner.bot(bot_id)["description"] == "Plays"
    assert isinstance(owner.leaderboard("breakthrough")["rows"], list)
    assert owner.game("breakthrough")["house_levels"]
    assert owner.audit()["ok"]
    fresh = owner.add_key(bot_id)
    assert fresh["key"] is not None
    owner.revoke_key(bot_id, fresh["key_id"])


def test_a_taken_name_is_told(url: str, owner: Client) -> None:
    name = unique_name("pybot")
    owner.create_bot(name)
    with pytest.raises(Problem, match="name_taken"):
        owner.create_bot(name)
