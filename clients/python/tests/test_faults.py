"""What the client does when the network fails between it and the running platform."""

from __future__ import annotations

import threading
from collections.abc import Callable

import httpx
import pytest
from conftest import IMPATIENT, SMALL, Cut, Lossy, unique_name
from test_play import forward

from farside import Client, Problem, RetryPolicy, Unreachable
from farside._retry import is_worth_repeating


def posts_to(end: str) -> Callable[[httpx.Request], bool]:
    return lambda request: request.method == "POST" and request.url.path.endswith(end)


def test_a_lost_answer_to_a_move_is_asked_for_again_with_the_very_same_move(
    url: str, new_key: Callable[[], str]
) -> None:
    network = Lossy(posts_to("/moves"), losses=3)
    with Client(url, new_key(), retry=IMPATIENT, transport=network) as bot:
        made = bot.create_challenge("breakthrough", opponent="house:easy", options=SMALL)
        assert made["set"] is not None
        state = bot.play(forward, made["set"]["id"])
    assert state is not None and state["status"] == "finished"
    assert len({request.content for request in network.seen[:4]}) == 1, "one move, sent four times"


def test_a_lost_answer_to_a_challenge_makes_no_second_challenge(url: str, new_key: Callable[[], str]) -> None:
    network = Lossy(posts_to("/challenges"), losses=2)
    with Client(url, new_key(), retry=IMPATIENT, transport=network) as bot:
        made = bot.create_challenge("breakthrough", stake={"currency": "PTS", "amount": 10})
        me = bot.me()["bot"]
        assert me is not None
        listed = bot.challenges(participant=me["id"])["challenges"]
        assert [entry["id"] for entry in listed] == [made["challenge"]["id"]]
        assert bot.balance()["PTS"]["held"] == 10
    assert len({request.headers["idempotency-key"] for request in network.seen}) == 1


def test_a_lost_key_of_a_new_bot_is_replaced_and_revoked(url: str, owner: Client) -> None:
    network = Lossy(posts_to("/bots"))
    key = owner._http.headers["authorization"].removeprefix("Bearer ")
    with Client(url, key, retry=IMPATIENT, transport=network) as again:
        made = again.create_bot(unique_name("pybot"))
    with Client(url, made["key"]) as bot:
        assert bot.me()["key_id"] == made["key_id"]
    answer = httpx.get(f"{url}/v1/bots/{made['bot']['id']}/keys", headers={"Authorization": f"Bearer {key}"})
    assert [entry["id"] for entry in answer.json()["keys"]] == [made["key_id"]]


def test_a_sign_up_whose_answer_was_lost_is_not_sent_again(url: str) -> None:
    network = Lossy(posts_to("/players"))
    with Client(url, retry=IMPATIENT, transport=network) as anyone, pytest.raises(Unreachable):
        anyone.sign_up(unique_name("py"))
    assert len(network.seen) == 1


def test_a_cut_stream_is_resumed_without_a_gap_and_without_repetition(url: str, new_key: Callable[[], str]) -> None:
    network = Cut(bytes_each=9_000)
    with Client(url, new_key()) as bot, Client(url, retry=IMPATIENT, transport=network) as spectator:
        made = bot.create_challenge("breakthrough", opponent="house:easy", options=SMALL)
        assert made["set"] is not None
        set_id = made["set"]["id"]
        player = threading.Thread(target=bot.play, args=(forward, set_id))
        player.start()
        events = list(spectator.events(set_id, after="0"))
        player.join()
    assert [event.id for event in events] == [str(number) for number in range(1, len(events) + 1)]
    assert events[-1].name == "set_finished"
    assert len(network.resumed_after) > 2, "it was cut"


def test_a_stream_begins_with_a_snapshot_and_ends_with_a_finished_set(url: str, new_key: Callable[[], str]) -> None:
    with Client(url, new_key(), retry=IMPATIENT) as bot:
        made = bot.create_challenge("breakthrough", opponent="house:easy", options=SMALL)
        assert made["set"] is not None
        mine = bot.my_events()
        assert next(mine).data["sets"][0]["id"] == made["set"]["id"]
        bot.play(forward, made["set"]["id"])
        names = []
        for event in mine:
            names.append(event.name)
            if event.name == "set_finished":
                break
        assert names.count("game_finished") == 2
        assert [event.name for event in bot.events(made["set"]["id"])] == ["snapshot"]


def test_a_platform_that_is_not_there_is_told_after_the_patience(url: str) -> None:
    patience = RetryPolicy(first_pause_s=0.01, patience_s=0.1)
    with Client("http://127.0.0.1:1", retry=patience) as client, pytest.raises(Unreachable):
        client.games()


def test_only_what_is_safe_is_repeated_and_retry_after_is_obeyed() -> None:
    limited, broken, refused = Problem(429, {}, 7.0), Problem(503, {}), Problem(409, {})
    assert is_worth_repeating(limited, repeatable=False)
    assert is_worth_repeating(broken, repeatable=True) and not is_worth_repeating(broken, repeatable=False)
    assert not is_worth_repeating(refused, repeatable=True)
    assert is_worth_repeating(httpx.ConnectError(""), repeatable=False)
    assert is_worth_repeating(httpx.ReadTimeout(""), repeatable=True)
    assert not is_worth_repeating(httpx.ReadTimeout(""), repeatable=False)
    policy = RetryPolicy()
    assert policy.pause_s(0, limited) == 7.0
    assert all(policy.pause_s(attempt, broken) <= policy.longest_pause_s for attempt in range(2_000))
