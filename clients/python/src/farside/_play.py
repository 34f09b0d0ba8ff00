"""The play loop's memory: which turns were answered. Pure: no network; both clients play by it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from . import models as m
from .errors import Problem

Choose = Callable[[m.Turn], m.Move]
"""Picks a move for a turn."""

TOO_LATE = frozenset({"game_over", "stale_ply", "not_your_turn"})
"""Refusals that say that the turn is over, whatever was sent."""


@dataclass
class Answered:
    """What was answered, and from where on to wait.

    In a simultaneous game a turn stays listed until the round is revealed: it is answered once, and then only waited
    for something newer. As long as something was played, everything is asked for again, so that nothing is missed.
    """

    cursor: str | None = None
    _keys: dict[str, tuple[int, int]] = field(default_factory=dict)
    _ended_game: set[str] = field(default_factory=set)

    def open_turns(self, answer: m.Turns) -> list[m.Turn]:
        """The turns that were not answered yet."""
        turns = [turn for turn in answer["turns"] if not self._is_answered(turn)]
        self.cursor = None if turns else answer["cursor"]
        return turns

    def note(self, turn: m.Turn, state: m.GameState) -> None:
        """The move was accepted."""
        self._keys[turn["set_id"]] = (turn["game"], turn["ply"])
        if state["result"] is not None:
            self._ended_game.add(turn["set_id"])

    def note_refusal(self, turn: m.Turn, problem: Problem) -> None:
        """The move was refused; anything but coming too late is raised."""
        if problem.code not in TOO_LATE:
            raise problem
        if problem.code == "game_over":
            self._keys[turn["set_id"]] = (turn["game"], turn["ply"])
            self._ended_game.add(turn["set_id"])

    def may_be_over(self, set_id: str, turns: list[m.Turn]) -> bool:
        """Whether the set is worth a look: one of its games has just ended, or it had no turn for me in this round."""
        ended = set_id in self._ended_game
        self._ended_game.discard(set_id)
        return ended or not any(turn["set_id"] == set_id for turn in turns)

    def _is_answered(self, turn: m.Turn) -> bool:
        return turn["state"]["submitted"] or self._keys.get(turn["set_id"]) == (turn["game"], turn["ply"])
